// A minimal browser for logout: it stores cookies, sends them by SameSite=Lax, and follows no redirect.
export type Page = {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  /** The value of the page's form, and its action; empty where there is no form. */
  readonly value: string
  readonly action: string
}

export type Form = Readonly<Record<string, string>>

export type Browser = {
  readonly cookies: Map<string, string>
  readonly get: (path: string, headers?: Form) => Promise<Page>
  readonly post: (path: string, form: Form | string, headers?: Form) => Promise<Page>
  /** Answers the confirmation page. */
  readonly answer: (page: Page, answer: string) => Promise<Page>
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&#x2F;', '/')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

const attributeOf = (html: string, pattern: RegExp): string => unescaped(pattern.exec(html)?.[1] ?? '')

const pageOf = async (response: Response): Promise<Page> => {
  const html = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    html,
    value: attributeOf(html, /name="value" value="([^"]*)"/),
    action: attributeOf(html, /<form[^>]* action="([^"]*)"/),
  }
}

const nameAndValue = (pair: string): readonly [string, string] => [
  pair.slice(0, pair.indexOf('=')),
  pair.slice(pair.indexOf('=') + 1),
]

const store = (cookies: Map<string, string>, response: Response): void => {
  for (const line of response.headers.getSetCookie()) {
    const [name, value] = nameAndValue(line.split(';')[0] ?? '')
    if (/max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
}

export const openBrowser = (base: string, begun: ReadonlyArray<string> = []): Browser => {
  const cookies = new Map(begun.map(nameAndValue))
  const send = async (path: string, init: RequestInit, headers: Form): Promise<Page> => {
    // A cross-site POST comes without cookies.
    const sent = headers['Sec-Fetch-Site'] === 'cross-site' && init.method === 'POST' ? [] : [...cookies]
    const cookie = sent.map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${base}${path}`, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookie === '' ? {} : { Cookie: cookie }), ...headers },
    })
    store(cookies, response)
    return pageOf(response)
  }
  const post: Browser['post'] = (path, form, headers = {}) =>
    send(
      path,
      { method: 'POST', body: typeof form === 'string' ? form : new URLSearchParams(form).toString() },
      { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    )
  return {
    cookies,
    get: (path, headers = {}) => send(path, { method: 'GET' }, headers),
    post,
    // Chromium sends null, because the page sends no referrer.
    answer: ({ action, value }, answer) =>
      post(action, { value, answer }, { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }),
  }
}
