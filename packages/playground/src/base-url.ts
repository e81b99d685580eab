export const exampleBaseUrl = 'https://op.example'

const plainPath = /^(?:\/[\w.~-]+)*\/?$/

const isBaseUrl = (url: URL): boolean =>
  /^https?:$/.test(url.protocol) && !/[@?#]/.test(url.href) && plainPath.test(url.pathname)

/** The base URL of a service as it stands before /clients, or nothing where the text is none. */
export const baseUrlIn = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return isBaseUrl(url) ? url.href.replace(/\/$/, '') : undefined
}

const serviceOfPage = (address: string): string | undefined => {
  const service = /^(https?:[^?#]*)\/playground\/?(?:[?#]|$)/.exec(address)?.[1]
  return service === undefined ? undefined : baseUrlIn(service)
}

/** Where the page is served by a service, that service; otherwise an example. */
export const baseUrlOfPage = (address: string): string => serviceOfPage(address) ?? exampleBaseUrl

/** Where a command goes that is made of the text: to the service that serves the page, to another one, or to an example. */
export type Destination = 'here' | 'elsewhere' | 'example'

/** Where no service serves the page, any is as good as another. */
export const destinationOf = (text: string, address: string): Destination => {
  const [url, service] = [baseUrlIn(text), serviceOfPage(address)]
  if (url === undefined) return 'example'
  return service === undefined || service === url ? 'here' : 'elsewhere'
}
