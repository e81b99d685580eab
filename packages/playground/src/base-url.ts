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

/** Where the page is served by a service, that service; otherwise an example. */
export const baseUrlOfPage = (address: string): string => {
  const service = /^(https?:[^?#]*)\/playground\/?(?:[?#]|$)/.exec(address)?.[1]
  return (service === undefined ? undefined : baseUrlIn(service)) ?? exampleBaseUrl
}
