// Who registers clients, and what they may do: specification §5.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { ClientId, RegistrationId } from '../client/ids.js'
import { fault } from '../kernel/faults.js'
import {
  type InvalidScope,
  type InvalidToken,
  type MissingToken,
  invalidInitialAccessToken,
  missingToken,
  unusableToken,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { isSpaceDelimited, record, spaceDelimitedValues } from '../kernel/values.js'
import {
  type Issuer,
  type Operator,
  type OperatorsCredential,
  type PresentedCredential,
  type RegisteredBy,
  type TokenHash,
  permitsDelegation,
} from './credential.js'

/** A set of strings, or all of them: the lattice of subsets, with 'any' as its top and [] as its bottom. */
export const ValueSet = t.union([t.literal('any'), t.readonlyArray(t.string)], 'ValueSet')

export type ValueSet = t.TypeOf<typeof ValueSet>

export const onlyValues = (values: ReadonlyArray<string>): ValueSet =>
  values.length < 2 ? values : [...new Set(values)].sort()

export const unionOfValues = (one: ValueSet, other: ValueSet): ValueSet =>
  one === 'any' || other === 'any' ? 'any' : onlyValues([...one, ...other])

export const intersectionOfValues = (one: ValueSet, other: ValueSet): ValueSet => {
  if (one === 'any') return other
  return other === 'any' ? one : onlyValues(one.filter((value) => other.includes(value)))
}

/** The requested values that are not granted. */
export const missingValues = (granted: ValueSet, requested: ValueSet): ValueSet => {
  if (granted === 'any') return []
  return requested === 'any' ? 'any' : onlyValues(requested.filter((value) => !granted.includes(value)))
}

/**
 * Specification §5: privileges that are granted to a registrant or requested by a registration. They are a lattice, the product of five. A
 * registration is permitted where requested ≤ granted.
 */
export const Privileges = record('Privileges', {
  grant_types: ValueSet,
  scope: ValueSet,
  data: t.boolean,
  preferred_client_id: t.boolean,
  preferred_client_secret: t.boolean,
})

export interface Privileges extends t.TypeOf<typeof Privileges> {}

/** Bottom: no privileges. */
export const noPrivileges: Privileges = {
  grant_types: [],
  scope: [],
  data: false,
  preferred_client_id: false,
  preferred_client_secret: false,
}

/** Top: the master token, and the scope value client-reg. */
export const allPrivileges: Privileges = {
  grant_types: 'any',
  scope: 'any',
  data: true,
  preferred_client_id: true,
  preferred_client_secret: true,
}

export const grantPrivilege = (...grantTypes: ReadonlyArray<string>): Privileges => ({
  ...noPrivileges,
  grant_types: onlyValues(grantTypes),
})

/** The product: each part of the one with that of the other. */
const partByPart =
  (
    ofValues: (one: ValueSet, other: ValueSet) => ValueSet,
    ofFlags: (one: boolean, other: boolean) => boolean,
  ): ((one: Privileges, other: Privileges) => Privileges) =>
  (one, other) => ({
    grant_types: ofValues(one.grant_types, other.grant_types),
    scope: ofValues(one.scope, other.scope),
    data: ofFlags(one.data, other.data),
    preferred_client_id: ofFlags(one.preferred_client_id, other.preferred_client_id),
    preferred_client_secret: ofFlags(one.preferred_client_secret, other.preferred_client_secret),
  })

/** The least privileges that include both. */
export const union = partByPart(unionOfValues, (one, other) => one || other)

export const unionOf = (all: ReadonlyArray<Privileges>): Privileges => all.reduce(union, noPrivileges)

/** The greatest privileges that both include: what a ceiling leaves. */
export const intersection = partByPart(intersectionOfValues, (one, other) => one && other)

const missing = partByPart(missingValues, (granted, requested) => requested && !granted)

/** The least privileges to add to the granted ones so that the request is permitted. */
export const missingPrivileges =
  (granted: Privileges) =>
  (requested: Privileges): Privileges =>
    missing(granted, requested)

export const isNothing = (privileges: Privileges): boolean =>
  privileges.grant_types.length === 0 &&
  privileges.scope.length === 0 &&
  !privileges.data &&
  !privileges.preferred_client_id &&
  !privileges.preferred_client_secret

/** The order of the lattice: requested ≤ granted. */
export const permits =
  (granted: Privileges) =>
  (requested: Privileges): boolean =>
    isNothing(missingPrivileges(granted)(requested))

const scopeValuePrefix = 'client-reg:scope:'
const maxScopeLength = 4096

/** Specification §5.1: the privileges of each scope value of an initial access token; client-reg:scope:VALUE adds one. */
const privilegesByScopeValue: Readonly<Record<string, Privileges>> = {
  'client-reg': allPrivileges,
  'client-reg:grant:code': grantPrivilege('authorization_code'),
  'client-reg:grant:implicit': grantPrivilege('implicit'),
  'client-reg:grant:refresh': grantPrivilege('refresh_token'),
  'client-reg:grant:password': grantPrivilege('password'),
  'client-reg:grant:client': grantPrivilege('client_credentials'),
  'client-reg:grant:jwt': grantPrivilege('urn:ietf:params:oauth:grant-type:jwt-bearer'),
  'client-reg:grant:saml': grantPrivilege('urn:ietf:params:oauth:grant-type:saml2-bearer'),
  'client-reg:scope': { ...noPrivileges, scope: 'any' },
  'client-reg:data': { ...noPrivileges, data: true },
  'client-reg:set-id': { ...noPrivileges, preferred_client_id: true },
  'client-reg:set-secret': { ...noPrivileges, preferred_client_secret: true },
}

/** The fixed scope values; client-reg:scope:VALUE is open-ended. */
export const registrationScopeValues: ReadonlyArray<string> = Object.keys(privilegesByScopeValue)

/** The grant types that have scope values; every other grant type needs client-reg. */
export const namedGrantTypes: ReadonlyArray<string> = Object.values(privilegesByScopeValue).flatMap(
  ({ grant_types }) => (grant_types === 'any' ? [] : grant_types),
)

/** Whether the value is one of registration, with or without a suffix, or begins as one. */
export const isRegistrationScopeValue = (value: string): boolean => /^client-reg(?::|$)/.test(value)

/** The values that only an operator may give to a client, whatever the scope of an initial access token. */
export const valuesOfRegistration = (scope: ValueSet): ReadonlyArray<string> =>
  scope === 'any' ? [] : scope.filter(isRegistrationScopeValue)

const privilegesOfValue = (value: string): O.Option<Privileges> => {
  if (value.startsWith(scopeValuePrefix) && value.length > scopeValuePrefix.length)
    return O.some({ ...noPrivileges, scope: [value.slice(scopeValuePrefix.length)] })
  return Object.hasOwn(privilegesByScopeValue, value) ? O.fromNullable(privilegesByScopeValue[value]) : O.none
}

export type RegistrationScope = { readonly scope: string; readonly privileges: Privileges }

const invalidScope: InvalidScope = {
  error: 'invalid_scope',
  error_description: fault('registration-scope')('scope').description,
  errors: [fault('registration-scope')('scope')],
}

/** The scope of an initial access token: every value must be known, and each adds privileges. */
export const parseRegistrationScope = (input: unknown): E.Either<InvalidScope, RegistrationScope> => {
  if (typeof input !== 'string' || input.length > maxScopeLength || !isSpaceDelimited(input))
    return E.left(invalidScope)
  const values = spaceDelimitedValues(input)
  const granted = O.traverseArray(privilegesOfValue)(values)
  return O.isNone(granted)
    ? E.left(invalidScope)
    : E.right({ scope: values.join(' '), privileges: unionOf(granted.value) })
}

const singleGrant = (privileges: Privileges): string | undefined =>
  privileges.grant_types === 'any' ? undefined : privileges.grant_types[0]

const scopeValueOfGrant = (grantType: string): string =>
  registrationScopeValues.find((value) => singleGrant(privilegesByScopeValue[value] ?? noPrivileges) === grantType) ??
  'client-reg'

const scopeValuesOfGrants = (grantTypes: ValueSet): ReadonlyArray<string> =>
  grantTypes === 'any' ? ['client-reg'] : grantTypes.map(scopeValueOfGrant)

/** In characters: the limit of what an error text, and with it a header field, says of single values of scope. */
const maxScopeValuesLength = 200

/** A value for each, as far as that is not too long. */
const scopeValuesOfScope = (scope: ValueSet): ReadonlyArray<string> => {
  const each = scope === 'any' ? ['client-reg:scope'] : scope.map((value) => `${scopeValuePrefix}${value}`)
  return each.join(' ').length <= maxScopeValuesLength ? each : ['client-reg:scope']
}

/**
 * The narrowest scope values that would grant the missing privileges. RFC 6749 §3.3: they have no quotation mark and no
 * backslash, so that an error text may show them.
 */
export const neededScopeValues = (missing: Privileges): ReadonlyArray<string> => [
  ...new Set([
    ...scopeValuesOfGrants(missing.grant_types),
    ...scopeValuesOfScope(missing.scope),
    ...(missing.data ? ['client-reg:data'] : []),
    ...(missing.preferred_client_id ? ['client-reg:set-id'] : []),
    ...(missing.preferred_client_secret ? ['client-reg:set-secret'] : []),
  ]),
]

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
  /** What the ceilings leave of any initial access token; without it, no ceiling bounds the registrant. */
  readonly ceiling?: Privileges
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
    : E.right({
        granted: underCeilings(mode, ceilings, noPrivileges),
        consumedToken: O.none,
        by: 'nobody',
        ceiling: underCeilings(mode, ceilings, allPrivileges),
      })

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
                ceiling: underCeilings(mode, ceilings, allPrivileges),
              }),
          ),
        )
    }
  }
}
