import { isIPv6 } from 'node:net'

/** Where this machine reaches a listener: an address that means "all" is reached over loopback. */
export const localUrl = (host: string, port: number): string => {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return isIPv6(host) ? `http://[${host}]:${port}` : `http://${host}:${port}`
}
