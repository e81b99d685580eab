// TLS of the connections to the database.
import { isIPv4 } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

/** Whether connections to other machines are encrypted and the server's certificate is verified. */
export type TlsMode = 'verify' | 'off'

const isLoopback = (host: string): boolean =>
  ['localhost', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'))

/** The directory of a Unix socket, as a host in percent-encoding or as the parameter `host`. */
const isSocket = ({ hostname, searchParams }: URL): boolean =>
  /^%2f/i.test(hostname) || searchParams.get('host')?.startsWith('/') === true

/** The options of TLS for pg; false for connections that do not leave this machine. */
export const tlsOf = (url: string, mode: TlsMode): ConnectionOptions | false => {
  const parsed = new URL(url)
  const { hostname } = parsed
  if (mode === 'off' || isSocket(parsed) || isLoopback(hostname)) return false
  // With the host, an IP address is compared with the certificate as well.
  return { rejectUnauthorized: true, host: hostname.replace(/^\[|\]$/g, '') }
}
