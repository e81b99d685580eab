import type { Refusal } from '@clientele/domain/kernel'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, dryRun, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import { textMember } from '../http/text-member.js'
import type { KeyPorts } from '../ports.js'

const algIn = textMember('alg', 'The body must be a JSON object with the string alg, or empty')

export const postRollOver =
  ({ management }: KeyPorts): OperatorHandler<'keys'> =>
  (request, operator) => {
    const { dry, body } = dryRun(request)
    return answer(
      pipe(
        TE.fromEither<Refusal, string | undefined>(algIn(body)),
        TE.flatMap((alg) =>
          management(operator, request).rollOver({ ...(alg === undefined ? {} : { alg }), dryRun: dry }),
        ),
      ),
      okResponse,
    )
  }
