import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { type InvalidToken, type MissingToken, invalidToken, missingToken } from '../errors.js'
import { type InitialAccessToken, isInForce } from './initial-access-token.js'
import type { PresentedCredential } from './presented-credential.js'
import { type Privileges, allPrivileges, grantPrivilege, intersection, noPrivileges, union } from './privileges.js'
import type { TokenHash } from './token-hash.js'
import { onlyValues } from './value-set.js'

/** Open registration says what anybody may set; managed registration needs a token for every registration. */
export type RegistrationMode =
  { readonly kind: 'managed' } | { readonly kind: 'open'; readonly scope: ReadonlyArray<string> }

/** On whose word a client is registered: on nobody's, a token's or the operator's. */
export const RegisteredBy = t.keyof({ nobody: null, token: null, master: null }, 'RegisteredBy')
export type RegisteredBy = t.TypeOf<typeof RegisteredBy>

/** The most that may be held: without a token, and with one. MASTER has no ceiling. */
export type Ceilings = { readonly open: Privileges; readonly managed: Privileges }

/** Who registers: what they hold, which token the registration spends, and on whose word. */
export type Registrant = {
  readonly held: Privileges
  readonly spending: O.Option<TokenHash>
  readonly by: RegisteredBy
}

export const openPrivileges = (mode: RegistrationMode): Privileges =>
  mode.kind === 'managed'
    ? noPrivileges
    : union(grantPrivilege('authorization_code', 'implicit', 'refresh_token'), {
        ...noPrivileges,
        scope: onlyValues(mode.scope),
      })

/** What a registration may have: what open registration gives to anybody, and what a token gives, each under its ceiling. */
const underCeilings = (mode: RegistrationMode, ceilings: Ceilings, given: Privileges): Privileges =>
  union(intersection(ceilings.open, openPrivileges(mode)), intersection(ceilings.managed, given))

const nobody = (mode: RegistrationMode, ceilings: Ceilings): E.Either<MissingToken, Registrant> =>
  mode.kind === 'managed'
    ? E.left(missingToken)
    : E.right({ held: underCeilings(mode, ceilings, noPrivileges), spending: O.none, by: 'nobody' })

/** The most that a client may have by its own updates, registered on whose word it was. */
export const ceilingOf = (mode: RegistrationMode, ceilings: Ceilings, by: RegisteredBy): Privileges => {
  switch (by) {
    case 'master':
      return allPrivileges
    case 'token':
      return underCeilings(mode, ceilings, allPrivileges)
    case 'nobody':
      return ceilings.open
  }
}

/** What its own updates may add, of what was recorded: where nobody vouched for the client, what anybody may have today. */
export const addableBy = (mode: RegistrationMode): ((by: RegisteredBy, recorded: Privileges) => Privileges) => {
  const open = openPrivileges(mode)
  return (by, recorded) => (by === 'nobody' ? intersection(recorded, open) : recorded)
}

// A token adds to what open registration gives to anybody, it never takes away; and an invalid one is never silently nobody.
export const authorizeRegistrant = (
  mode: RegistrationMode,
  ceilings: Ceilings,
): ((
  credential: PresentedCredential,
  found: O.Option<InitialAccessToken>,
  now: EpochSeconds,
) => E.Either<MissingToken | InvalidToken, Registrant>) => {
  const anybody = nobody(mode, ceilings)
  return (credential, found, now) => {
    switch (credential.kind) {
      case 'none':
        return anybody
      case 'unusable':
        return E.left(invalidToken)
      case 'master':
        return E.right({ held: allPrivileges, spending: O.none, by: 'master' })
      case 'token':
        return pipe(
          found,
          O.filter((token) => token.hash === credential.hash && isInForce(now)(token)),
          O.match(
            () => E.left(invalidToken),
            (token) =>
              E.right({
                held: underCeilings(mode, ceilings, token.privileges),
                spending: O.some(token.hash),
                by: 'token',
              }),
          ),
        )
    }
  }
}
