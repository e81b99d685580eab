import type { ManagementPrivilege, Operator } from '@clientele/domain/authorization'
import { type InvalidRequest, type Refusal, type Unavailable, invalidRequest } from '@clientele/domain/kernel'
import { type Caller, type IdentifyOperatorPorts, identifyOperator } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { errorResponse } from './error-response.js'
import { byCaller } from './actor.js'
import type { HttpRequest } from './request.js'
import type { Actor, HttpResponse } from './response.js'

type Response = HttpResponse | Promise<HttpResponse>

/** A handler has no error channel: every refusal is a response. */
export type Handler = (request: HttpRequest) => Response

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
