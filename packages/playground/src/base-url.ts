export const exampleBaseUrl = 'https://op.example'

const plainPath = /^(?:\/[\w.~-]+)*\/?$/

const isBaseUrl = (url: URL): boolean =>
  /^https?:$/.test(url.protocol) && !/[@?#]/.test(url.href) && plainPath.test(url.pathname)

/** The base URL of a service, without /clients; undefined where the text is not one. */
export const baseUrlIn = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return isBaseUrl(url) ? url.href.replace(/\/$/, '') : undefined
}

const serviceOfPage = (address: string): string | undefined => {
  const service = /^(https?:[^?#]*)\/playground\/?(?:[?#]|$)/.exec(address)?.[1]
  return service === undefined ? undefined : baseUrlIn(service)
}

/** The service that serves the page; otherwise an example. */
export const baseUrlOfPage = (address: string): string => serviceOfPage(address) ?? exampleBaseUrl

/** The target of a command: the service that serves the page, another one, or an example. */
export type Destination = 'here' | 'elsewhere' | 'example'

/** Without a service that serves the page, there is no other one. */
export const destinationOf = (text: string, address: string): Destination => {
  const url = baseUrlIn(text)
  const service = serviceOfPage(address)
  if (url === undefined) return 'example'
  return service === undefined || service === url ? 'here' : 'elsewhere'
}
