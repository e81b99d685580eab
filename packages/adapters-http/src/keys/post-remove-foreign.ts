import type { Refusal } from '@clientele/domain/kernel'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import { requiredTextMember } from '../http/text-member.js'
import type { KeyPorts } from '../ports.js'

const kidIn = requiredTextMember('kid', 'The body must be a JSON object with the string kid')

export const postRemoveForeign =
  ({ management }: KeyPorts): OperatorHandler<'keys'> =>
  (request, operator) =>
    answer(
      pipe(
        TE.fromEither<Refusal, string>(kidIn(request.body)),
        TE.flatMap(management(operator, request).removeForeignKey),
      ),
      okResponse,
    )
