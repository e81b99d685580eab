// Pages for browsers at the base URL and at unknown paths; other clients receive the empty 404.
import type { ReceivedRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpSettings } from '../settings.js'
import { chooseLanguage } from './choose-language.js'
import { pageResponse } from './page-response.js'
import type { ShownPage } from './page.js'
import type { PageRenderer } from './rendered-page.js'

export type BrowserPageSettings = Pick<HttpSettings, 'basePath' | 'registration' | 'documents'>

const qualityOf = (accept: string, type: string): number => {
  const range = accept.split(',').find((each) => each.split(';', 1)[0]?.trim().toLowerCase() === type)
  return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
}

/** RFC 9110 §12.5.1: whether a client accepts text/html and does not prefer JSON. */
export const prefersHtml = (accept: string | undefined): boolean => {
  const html = qualityOf(accept ?? '', 'text/html')
  return html > 0 && html >= qualityOf(accept ?? '', 'application/json')
}

const homeOf = ({ registration: { issuer }, documents = [] }: BrowserPageSettings): ShownPage => ({
  kind: 'home',
  issuer,
  metadata: `${issuer}/.well-known/openid-configuration`,
  keySet: `${issuer}/jwks.json`,
  playground: documents.some(({ path }) => path === '/playground') ? `${issuer}/playground` : undefined,
})

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** The page for an unknown path; undefined where the client does not prefer HTML. */
export const createBrowserPages = (settings: BrowserPageSettings, ports: { readonly renderPage: PageRenderer }) => {
  const respond = pageResponse(ports.renderPage)
  const home = homeOf(settings)
  const bases = [settings.basePath, `${settings.basePath}/`]
  return ({ method, path, headers }: ReceivedRequest): HttpResponse | undefined => {
    if (!isRead(method) || !prefersHtml(headers.accept)) return undefined
    const language = chooseLanguage(undefined, headers['accept-language'])
    return respond(bases.includes(path) ? home : { kind: 'not_found' }, language)
  }
}
