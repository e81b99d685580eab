import { endSession } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { noContent } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** Ends a session for the operator; the applications are notified. */
export const deleteSession = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'sessions'> => {
  const end = endSession(settings.logout.policy, ports)
  return ({ id, origin }, operator) =>
    answer(
      pipe(
        end({ operator, sid: id, origin }),
        TE.tapIO((written) => () => ports.sessionEnded(written)),
      ),
      noContent,
    )
}
