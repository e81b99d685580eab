import type { Route } from './routing.js'

const allowed = (origin: string): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Expose-Headers': 'WWW-Authenticate, Location, ETag',
})

/** Fetch §3.2: pages of the listed origins, or of any with *, may call registration; pages of any origin may read published documents. */
export const crossOriginHeaders = (
  origins: Route['origins'],
  listed: ReadonlyArray<string>,
  origin: string | undefined,
): Readonly<Record<string, string>> => {
  if (origins === 'any') return allowed('*')
  if (origins === 'none' || listed.length === 0) return {}
  // Registration takes bearer tokens alone, and no cookie that a page could use.
  if (listed.includes('*')) return allowed('*')
  return origin !== undefined && listed.includes(origin) ? { Vary: 'Origin', ...allowed(origin) } : { Vary: 'Origin' }
}

/** Fetch §3.2.2: the methods and headers that a page may send; clients of the Model Context Protocol name its version when they read metadata. */
export const preflightHeaders = (methods: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, If-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age': '600',
})
