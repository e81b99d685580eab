// What a browser is shown at the base URL and where there is nothing; programs get the empty 404.
import type { HttpResponse } from '../http/response.js'
import { chooseLanguage } from '../logout/choose-language.js'
import { pageResponse } from '../logout/page-response.js'
import type { LogoutPage } from '../logout/page.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import type { Incoming } from './incoming.js'

export type BrowserPageSettings = Pick<HttpSettings, 'basePath' | 'registration' | 'documents'>

const qualityOf = (accept: string, type: string): number => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type)
  return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}

/** RFC 9110 §12.5.1: only whoever names text/html, and does not want JSON more, is shown a page. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const html = qualityOf(accept ?? '', 'text/html')
  return html > 0 && html >= qualityOf(accept ?? '', 'application/json')
}

const homeOf = ({ registration: { issuer }, documents = [] }: BrowserPageSettings): LogoutPage => ({
  kind: 'home',
  issuer,
  metadata: `${issuer}/.well-known/openid-configuration`,
  keySet: `${issuer}/jwks.json`,
  playground: documents.some(({ path }) => path === '/playground') ? `${issuer}/playground` : undefined,
})

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The page for a path that no route has; nothing where no page is wanted. */
export const createBrowserPages = (settings: BrowserPageSettings, ports: Pick<HttpPorts, 'renderPage'>) => {
  const [respond, home] = [pageResponse(ports.renderPage), homeOf(settings)]
  const bases = [settings.basePath, `${settings.basePath}/`]
  return (path: string, { method, field }: Pick<Incoming, 'method' | 'field'>): HttpResponse | undefined => {
    if (!isRead(method) || !prefersHtml(field('accept'))) return undefined
    const language = chooseLanguage(undefined, field('accept-language'))
    return bases.includes(path) ? respond(200, home, language) : respond(404, { kind: 'not_found' }, language)
  }
}
