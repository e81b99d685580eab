import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ClientId, RegistrationId } from '../client/ids.js'
import {
  type InvalidToken,
  type MissingToken,
  invalidInitialAccessToken,
  missingToken,
  unusableToken,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { type PresentedCredential, type RegisteredBy, type TokenHash, permitsDelegation } from './credential.js'
import type { Issuer, Operator } from './operator.js'
import {
  type Privileges,
  allPrivileges,
  grantPrivilege,
  intersection,
  noPrivileges,
  onlyValues,
  union,
} from './privileges.js'

/**
 * RFC 7591 §1.2. The registration that consumes the token removes it, so that it registers at most one client. Only its
 * hash is stored.
 */
export type InitialAccessToken = {
  readonly hash: TokenHash
  readonly scope: string
  readonly privileges: Privileges
  readonly expires_at: EpochSeconds
  /** The registration of the client to which it was issued, if it was issued to one: it ends with it. */
  readonly owner?: { readonly client_id: ClientId; readonly registration_id: RegistrationId }
  /** The operator who issued it. */
  readonly issued_by?: Issuer
}

export const isInForce =
  (at: EpochSeconds) =>
  (token: InitialAccessToken): boolean =>
    at < token.expires_at

/** Open registration grants privileges without a token; managed registration needs a token for every registration. */
export type RegistrationMode =
  { readonly kind: 'managed' } | { readonly kind: 'open'; readonly scope: ReadonlyArray<string> }

/** The maximum privileges of a registrant without a token and with one. Operators have no ceiling. */
export type Ceilings = { readonly open: Privileges; readonly managed: Privileges }

/** The registrant: the privileges, the token that the registration consumes, and the authority. */
export type Registrant = {
  readonly granted: Privileges
  readonly consumedToken: O.Option<TokenHash>
  readonly by: RegisteredBy
  /** Whether an operator may not register clients that register others. */
  readonly withoutDelegation?: true
}

export const openPrivileges = (mode: RegistrationMode): Privileges =>
  mode.kind === 'managed'
    ? noPrivileges
    : union(grantPrivilege('authorization_code', 'implicit', 'refresh_token'), {
        ...noPrivileges,
        scope: onlyValues(mode.scope),
      })

/** The privileges of a registration: those of open registration and those of the token, each limited by its ceiling. */
const underCeilings = (mode: RegistrationMode, ceilings: Ceilings, given: Privileges): Privileges =>
  union(intersection(ceilings.open, openPrivileges(mode)), intersection(ceilings.managed, given))

const tokenForEach = missingToken('Every registration here needs an initial access token')

const anonymous = (mode: RegistrationMode, ceilings: Ceilings): E.Either<MissingToken, Registrant> =>
  mode.kind === 'managed'
    ? E.left(tokenForEach)
    : E.right({ granted: underCeilings(mode, ceilings, noPrivileges), consumedToken: O.none, by: 'nobody' })

/** Specification §5.2: the maximum privileges that a client can have through its own updates, by the authority for its registration. */
export const ceilingOf = (mode: RegistrationMode, ceilings: Ceilings, by: RegisteredBy): Privileges => {
  switch (by) {
    case 'master':
    case 'operator_token':
      return allPrivileges
    case 'token':
      return underCeilings(mode, ceilings, allPrivileges)
    case 'nobody':
      return ceilings.open
  }
}

/**
 * What a client's own updates may add to the recorded privileges: for an open registration, what open registration
 * grants today.
 */
export const addableBy = (mode: RegistrationMode): ((by: RegisteredBy, recorded: Privileges) => Privileges) => {
  const open = openPrivileges(mode)
  return (by, recorded) => (by === 'nobody' ? intersection(recorded, open) : recorded)
}

/** The authority of what an operator registers or imports. */
export const authorityOfOperator = (kind: Operator['kind']): RegisteredBy =>
  kind === 'operator_token' ? 'operator_token' : 'master'

type OperatorsCredential = Extract<PresentedCredential, { readonly kind: Operator['kind'] }>

const operatorAsRegistrant = (credential: OperatorsCredential): Registrant => {
  const registrant = { granted: allPrivileges, consumedToken: O.none, by: authorityOfOperator(credential.kind) }
  return permitsDelegation(credential) ? registrant : { ...registrant, withoutDelegation: true }
}

// Specification §5.1: a token adds to the privileges of open registration and removes none. RFC 6750 §3.1: an invalid
// token is refused, not ignored.
export const authorizeRegistrant = (
  mode: RegistrationMode,
  ceilings: Ceilings,
): ((
  credential: PresentedCredential,
  found: O.Option<InitialAccessToken>,
  now: EpochSeconds,
) => E.Either<MissingToken | InvalidToken, Registrant>) => {
  const withoutToken = anonymous(mode, ceilings)
  return (credential, found, now) => {
    switch (credential.kind) {
      case 'none':
        return withoutToken
      case 'unusable':
        return E.left(unusableToken)
      case 'store':
      case 'master':
      case 'operator_token':
        return E.right(operatorAsRegistrant(credential))
      case 'token':
        return pipe(
          found,
          O.filter((token) => token.hash === credential.hash && isInForce(now)(token)),
          O.match(
            () => E.left(invalidInitialAccessToken),
            (token) =>
              E.right({
                granted: underCeilings(mode, ceilings, token.privileges),
                consumedToken: O.some(token.hash),
                by: 'token',
              }),
          ),
        )
    }
  }
}
