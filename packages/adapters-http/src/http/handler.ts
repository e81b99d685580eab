// Handlers: who may call them, what they answer, and what the log entry says of both.
import {
  type ManagementPrivilege,
  type Operator,
  type PresentedCredential,
  fingerprintOf,
} from '@clientele/domain/authorization'
import { type InvalidRequest, type Refusal, type Unavailable, invalidRequest } from '@clientele/domain/kernel'
import { type Caller, type IdentifyOperatorPorts, identifyOperator } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { errorResponse } from './error-response.js'
import type { HttpRequest } from './request.js'
import type { Actor, HttpResponse } from './response.js'
import { refusalStatuses } from './statuses.js'

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

/** The response with who called; a token that opens nothing has the kind `token`. */
export const byCaller = (
  response: HttpResponse,
  { by, credential }: Pick<Caller<never, unknown>, 'by' | 'credential'>,
  kindOfToken: Actor['kind'] = 'token',
): HttpResponse => {
  const actor = actorOf(credential)
  if (actor === undefined) return response
  const isOpened = by === 'token' && response.status !== refusalStatuses.invalid_token
  return Object.assign({}, response, { actor: isOpened ? { ...actor, kind: kindOfToken } : actor })
}

/** The response with the client that it is about. */
export const aboutClient = (response: HttpResponse, client_id: string): HttpResponse =>
  Object.assign({}, response, { client_id })

const beforeItIsFound: ReadonlySet<number> = new Set([
  refusalStatuses.missing_token,
  refusalStatuses.unknown_client,
  refusalStatuses.unavailable,
])

/** Whether an answer of the route of a client shows that it exists: a privilege that is missing says nothing of it. */
export const isFound = ({ status, actor }: HttpResponse): boolean =>
  !beforeItIsFound.has(status) &&
  (status !== refusalStatuses.insufficient_scope || actor?.kind === 'registration_access_token')

type Response = HttpResponse | Promise<HttpResponse>

/** A handler has no error channel: every refusal is a response. */
export type Handler = (request: HttpRequest) => Response

/** A handler that reads no credential and no body, and whose answers are the same values while nothing changes. */
export type PublishedHandler = (request: Pick<HttpRequest, 'headers'>) => HttpResponse

/** A handler for an operator with these privileges. */
export type OperatorHandler<Needed extends ManagementPrivilege> = (
  request: HttpRequest,
  operator: Operator<Needed>,
) => Response

/** Finds out who calls, once, before the handler, and tells it to the log. */
export const forCaller =
  <Called extends Pick<Caller<never, unknown>, 'by' | 'credential'>>(
    kindOfToken: Actor['kind'],
    identified: (request: HttpRequest) => TE.TaskEither<Unavailable, Called>,
    handler: (request: HttpRequest, caller: Called) => Response,
  ): Handler =>
  async (request) => {
    const caller = await identified(request)()
    if (E.isLeft(caller)) return errorResponse(caller.left)
    return byCaller(await handler(request, caller.right), caller.right, kindOfToken)
  }

/** Authorizes the operator of a route before the handler reads the request: 401 or 403 for all other callers. */
export const forOperator = (ports: IdentifyOperatorPorts) => {
  const identifying = identifyOperator(ports)
  return <Needed extends ManagementPrivilege>(
    needed: ReadonlyArray<Needed>,
    handler: OperatorHandler<Needed>,
  ): Handler => {
    const identified = identifying(needed)
    return forCaller(
      'token',
      ({ credential }) => identified(credential),
      (request, { operator }) => (E.isLeft(operator) ? errorResponse(operator.left) : handler(request, operator.right)),
    )
  }
}

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

/** Whether the request is a dry run; a value other than true or false is a fault of the request. */
export const dryRun = ({
  query,
  body,
}: HttpRequest): { readonly dry: boolean; readonly body: E.Either<InvalidRequest, unknown> } => {
  const [value = 'false', ...more] = query['dry_run'] ?? []
  if (more.length > 0 || !['true', 'false'].includes(value))
    return { dry: true, body: E.left(invalidRequest('dry_run must be true or false, and stand once')) }
  return { dry: value === 'true', body }
}
