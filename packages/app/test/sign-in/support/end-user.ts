// An end-user with a browser without scripts: it follows redirects, and fills in the forms of the service's pages.
import * as assert from 'uvu/assert'
import { Browser } from '../../engine/support/browser.js'

export type Account = { readonly username: string; readonly password: string }

export type Answers = {
  readonly login?: 'sign-in' | 'cancel'
  readonly consent?: 'allow' | 'deny'
  readonly logout?: 'logout' | 'stay'
  /** What happens while the end-user reads a page, before the answer. */
  readonly meanwhile?: (page: 'login' | 'consent' | 'logout') => Promise<void>
}

export type Arrival = {
  /** The first URL outside of the sites that the browser opens: of an application that only the test has. */
  readonly end: URL | undefined
  /** The form that the page sends to it by itself (OAuth 2.0 Form Post Response Mode §2). */
  readonly posted?: URLSearchParams
  /** The last page, where the way ended on one. */
  readonly page: string
  readonly status: number
  readonly headers: Headers
  /** The pages with forms, in order: login, consent, logout. */
  readonly requested: ReadonlyArray<string>
  /** The HTML of these pages. */
  readonly forms: ReadonlyArray<string>
}

export type EndUser = {
  /** Goes on until a page asks nothing, or a redirect leaves the sites. */
  readonly visit: (url: string | URL, answers?: Answers, as?: Account) => Promise<Arrival>
  readonly browserOf: (url: string) => Browser
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
}
const unescaped = (text: string): string => text.replaceAll(/&(?:amp|quot|#39|lt|gt);/g, (each) => entities[each] ?? '')

const attributesOf = (tag: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...tag.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, unescaped(value)]),
  )

type Form = {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly buttons: ReadonlyArray<string>
}

const formIn = (html: string): Form | undefined => {
  const [form] = /<form method="post"[\s\S]*?<\/form>/.exec(html) ?? []
  if (form === undefined) return undefined
  const tags = (name: string) => [...form.matchAll(new RegExp(`<${name}[^>]*>`, 'g'))].map(([tag]) => attributesOf(tag))
  const fields = Object.fromEntries(tags('input').map(({ name = '', value = '' }) => [name, value]))
  return { action: tags('form')[0]?.['action'] ?? '', fields, buttons: tags('button').map(({ value = '' }) => value) }
}

const kindOf = ({ fields, buttons }: Form): 'login' | 'consent' | 'logout' =>
  'password' in fields ? 'login' : buttons.includes('allow') ? 'consent' : 'logout'

const filled = (form: Form, account: Account, answers: Answers): URLSearchParams => {
  const kind = kindOf(form)
  const answer = { login: 'sign-in', consent: 'allow', logout: 'logout', ...answers }[kind]
  assert.ok(form.buttons.includes(answer), `${kind}: ${form.buttons.join()}`)
  return new URLSearchParams({ ...form.fields, ...(kind === 'login' ? account : {}), answer })
}

const maxSteps = 20

/** Opens the sites, and no other URL. */
export const openEndUser = (account: Account, ...sites: ReadonlyArray<string>): EndUser => {
  const browsers = new Map<string, Browser>()
  // RFC 6265 §8.5: cookies are of a host, whatever its port.
  const browserOf = (url: string): Browser => {
    const { hostname } = new URL(url)
    const browser = browsers.get(hostname) ?? new Browser()
    browsers.set(hostname, browser)
    return browser
  }
  const send = (url: string, body?: URLSearchParams): Promise<Response> =>
    browserOf(url).open(url, {
      headers: { 'Sec-Fetch-Mode': 'navigate', ...(body === undefined ? {} : { Origin: new URL(url).origin }) },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
  const isOfSites = (url: string): boolean => sites.some((site) => url.startsWith(`${site}/`))
  const visit: EndUser['visit'] = async (url, answers = {}, as = account) => {
    const requested: Array<string> = []
    const forms: Array<string> = []
    let next = String(url)
    let body: URLSearchParams | undefined
    for (let step = 0; step < maxSteps; step += 1) {
      if (!isOfSites(next)) return { end: new URL(next), page: '', status: 0, headers: new Headers(), requested, forms }
      const response = await send(next, body)
      const location = response.headers.get('location')
      const page = await response.text()
      const form = location === null ? formIn(page) : undefined
      const arrived = { page, status: response.status, headers: response.headers, requested, forms }
      const target = form === undefined ? next : new URL(form.action, next).href
      if (form !== undefined && !isOfSites(target))
        return { ...arrived, end: new URL(target), posted: new URLSearchParams(form.fields) }
      if (location === null && (form === undefined || response.status >= 400)) return { ...arrived, end: undefined }
      body = undefined
      if (form !== undefined) {
        requested.push(kindOf(form))
        await answers.meanwhile?.(kindOf(form))
        forms.push(page)
        body = filled(form, as, answers)
      }
      next = new URL(location ?? form?.action ?? '', next).href
    }
    throw new Error(`the way has no end: ${next}`)
  }
  return { visit, browserOf }
}
