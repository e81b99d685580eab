import type { Refusal } from '@clientele/domain/kernel'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, dryRun, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { KeyPorts } from '../ports.js'
import { requiredTextMember } from '../http/text-member.js'

const kidIn = requiredTextMember('kid', 'The body must be a JSON object with the string kid')

export const postCompromise =
  ({ management }: KeyPorts): OperatorHandler<'keys'> =>
  (request, operator) => {
    const { dry, body } = dryRun(request)
    return answer(
      pipe(
        TE.fromEither<Refusal, string>(kidIn(body)),
        TE.flatMap((kid) => management(operator, request).revoke({ kid, dryRun: dry })),
      ),
      okResponse,
    )
  }
