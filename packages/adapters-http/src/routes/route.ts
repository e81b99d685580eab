// A route: its declaration, who may call its handler, and what the log entry says of both.
import {
  type ManagementPrivilege,
  type ManagementPrivileges,
  type Operator,
  type PresentedCredential,
  fingerprintOf,
} from '@clientele/domain/authorization'
import { type InvalidRequest, type Refusal, type Unavailable, invalidRequest } from '@clientele/domain/kernel'
import { type Caller, type IdentifyOperatorPorts, identifyOperator } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pathToRegexp } from 'path-to-regexp'
import { type BodyFormat, type HttpRequest, flagIn } from '../http/request.js'
import { type Actor, type HttpResponse, errorResponse } from '../http/response.js'
import type { HttpPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { refusalStatuses } from '../statuses.js'

type Response = HttpResponse | Promise<HttpResponse>

/** A handler has no error channel: every refusal is a response. */
export type Handler = (request: HttpRequest) => Response

/** A handler that reads no credential and no body, and whose answers are the same values while nothing changes. */
export type PublishedHandler = (request: Pick<HttpRequest, 'headers'>) => HttpResponse

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
  /** Where dry_run stands, by which it only says what would happen; false if nowhere. */
  readonly runsDry: false | 'query' | 'body'
  /** What an operator needs for it: all of these. Clients request those of `/clients` with their own tokens as well. */
  readonly needs?: ManagementPrivileges
}

/** Escapes the characters of a path that a pattern would interpret. */
export const escapePattern = (path: string): string => path.replace(/[\\{}()[\]+?!:*]/g, '\\$&')

export const baseOf = ({ basePath }: HttpSettings): string => escapePattern(basePath)

type Declared = Partial<Pick<Route, 'origins' | 'takes' | 'needs' | 'runsDry'>>

/** A route for JSON, whose answers no page of another origin reads, unless it is declared otherwise. */
export const route = (method: Route['method'], path: string, handler: Handler, declared: Declared = {}): Route => ({
  method,
  path,
  handler,
  origins: 'none',
  stored: false,
  ofClient: path.includes('/clients/:id'),
  takes: 'json',
  runsDry: false,
  ...declared,
})

/** The route of a published document. */
export const publication = (path: string, published: PublishedHandler, origins: Route['origins']): Route => ({
  ...route('GET', path, published, { origins }),
  stored: true,
  published,
})

export const isLiteral = ({ path }: Route): boolean => escapePattern(path) === path

/** A path without a parameter comes before the patterns that match it as well. */
export const literalFirst = (routes: ReadonlyArray<Route>): ReadonlyArray<Route> =>
  [...routes].sort((one, other) => Number(isLiteral(other)) - Number(isLiteral(one)))

/** RFC 9110 §9.3.2: every route for GET answers HEAD. */
export const methodsOf = ({ method }: Route): ReadonlyArray<string> => (method === 'GET' ? ['GET', 'HEAD'] : [method])

const regexpOf = ({ path }: Route): RegExp => pathToRegexp(path, { sensitive: true, trailing: false }).regexp

export type FoundRoute = {
  readonly route: Route
  /** The value of the parameter of the path, percent-decoded; empty where the path has none. */
  readonly id: string
}

/** The parameter of a path. A text that cannot be decoded, or has U+0000, which a store may refuse, stays as it is, because it is no valid id. */
export const idIn = (captured: string | undefined): string => {
  if (captured === undefined) return ''
  try {
    const whole = decodeURIComponent(captured)
    return whole.includes('\u0000') ? captured : whole
  } catch {
    return captured
  }
}

/** The route for a percent-encoded path; the first one where there are several. */
export const createFind = (routes: ReadonlyArray<Route>) => {
  const patterns = literalFirst(routes).map((route) => ({ route, methods: methodsOf(route), regexp: regexpOf(route) }))
  return (method: string, path: string): FoundRoute | undefined => {
    for (const { route, methods, regexp } of patterns) {
      const match = methods.includes(method) ? regexp.exec(path) : null
      if (match !== null) return { route, id: idIn(match[1]) }
    }
    return undefined
  }
}

/** All routes of a path, for any method. */
export const createRoutesAt = (routes: ReadonlyArray<Route>): ((path: string) => ReadonlyArray<Route>) => {
  const patterns = routes.map((route) => ({ route, regexp: regexpOf(route) }))
  return (path) => patterns.filter(({ regexp }) => regexp.test(path)).map(({ route }) => route)
}

