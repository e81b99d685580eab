// The routes as an OpenAPI 3.1 document: what a declaration says is taken from it, the rest from the table of operations.
import type { JsonObject } from '@clientele/domain/kernel'
import type { BodyFormat } from '../http/request.js'
import type { HttpSettings } from '../settings.js'
import { type Operation, groups, operations } from './operations.js'
import { type Schema, named, schemas } from './schemas.js'

/** What the declaration of a route says. */
export type DeclaredRoute = {
  readonly method: string
  /** With its parameter as :id. */
  readonly path: string
  readonly takes: BodyFormat
  readonly runsDry: false | 'query' | 'body'
  readonly needs?: ReadonlyArray<string>
}

const written = (path: string): string => path.replaceAll('\\', '').replace(/:(\w+)/g, '{$1}')

/** The name of an operation in the table: its method and path below the base URL, with the default path of the logout. */
export const operationName = (
  { basePath, logout }: HttpSettings,
  { method, path }: Pick<DeclaredRoute, 'method' | 'path'>,
): string => {
  const below = written(path).replace(basePath, '')
  const own = logout.path === undefined ? [] : [logout.path, `${logout.path}/confirm`]
  return `${method} ${own.includes(below) ? below.replace(logout.path ?? '', '/logout') : below}`
}

/** The id of an operation in addresses and in generated clients. */
export const operationId = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** What OpenAPI calls an operation, with what its page shows. */
export type Described = {
  readonly id: string
  readonly name: string
  readonly method: string
  /** After the address of its server. */
  readonly path: string
  /** The issuer, or its origin for what is outside of the base URL; a variable of the shell where only the management port has it. */
  readonly server: string
  readonly isPublic: boolean
  readonly operation: Operation
  readonly query: NonNullable<Operation['query']>
  readonly needs: ReadonlyArray<string>
  readonly takes: BodyFormat
  readonly statuses: ReadonlyArray<number>
}

const dry = { dry_run: 'true, for what would happen; false without it' }

const withContent = ['POST', 'PUT', 'PATCH']

const statusesOf = ({ needs, method }: DeclaredRoute, { answers, refusals = [] }: Operation): ReadonlyArray<number> => {
  const own = [...Object.keys(answers).map(Number), ...refusals]
  const ofCaller = needs === undefined ? [] : [401, 403, 429]
  const ofDryRun = needs === undefined || method === 'GET' ? [] : [400]
  const ofBody = withContent.includes(method) ? [413, 415] : []
  return [...new Set([...own, ...ofCaller, ...ofDryRun, ...ofBody, 500, 503])].sort((one, other) => one - other)
}

/** The routes that are described, each once, in the order of their groups; the others are on the management port alone. */
export const describeRoutes = (
  settings: HttpSettings,
  routes: ReadonlyArray<DeclaredRoute>,
  others: ReadonlyArray<DeclaredRoute> = [],
): ReadonlyArray<Described> => {
  const { basePath, registration } = settings
  const { origin } = new URL(registration.issuer)
  const found = new Map<string, Described>()
  for (const route of [...routes, ...others]) {
    const known = operationName(settings, route)
    const operation = operations[known]
    if (operation === undefined || found.has(known)) continue
    const { method } = route
    const whole = written(route.path)
    const isBelow = whole.startsWith(`${basePath}/`)
    const path = isBelow ? whole.slice(basePath.length) : whole
    const isPublic = routes.includes(route)
    const server = isPublic ? (isBelow ? registration.issuer : origin) : `$MANAGEMENT${isBelow ? basePath : ''}`
    const statuses = statusesOf(route, operation)
    const { needs = [], takes, runsDry } = route
    const query = { ...(runsDry === 'query' ? dry : {}), ...operation.query }
    found.set(known, {
      id: operationId(known),
      name: `${method} ${path}`,
      method,
      path,
      server,
      isPublic,
      operation,
      query,
      needs,
      takes,
      statuses,
    })
  }
  const all = [...found.values()]
  return groups.flatMap((group) => all.filter(({ operation }) => operation.group === group))
}

export const statusTexts: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Made',
  204: 'Done; the answer has no content',
  303: 'The browser goes on to another page',
  304: 'The requester has the present text already',
  400: 'The request has faults, which the answer tells',
  401: 'There is no token, or it is not valid',
  403: 'The token permits too little, or the registry is full',
  404: "There is none; to a client without an operator's token, the answer is 401",
  405: 'The address takes another method',
  409: 'The request contradicts what is stored',
  412: 'The client is in another version than If-Match names',
  413: 'The body is larger than 65536 bytes',
  415: 'The body has a Content-Encoding',
  422: 'Another body was sent with this Idempotency-Key',
  428: 'The request must name a version by If-Match',
  429: 'Too many requests: repeat it after the seconds of Retry-After',
  500: 'An unexpected error; the answer has no content',
  503: 'The store cannot answer now; the answer has content only where a part was done',
}

