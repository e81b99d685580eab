import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isInForce } from '../../authorization/authorize-registrant.js'
import { type Operator, type OperatorRefusal, authorizeOperator } from '../../authorization/operator.js'
import type { PresentedCredential, TokenHash } from '../../authorization/credential.js'
import type { Unavailable } from '../../errors.js'
import type { ClientRegistry } from '../../ports/client-registry.js'
import type { CredentialGenerator } from '../../ports/credential-generator.js'
import type { InitialAccessTokens } from '../../ports/initial-access-tokens.js'

export type RequireOperatorPorts = Pick<ClientRegistry, 'isRegistrationAccessToken'> &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  Pick<CredentialGenerator, 'now'>

const countsElsewhere =
  (ports: RequireOperatorPorts) =>
  (token: TokenHash): TE.TaskEither<Unavailable, boolean> =>
    pipe(
      ports.findInitialAccessToken(token),
      TE.map(O.exists(isInForce(ports.now()))),
      TE.flatMap((isInitial) => (isInitial ? TE.right(true) : ports.isRegistrationAccessToken(token))),
    )

/** The operator, authorized by the master token. */
export const requireOperator =
  (ports: RequireOperatorPorts) =>
  (credential: PresentedCredential): TE.TaskEither<OperatorRefusal | Unavailable, Operator> =>
    credential.kind === 'token'
      ? pipe(
          countsElsewhere(ports)(credential.hash),
          TE.flatMapEither((counts) => authorizeOperator(credential, counts)),
        )
      : TE.fromEither(authorizeOperator(credential, false))
