import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { MasterRefusal } from '../../authorization/authorize-master.js'
import { authorizeMaster } from '../../authorization/authorize-master.js'
import { isInForce } from '../../authorization/initial-access-token.js'
import type { PresentedCredential } from '../../authorization/presented-credential.js'
import type { TokenHash } from '../../authorization/token-hash.js'
import type { Unavailable } from '../../errors.js'
import type { ClientRegistry } from '../../ports/client-registry.js'
import type { Fresh } from '../../ports/fresh.js'
import type { InitialAccessTokens } from '../../ports/initial-access-tokens.js'

export type RequireMasterPorts = Pick<ClientRegistry, 'isRegistrationAccessToken'> &
  Pick<InitialAccessTokens, 'findInitialAccessToken'> &
  Pick<Fresh, 'now'>

const countsElsewhere =
  (ports: RequireMasterPorts) =>
  (token: TokenHash): TE.TaskEither<Unavailable, boolean> =>
    pipe(
      ports.findInitialAccessToken(token),
      TE.map(O.exists(isInForce(ports.now()))),
      TE.flatMap((isInitial) => (isInitial ? TE.right(true) : ports.isRegistrationAccessToken(token))),
    )

/** Lets the master token alone go on. */
export const requireMaster =
  (ports: RequireMasterPorts) =>
  (credential: PresentedCredential): TE.TaskEither<MasterRefusal | Unavailable, void> =>
    credential.kind === 'token'
      ? pipe(
          countsElsewhere(ports)(credential.hash),
          TE.flatMapEither((counts) => authorizeMaster(credential, counts)),
        )
      : TE.fromEither(authorizeMaster(credential, false))