/** The actor of a presented credential; undefined where there is none that could be one. */
const actorOf = (credential: PresentedCredential): Actor | undefined => {
  switch (credential.kind) {
    case 'none':
    case 'unusable':
      return undefined
    case 'store':
      return { kind: 'store' }
    case 'master':
      return credential.hash === undefined
        ? { kind: 'master' }
        : { kind: 'master', fingerprint: fingerprintOf(credential.hash) }
    case 'operator_token':
    case 'token':
      return { kind: credential.kind, fingerprint: fingerprintOf(credential.hash) }
  }
}

type Calling = Pick<Caller<never, unknown>, 'by' | 'credential'>

/** The response with who called; a token that opens nothing has the kind `token`. */
export const byCaller = (
  response: HttpResponse,
  { by, credential }: Calling,
  kindOfToken: Actor['kind'] = 'token',
): HttpResponse => {
  const actor = actorOf(credential)
  if (actor === undefined) return response
  const isOpened = by === 'token' && response.status !== refusalStatuses.invalid_token
  return Object.assign({}, response, { actor: isOpened ? { ...actor, kind: kindOfToken } : actor })
}

/** Finds out who calls, once, before the handler, and tells it to the log. */
export const forCaller =
  <Called extends Calling>(
    kindOfToken: Actor['kind'],
    identified: (request: HttpRequest) => TE.TaskEither<Unavailable, Called>,
    handler: (request: HttpRequest, caller: Called) => Response,
  ): Handler =>
  async (request) => {
    const caller = await identified(request)()
    if (E.isLeft(caller)) return errorResponse(caller.left)
    return byCaller(await handler(request, caller.right), caller.right, kindOfToken)
  }

const dryRunName = /^dry[-_]?run$/i

/** Whether the request is a dry run. */
export const dryRun = ({
  query,
  body,
}: HttpRequest): { readonly dry: boolean; readonly body: E.Either<InvalidRequest, unknown> } => {
  // Whoever misspells it would register in earnest.
  const misspelt = Object.keys(query).some((name) => name !== 'dry_run' && dryRunName.test(name))
  if (misspelt) return { dry: true, body: E.left(invalidRequest('The query parameter of a dry run is dry_run')) }
  const dry = flagIn(query, 'dry_run')
  return E.isLeft(dry) ? { dry: true, body: dry } : { dry: dry.right, body }
}

/** Whoever asks for a dry run in the query, in any spelling, must not get the change itself. */
export const noDryRun = (runsDry: Exclude<Route['runsDry'], 'query'>): InvalidRequest => {
  const remedy = runsDry === 'body' ? 'put it into the body, as true' : 'leave it out to make the change'
  return invalidRequest(`This request takes no query parameter dry_run, and nothing was done: ${remedy}`)
}

/** A handler for an operator with these privileges. */
export type OperatorHandler<Needed extends ManagementPrivilege> = (
  request: HttpRequest,
  operator: Operator<Needed>,
) => Response

/** Makes routes of operators below a base: all other callers are answered 401 or 403 before the handler reads the request. */
export const operatedBelow = (base: string, ports: IdentifyOperatorPorts) => {
  const identifying = identifyOperator(ports)
  return <Needed extends ManagementPrivilege>(
    method: Route['method'],
    path: string,
    needs: ReadonlyArray<Needed>,
    handler: OperatorHandler<NoInfer<Needed>>,
    declared: Declared = {},
  ): Route => {
    const identified = identifying(needs)
    const authorized = forCaller(
      'token',
      ({ credential }) => identified(credential),
      (request, { operator }) => {
        if (E.isLeft(operator)) return errorResponse(operator.left)
        const { runsDry = false } = declared
        const isDone = method === 'GET' || runsDry === 'query' || !dryRun(request).dry
        return isDone ? handler(request, operator.right) : errorResponse(noDryRun(runsDry))
      },
    )
    return route(method, `${base}${path}`, authorized, { needs, ...declared })
  }
}

export type Operated = ReturnType<typeof operatedBelow>

/** The routes of a family, by its ports. */
export type Family<Name extends keyof HttpPorts> = (
  settings: HttpSettings,
  ports: Required<HttpPorts>[Name],
  operated: Operated,
) => ReadonlyArray<Route>

/** Runs an operation, and answers with its result or its refusal. */
export const answer = <Result>(
  operation: TE.TaskEither<Refusal, Result>,
  encode: (result: Result) => HttpResponse,
): Promise<HttpResponse> =>
  operation().then((outcome) => (E.isLeft(outcome) ? errorResponse(outcome.left) : encode(outcome.right)))

/** The same for an operation on what the request says; its fault is the answer where it says nothing of use. */
export const answerFor = <Said, Result>(
  said: E.Either<Refusal, Said>,
  operation: (said: Said) => TE.TaskEither<Refusal, Result>,
  encode: (result: Result) => HttpResponse,
): Response => (E.isLeft(said) ? errorResponse(said.left) : answer(operation(said.right), encode))
