// Where a request came in, as a label of metrics with few values.
import type { Door } from '@clientele/domain'

export type MetricDoor = Door | 'management' | 'none'

const endpoints: ReadonlyArray<readonly [RegExp, MetricDoor]> = [
  [/\/manage\/v1\//, 'management'],
  [/\/clients\/:id$/, 'configuration'],
  [/\/authorize(?:\/:id)?$/, 'authorize'],
  [/\/(?:token|userinfo|introspect|revoke|par)$/, 'token'],
  [/\/logout(?:\/confirm)?$/, 'logout'],
]

/** The door of a route, which is a pattern and ends with the path below the base URL. */
export const doorOf = (method: string, route: string): MetricDoor => {
  if (route === '(none)') return 'none'
  if (method === 'POST' && route.endsWith('/clients')) return 'registration'
  return endpoints.find(([pattern]) => pattern.test(route))?.[1] ?? 'management'
}
