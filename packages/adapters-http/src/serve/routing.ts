// Which route a request has, in every shell.
import { pathToRegexp } from 'path-to-regexp'
import type { Handler } from '../http/handler.js'

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With one parameter at most. */
  readonly path: string
  readonly handler: Handler
  /** Whose pages may read the answer. */
  readonly origins: 'none' | 'listed' | 'any'
  /** What its body is, where it has one; a form that cannot be read still gets a page. */
  readonly takes: 'json' | 'form'
  /** Whether answers on this path may be stored; where not, none is, a refusal by the transport included. */
  readonly stored: boolean
}

export type FoundRoute = {
  readonly route: Route
  /** The value of the parameter of the path, percent-decoded; empty where the path has none. */
  readonly id: string
}

export type Routing = {
  /** The route for a path as it was sent, percent-encoded; the first one where there are several. */
  readonly find: (method: string, path: string) => FoundRoute | undefined
  /** All routes with this path, whatever their method. */
  readonly withPath: (path: string) => ReadonlyArray<Route>
}

/** A path that is no pattern, although some of its signs would be read as one. */
export const literally = (path: string): string => path.replace(/[\\{}()[\]+?!:*]/g, '\\$&')

const isLiteral = ({ path }: Route): boolean => literally(path) === path

/** RFC 9110 §9.3.2: whatever answers GET answers HEAD. */
export const methodsOf = ({ method }: Route): ReadonlyArray<string> => (method === 'GET' ? ['GET', 'HEAD'] : [method])

type Pattern = { readonly route: Route; readonly regexp: RegExp }

const patternOf = (route: Route): Pattern => ({
  route,
  regexp: pathToRegexp(route.path, { sensitive: true, trailing: false }).regexp,
})

// A text that cannot be decoded stands for itself: it is the identifier of nothing.
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Find = (path: string) => FoundRoute | undefined

// Most requests go to paths without a parameter, which need no pattern to be tried.
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
