import type { HttpRequest } from './request.js'

/**
 * The address of the sender, unless it is that of a proxy: a proxy that the service does not trust adds X-Forwarded-For
 * (or RFC 7239 Forwarded), and the address is then none of those in it.
 */
export const ownAddressOf = ({ headers, remoteAddress }: HttpRequest): string | undefined => {
  const chain = headers['x-forwarded-for']
  if (chain === undefined) return headers.forwarded === undefined ? remoteAddress : undefined
  return chain.split(',').some((each) => each.trim() === remoteAddress) ? remoteAddress : undefined
}
