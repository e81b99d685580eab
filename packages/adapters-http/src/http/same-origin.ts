import type { HttpRequest } from './request.js'

/**
 * Fetch Metadata §2.1, RFC 6454 §7: whether another site sent the form. Its origin is null where the page sends no
 * referrer.
 */
export const isFromElsewhere = ({ headers }: HttpRequest, origin: string): boolean => {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return ![undefined, 'null', origin].includes(headers.origin)
}
