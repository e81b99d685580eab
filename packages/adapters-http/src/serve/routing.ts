// Which routes a path has: by the library, the version and the options of @koa/router, so that both shells find the same.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { pathToRegexp } from 'path-to-regexp'
import type { HttpRequest } from '../http/request.js'
import type { Route } from '../routes.js'

export type FoundRoute = { readonly route: Route; readonly params: HttpRequest['params'] }

export type Routing = {
  /** The route for a path as it was sent, percent-encoded; the first one where there are several. */
  readonly find: (method: string, path: string) => FoundRoute | undefined
  /** All routes with this path, whatever their method. */
  readonly withPath: (path: string) => ReadonlyArray<Route>
}

/** RFC 9110 §9.3.2: whatever answers GET answers HEAD. */
export const methodsOf = ({ method }: Route): ReadonlyArray<string> => (method === 'GET' ? ['GET', 'HEAD'] : [method])

// What cannot be decoded stands for itself: an identifier that nobody has.
const decoded = (text: string): string =>
  pipe(
    E.tryCatch(
      () => decodeURIComponent(text),
      () => text,
    ),
    E.toUnion,
  )

export const createRouting = (routes: ReadonlyArray<Route>): Routing => {
  const patterns = routes.map((route) => ({
    route,
    methods: methodsOf(route),
    ...pathToRegexp(route.path, { sensitive: true, trailing: false }),
  }))
  return {
    find: (method, path) => {
      const found = patterns.find(({ methods, regexp }) => methods.includes(method) && regexp.test(path))
      if (found === undefined) return undefined
      const [, ...values] = found.regexp.exec(path) ?? []
      return {
        route: found.route,
        params: Object.fromEntries(found.keys.map(({ name }, place) => [name, decoded(values[place] ?? '')])),
      }
    },
    withPath: (path) => patterns.filter(({ regexp }) => regexp.test(path)).map(({ route }) => route),
  }
}
