// What the registrant of an open registration changes: docs/abuse.md.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { sourceOf } from '../../abuse/source.js'
import { type PresentedCredential, isOperators } from '../../authorization/credential.js'
import { type TooManyRequests, tooManyRequests } from '../../errors.js'
import { isOpenClient } from '../../life-cycle/client-state.js'
import type { BudgetConsumption } from '../../ports/budget-consumption.js'
import type { RegisteredClient } from '../../registration/registered-client.js'

/** Nobody vouches for a client of open registration: its registration access token is worth no more than a POST. */
export const consumeForRegistrant =
  ({ consumeBudget }: Partial<BudgetConsumption>) =>
  (
    credential: PresentedCredential,
    client: Pick<RegisteredClient, 'registered_by'>,
    remoteAddress: string | undefined,
  ): TE.TaskEither<TooManyRequests, void> =>
    consumeBudget === undefined || isOperators(credential) || !isOpenClient(client)
      ? TE.right(undefined)
      : pipe(consumeBudget('registrations', sourceOf(remoteAddress)), TE.mapLeft(tooManyRequests('registrations')))
