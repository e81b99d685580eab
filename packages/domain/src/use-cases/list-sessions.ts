import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Operator } from '../authorization/operator.js'
import type { Unavailable } from '../errors.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import { type EndUserSession, isLive } from '../sessions/end-user-session.js'

export type ListSessionsRequest = { readonly operator: Operator<'sessions'>; readonly sub: string }

/** The sessions of an end-user that are not over. */
export const listSessions =
  (ports: Pick<EndUserSessions, 'listSessions'> & Pick<CredentialGenerator, 'now'>) =>
  ({ sub }: ListSessionsRequest): TE.TaskEither<Unavailable, ReadonlyArray<EndUserSession>> =>
    pipe(
      ports.listSessions(sub),
      TE.map((sessions) => sessions.filter(isLive(ports.now()))),
    )
