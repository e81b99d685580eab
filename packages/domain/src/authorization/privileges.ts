// What a registrant may do: specification §5.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { fault } from '../kernel/faults.js'
import type { InvalidScope } from '../kernel/refusals.js'
import { isSpaceDelimited, record, spaceDelimitedValues } from '../kernel/values.js'

/** A set of strings, or all of them: the lattice of subsets, with 'any' as its top and [] as its bottom. */
export const ValueSet = t.union([t.literal('any'), t.readonlyArray(t.string)], 'ValueSet')

export type ValueSet = t.TypeOf<typeof ValueSet>

export const onlyValues = (values: ReadonlyArray<string>): ValueSet =>
  values.length < 2 ? values : [...new Set(values)].sort()

export const unionOfValues = (one: ValueSet, other: ValueSet): ValueSet =>
  one === 'any' || other === 'any' ? 'any' : onlyValues([...one, ...other])

const intersectionOfValues = (one: ValueSet, other: ValueSet): ValueSet => {
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

/** The least privileges that include both. */
export const union = (one: Privileges, other: Privileges): Privileges => ({
  grant_types: unionOfValues(one.grant_types, other.grant_types),
  scope: unionOfValues(one.scope, other.scope),
  data: one.data || other.data,
  preferred_client_id: one.preferred_client_id || other.preferred_client_id,
  preferred_client_secret: one.preferred_client_secret || other.preferred_client_secret,
})

export const unionOf = (all: ReadonlyArray<Privileges>): Privileges => all.reduce(union, noPrivileges)

/** The greatest privileges that both include: what a ceiling leaves. */
export const intersection = (one: Privileges, other: Privileges): Privileges => ({
  grant_types: intersectionOfValues(one.grant_types, other.grant_types),
  scope: intersectionOfValues(one.scope, other.scope),
  data: one.data && other.data,
  preferred_client_id: one.preferred_client_id && other.preferred_client_id,
  preferred_client_secret: one.preferred_client_secret && other.preferred_client_secret,
})

/** The least privileges to add to the granted ones so that the request is permitted. */
export const missingPrivileges =
  (granted: Privileges) =>
  (requested: Privileges): Privileges => ({
    grant_types: missingValues(granted.grant_types, requested.grant_types),
    scope: missingValues(granted.scope, requested.scope),
    data: requested.data && !granted.data,
    preferred_client_id: requested.preferred_client_id && !granted.preferred_client_id,
    preferred_client_secret: requested.preferred_client_secret && !granted.preferred_client_secret,
  })

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

/**
 * The scope values that would grant the missing privileges. They are fixed values, so that an error text may show them.
 */
export const neededScopeValues = (missing: Privileges): ReadonlyArray<string> => [
  ...new Set([
    ...scopeValuesOfGrants(missing.grant_types),
    ...(missing.scope.length > 0 ? ['client-reg:scope'] : []),
    ...(missing.data ? ['client-reg:data'] : []),
    ...(missing.preferred_client_id ? ['client-reg:set-id'] : []),
    ...(missing.preferred_client_secret ? ['client-reg:set-secret'] : []),
  ]),
]
