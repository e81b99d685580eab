import type { Refusal } from '@clientele/domain'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { errorResponse } from './error-response.js'
import type { HttpRequest } from './request.js'
import type { HttpResponse } from './response.js'
import { notStored } from './response.js'

/** There is no error channel: every refusal is a response. */
export type Handler = (request: HttpRequest) => T.Task<HttpResponse>

/** Runs an operation and answers with its result or its refusal; neither is to be stored. */
export const answer = <Result>(
  operation: TE.TaskEither<Refusal, Result>,
  encode: (result: Result) => HttpResponse,
): T.Task<HttpResponse> =>
  pipe(
    operation,
    TE.match(
      (refusal) => notStored(errorResponse(refusal)),
      (result) => notStored(encode(result)),
    ),
  )
