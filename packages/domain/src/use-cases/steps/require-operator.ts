import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isInForce } from '../../authorization/authorize-registrant.js'
import type { PresentedCredential, TokenHash } from '../../authorization/credential.js'
import type { ManagementPrivilege } from '../../authorization/management-privileges.js'
import { type Operator, type OperatorRefusal, authorizeOperator } from '../../authorization/operator.js'
import type { Unavailable } from '../../errors.js'
import type { ClientRegistry } from '../../ports/client-registry.js'
import type { InitialAccessTokens } from '../../ports/initial-access-tokens.js'
import {
  type Recognized,
  type RecognizeOperatorPorts,
  identityOf,
  recognizeOperatorToken,
} from './recognize-operator.js'

export type RequireOperatorPorts = Pick<ClientRegistry, 'isRegistrationAccessToken'> &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  RecognizeOperatorPorts

const countsElsewhere =
  (ports: RequireOperatorPorts) =>
  (token: TokenHash): TE.TaskEither<Unavailable, boolean> =>
    pipe(
      ports.findInitialAccessToken(token),
      TE.map(O.exists(isInForce(ports.now()))),
      TE.flatMap((isInitial) => (isInitial ? TE.right(true) : ports.isRegistrationAccessToken(token))),
    )

/**
 * The operator with the privileges, authorized by the master token or by an operator token. `recognized` is called for an
 * operator token in force, whatever it permits.
 */
export const requireOperator = (ports: RequireOperatorPorts) => {
  const recognize = recognizeOperatorToken(ports)
  const counts = countsElsewhere(ports)
  return <Needed extends ManagementPrivilege>(needed: ReadonlyArray<Needed>) =>
    (
      credential: PresentedCredential,
      recognized?: Recognized,
    ): TE.TaskEither<OperatorRefusal | Unavailable, Operator<Needed>> =>
      credential.kind === 'token'
        ? pipe(
            recognize(credential.hash),
            TE.flatMap(
              O.match(
                () =>
                  pipe(
                    counts(credential.hash),
                    TE.flatMapEither((elsewhere) => authorizeOperator(credential, elsewhere, needed)),
                  ),
                (found) =>
                  pipe(
                    TE.fromIO(() => recognized?.(identityOf(found))),
                    TE.flatMapEither(() => authorizeOperator(found, false, needed)),
                  ),
              ),
            ),
          )
        : TE.fromEither(authorizeOperator(credential, false, needed))
}
