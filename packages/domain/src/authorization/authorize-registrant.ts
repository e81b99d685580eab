import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { InvalidToken, MissingToken } from '../errors.js'
import { invalidToken, missingToken } from '../errors.js'
import type { InitialAccessToken } from './initial-access-token.js'
import type { PresentedCredential } from './presented-credential.js'
import type { Privileges } from './privileges.js'
import { allPrivileges, grantPrivilege, noPrivileges, union } from './privileges.js'
import type { TokenHash } from './token-hash.js'
import { onlyValues } from './value-set.js'

/** Open registration says what anybody may set; managed registration needs a token for every registration. */
export type RegistrationMode =
  { readonly kind: 'managed' } | { readonly kind: 'open'; readonly scope: ReadonlyArray<string> }

/** Who registers: what they hold, which token the registration spends, and whether a token could help them to more. */
export type Registrant = {
  readonly held: Privileges
  readonly spending: O.Option<TokenHash>
  readonly anonymous: boolean
}

export const openPrivileges = (mode: RegistrationMode): Privileges =>
  mode.kind === 'managed'
    ? noPrivileges
    : union(grantPrivilege('authorization_code', 'implicit', 'refresh_token'), {
        ...noPrivileges,
        scope: onlyValues(mode.scope),
      })

const nobody = (mode: RegistrationMode): E.Either<MissingToken, Registrant> =>
  mode.kind === 'managed'
    ? E.left(missingToken)
    : E.right({ held: openPrivileges(mode), spending: O.none, anonymous: true })

const isInForce =
  (now: EpochSeconds) =>
  (token: InitialAccessToken): boolean =>
    !token.spent && now < token.expires_at

// A token adds to what open registration gives to anybody, it never takes away; and an invalid one is never silently nobody.
export const authorizeRegistrant =
  (mode: RegistrationMode, now: EpochSeconds) =>
  (
    credential: PresentedCredential,
    found: O.Option<InitialAccessToken>,
  ): E.Either<MissingToken | InvalidToken, Registrant> => {
    switch (credential.kind) {
      case 'none':
        return nobody(mode)
      case 'unusable':
        return E.left(invalidToken)
      case 'master':
        return E.right({ held: allPrivileges, spending: O.none, anonymous: false })
      case 'token':
        return pipe(
          found,
          O.filter((token) => token.hash === credential.hash && isInForce(now)(token)),
          O.match(
            () => E.left(invalidToken),
            (token) =>
              E.right({
                held: union(openPrivileges(mode), token.privileges),
                spending: O.some(token.hash),
                anonymous: false,
              }),
          ),
        )
    }
  }
