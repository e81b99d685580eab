// Finds the route of a request, for every shell.
import { pathToRegexp } from 'path-to-regexp'
import type { Handler, PublishedHandler } from '../http/handler.js'
import type { BodyFormat } from '../http/request.js'

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With at most one parameter. */
  readonly path: string
  readonly handler: Handler
  /** The same handler where the route is that of a published document. */
  readonly published?: PublishedHandler
  /** The origins whose pages may read the answer. */
  readonly origins: 'none' | 'listed' | 'any'
  /** The format of its body, if it has one; a form that cannot be read still gets a page. */
  readonly takes: BodyFormat
  /** Whether the parameter of the path is the id of a client, which the log entry names where it is found. */
  readonly ofClient: boolean
  /** Whether answers on this path may be cached; if not, refusals by the transport may not be either. */
  readonly stored: boolean
}

export type FoundRoute = {
  readonly route: Route
  /** The value of the parameter of the path, percent-decoded; empty where the path has none. */
  readonly id: string
}

export type Routing = {
  /** The route for a percent-encoded path; the first one where there are several. */
  readonly find: (method: string, path: string) => FoundRoute | undefined
  /** All routes of this path, for any method. */
  readonly withPath: (path: string) => ReadonlyArray<Route>
}

/** Escapes the characters of a path that a pattern would interpret. */
export const escapePattern = (path: string): string => path.replace(/[\\{}()[\]+?!:*]/g, '\\$&')

export const isLiteral = ({ path }: Route): boolean => escapePattern(path) === path

/** RFC 9110 §9.3.2: every route for GET answers HEAD. */
export const methodsOf = ({ method }: Route): ReadonlyArray<string> => (method === 'GET' ? ['GET', 'HEAD'] : [method])

type Pattern = { readonly route: Route; readonly regexp: RegExp }

const patternOf = (route: Route): Pattern => ({
  route,
  regexp: pathToRegexp(route.path, { sensitive: true, trailing: false }).regexp,
})

// A text that cannot be decoded, or has U+0000, which a store may refuse, stays as it is, because it is no valid id.
export const decoded = (text: string): string => {
  try {
    const whole = decodeURIComponent(text)
    return whole.includes('\u0000') ? text : whole
  } catch {
    return text
  }
}

type Find = (path: string) => FoundRoute | undefined

// Most requests have paths without a parameter, so that they are looked up before patterns are tried.
const finderAmong = (routes: ReadonlyArray<Route>): Find => {
  const literal = new Map<string, FoundRoute>()
  for (const route of routes)
    if (isLiteral(route) && !literal.has(route.path)) literal.set(route.path, { route, id: '' })
  const patterns = routes.filter((route) => !isLiteral(route)).map(patternOf)
  return (path) => {
    const known = literal.get(path)
    if (known !== undefined) return known
    for (const { route, regexp } of patterns) {
      const match = regexp.exec(path)
      if (match !== null) return { route, id: decoded(match[1] ?? '') }
    }
    return undefined
  }
}

export const createRouting = (routes: ReadonlyArray<Route>): Routing => {
  const methods = new Set(routes.flatMap(methodsOf))
  const finders = new Map(
    [...methods].map((method) => [method, finderAmong(routes.filter((route) => methodsOf(route).includes(method)))]),
  )
  const patterns = routes.map(patternOf)
  return {
    find: (method, path) => finders.get(method)?.(path),
    withPath: (path) => patterns.filter(({ regexp }) => regexp.test(path)).map(({ route }) => route),
  }
}