// These answers are for programs that know the status, and have no body.
const empty = [204, 303, 304, 500]

const contentOf = (status: number, { answers }: Operation): JsonObject | undefined => {
  const answer = answers[status]
  if (answer === 'page') return { 'text/html': { schema: { type: 'string' } } }
  if (answer === 'text') return { 'text/plain': { schema: { type: 'string' } } }
  if (answer !== undefined) return { 'application/json': { schema: answer } }
  const isEmpty = empty.includes(status) || Object.hasOwn(answers, status) || status === 503
  return isEmpty ? undefined : { 'application/json': { schema: named('Refusal') } }
}

const responseOf = (status: number, operation: Operation): JsonObject => {
  const content = contentOf(status, operation)
  return { description: statusTexts[status] ?? '', ...(content === undefined ? {} : { content }) }
}

const parameter = (within: string, name: string, description: string): JsonObject => ({
  name,
  in: within,
  description,
  required: within === 'path',
  schema: { type: 'string' },
})

export const headerTexts = {
  'If-Match': 'the ETag of the version that the request changes',
  'Idempotency-Key': 'a key of the requester, with which the same request may be repeated',
} as const

const pathTexts: Readonly<Record<string, string>> = { id: 'what the operation is about', sid: 'the sid of the session' }

const parametersOf = ({ path, query, operation: { headers = [] } }: Described): ReadonlyArray<JsonObject> => [
  ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter('path', name, pathTexts[name] ?? '')),
  ...Object.entries(query).map(([name, description]) => parameter('query', name, description)),
  ...headers.map((name) => parameter('header', name, headerTexts[name])),
]

export const mediaTypes: Readonly<Record<BodyFormat, string>> = {
  json: 'application/json',
  'json-or-jwt': 'application/json',
  'lenient-json-or-jwt': 'application/json',
  'merge-patch': 'application/merge-patch+json',
  form: 'application/x-www-form-urlencoded',
}

const bodyOf = ({ takes, operation: { body } }: Described): JsonObject =>
  body === undefined
    ? {}
    : {
        requestBody: {
          required: true,
          content: { [mediaTypes[takes]]: { schema: body.schema, example: body.example as Schema } },
        },
      }

const securityOf = (
  { registration: { mode } }: HttpSettings,
  { needs, operation: { token } }: Described,
): ReadonlyArray<JsonObject> => [
  ...(needs.length === 0 ? [] : [{ operator: needs }]),
  ...(token === undefined ? [] : [{ [token]: [] }]),
  ...(token === 'initial_access_token' && mode.kind === 'open' ? [{}] : []),
]

const securitySchemes: JsonObject = {
  operator: {
    type: 'http',
    scheme: 'bearer',
    description: 'The master token, or an operator token with the privileges that the operation names',
  },
  initial_access_token: { type: 'http', scheme: 'bearer', description: 'Registers one client (RFC 7591 §3)' },
  registration_access_token: { type: 'http', scheme: 'bearer', description: 'That of the client (RFC 7592 §1.2)' },
}

const privileges = (needs: ReadonlyArray<string>): string =>
  needs.length === 0 ? '' : `An operator needs ${needs.join(' and ')}.`

/** Where the operation is not below the issuer. The address of the management port is for the operators to know. */
const serversOf = (issuer: string, { server, isPublic }: Described): JsonObject => {
  if (isPublic) return server === issuer ? {} : { servers: [{ url: server }] }
  const description = 'The address of the management port, which alone answers it'
  const variables = { management: { default: 'http://127.0.0.1:9090', description } }
  return { servers: [{ url: server.replace('$MANAGEMENT', '{management}'), variables }] }
}

const operationOf = (settings: HttpSettings, described: Described): JsonObject => {
  const { id, operation, needs, statuses } = described
  return {
    operationId: id,
    tags: [operation.group],
    summary: operation.summary,
    description: privileges(needs),
    parameters: parametersOf(described),
    ...bodyOf(described),
    responses: Object.fromEntries(statuses.map((status) => [status, responseOf(status, operation)])),
    security: securityOf(settings, described),
    ...serversOf(settings.registration.issuer, described),
  }
}

/** The document. The version is that of the interface, and not of the program. */
export const openApi = (settings: HttpSettings, all: ReadonlyArray<Described>): JsonObject => {
  const paths = new Map<string, JsonObject>()
  for (const described of all) {
    const { path, method } = described
    paths.set(path, { ...paths.get(path), [method.toLowerCase()]: operationOf(settings, described) })
  }
  return {
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Client registration, keys and logout of an OpenID provider',
      version: '1',
      description:
        'What operators ask stands on the management port, where there is one. The metadata of the provider name the endpoints of its authorization server, which are not described here. Answers may have more members than their schemas, and requests with unknown members are taken, unless an operation says otherwise.',
    },
    servers: [{ url: settings.registration.issuer }],
    tags: groups.map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: { schemas, securitySchemes },
  }
}
