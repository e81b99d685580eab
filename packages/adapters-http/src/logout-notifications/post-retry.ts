import type { Refusal } from '@clientele/domain/kernel'
import type { ByRequest, NotificationManagement } from '@clientele/domain/operations'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import { textMember } from '../http/text-member.js'

const idIn = textMember('id', 'The body must be a JSON object with the string id, or empty')

/** Makes one failed notification, or all of them, due now. */
export const postRetry =
  (notifications: ByRequest<'deliveries', NotificationManagement>): OperatorHandler<'deliveries'> =>
  (request, operator) =>
    answer(
      pipe(
        TE.fromEither<Refusal, string | undefined>(idIn(request.body)),
        TE.flatMap((id) => notifications(operator, request).retry(O.fromNullable(id))),
      ),
      okResponse,
    )
