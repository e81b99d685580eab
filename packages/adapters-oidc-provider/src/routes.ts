// The endpoints of the engine, below the base URL.

/** The names of the engine for its routes, and their paths. */
export const endpoints = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  introspection: '/introspect',
  revocation: '/revoke',
  pushed_authorization_request: '/par',
} as const

/** Routes that the engine always has, and that this service never serves. */
export const unservedEndpoints = { jwks: '/unserved/jwks', end_session: '/unserved/end-session' } as const

/** The first segments of paths that belong to the engine or to its pages. */
export const enginePaths: ReadonlyArray<string> = [
  ...Object.values(endpoints).map((path) => path.slice(1)),
  'interaction',
]

/** The page of an interaction. */
export const interactionPath = (id: string): string => `/interaction/${id}`

const served: ReadonlyArray<string> = Object.values(endpoints)
const resumed = /^\/authorize\/[A-Za-z0-9_-]{1,128}$/

const methods: Readonly<Record<string, ReadonlyArray<string>>> = {
  [endpoints.authorization]: ['GET', 'HEAD', 'POST'],
  [endpoints.userinfo]: ['GET', 'HEAD', 'POST'],
}

/** The methods of a route of `routeOf`, beside those of a preflight request. */
export const methodsOf = (route: string): ReadonlyArray<string> =>
  methods[route] ?? (served.includes(route) ? ['POST'] : ['GET', 'HEAD'])

/** The pattern of the route with this path below the base URL; undefined for paths of others. */
export const routeOf = (path: string): string | undefined => {
  if (served.includes(path)) return path
  return resumed.test(path) ? `${endpoints.authorization}/:id` : undefined
}
