// What a caller may do: at registration, and of the operators' work.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { fault } from '../kernel/faults.js'
import type { InvalidScope } from '../kernel/refusals.js'
import { isSpaceDelimited, spaceDelimitedValues } from '../kernel/values.js'

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
export const Privileges = t.readonly(
  t.exact(
    t.type({
      grant_types: ValueSet,
      scope: ValueSet,
      data: t.boolean,
      preferred_client_id: t.boolean,
      preferred_client_secret: t.boolean,
    }),
  ),
  'Privileges',
)

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

// The privileges of operators: a lattice of subsets, with all of them as its top and none as its bottom.

/** What each privilege permits, in the order in which privileges are written. */
export const managementPrivilegeTexts = {
  'clients:read': 'list and read clients, without their credentials',
  'clients:secrets': 'see the credentials of clients, where another privilege permits the request',
  'clients:write': 'register, update and delete any client',
  tokens: 'issue, list and revoke initial access tokens',
  keys: 'list, change and use the keys of the provider, and those that seal stored values',
  sessions: 'record, find and end the sessions of end-users',
  deliveries: 'list logout notifications, and send failed ones again',
  audit: 'read the audit log',
  metrics: 'read metrics',
  operators: 'issue, list and revoke operator tokens, and reload the settings; no operator token can have it',
} as const

export type ManagementPrivilege = keyof typeof managementPrivilegeTexts

/** Sorted, and without repetition. */
export type ManagementPrivileges = ReadonlyArray<ManagementPrivilege>

export const isManagementPrivilege = (value: unknown): value is ManagementPrivilege =>
  typeof value === 'string' && Object.hasOwn(managementPrivilegeTexts, value)

/** Top: the master token, and the operator of the machine. */
export const allManagementPrivileges: ManagementPrivileges =
  Object.keys(managementPrivilegeTexts).filter(isManagementPrivilege)

/** Bottom. */
export const noManagementPrivileges: ManagementPrivileges = []

/** What an operator token may have: with `operators`, it could issue itself a successor that outlives its revocation. */
export const issuableManagementPrivileges: ManagementPrivileges = allManagementPrivileges.filter(
  (privilege) => privilege !== 'operators',
)

const sorted = (privileges: ManagementPrivileges): ManagementPrivileges =>
  allManagementPrivileges.filter((privilege) => privileges.includes(privilege))

/** The least privileges that include both. */
export const unionOfManagement = (one: ManagementPrivileges, other: ManagementPrivileges): ManagementPrivileges =>
  sorted([...one, ...other])

/** The greatest privileges that both include. */
export const intersectionOfManagement = (
  one: ManagementPrivileges,
  other: ManagementPrivileges,
): ManagementPrivileges => sorted(one.filter((privilege) => other.includes(privilege)))

/** The least privileges to add to the granted ones so that the operation is permitted. */
export const missingManagement =
  (granted: ManagementPrivileges) =>
  (needed: ManagementPrivileges): ManagementPrivileges =>
    sorted(needed.filter((privilege) => !granted.includes(privilege)))

/** The order of the lattice: needed ≤ granted. */
export const permitsManagement =
  (granted: ManagementPrivileges) =>
  (needed: ManagementPrivileges): boolean =>
    missingManagement(granted)(needed).length === 0

const maxPrivilegesLength = 1_024

/** RFC 6749 §3.3: the privileges of a text with values separated by one space; at least one, and no unknown one. */
export const parseManagementPrivileges = (input: unknown): O.Option<ManagementPrivileges> => {
  if (typeof input !== 'string' || input.length > maxPrivilegesLength || !isSpaceDelimited(input)) return O.none
  return pipe(spaceDelimitedValues(input), O.traverseArray(O.fromPredicate(isManagementPrivilege)), O.map(sorted))
}

/** The inverse of `parseManagementPrivileges`. */
export const managementScope = (privileges: ManagementPrivileges): string => sorted(privileges).join(' ')

const table = {
  'GET /clients': ['clients:read'],
  'POST /clients': ['clients:write'],
  'GET /clients/:id': ['clients:read'],
  // RFC 7592 §2.2: the answer contains the new credentials of the client.
  'PUT /clients/:id': ['clients:write', 'clients:secrets'],
  'DELETE /clients/:id': ['clients:write'],
  'POST /clients/:id/renewal': ['clients:write', 'clients:secrets'],
  'POST /clients/:id/suspension': ['clients:write'],
  'DELETE /clients/:id/suspension': ['clients:write'],
  'GET /manage/v1/clients': ['clients:read'],
  'GET /manage/v1/clients/:id': ['clients:read'],
  'GET /manage/v1/clients/:id/secrets': ['clients:read', 'clients:secrets'],
  // The answer has the credentials of the client only for an operator who may see them.
  'PATCH /manage/v1/clients/:id': ['clients:write'],
  'DELETE /manage/v1/clients/:id': ['clients:write'],
  'POST /manage/v1/clients/:id/restoration': ['clients:write'],
  'GET /manage/v1/removals': ['clients:read'],
  // The number of the clients that a filter selects says something of them.
  'POST /manage/v1/clients/suspension': ['clients:read', 'clients:write'],
  'POST /manage/v1/clients/resumption': ['clients:read', 'clients:write'],
  'POST /manage/v1/clients/removal': ['clients:read', 'clients:write'],
  'GET /exported-clients': ['clients:read', 'clients:secrets'],
  // A record contains credentials, and may be of a client that registers others.
  'POST /imported-clients': ['clients:write', 'clients:secrets', 'tokens'],
  'POST /registration-policy/judgement': ['clients:read'],
  'POST /direct-authz': ['tokens'],
  'GET /initial-access-tokens': ['tokens'],
  'DELETE /initial-access-tokens/:id': ['tokens'],
  'GET /keys': ['keys'],
  'POST /keys/roll-over': ['keys'],
  'POST /keys/compromise': ['keys'],
  'POST /keys/import': ['keys'],
  'POST /keys/foreign': ['keys'],
  'POST /keys/foreign/remove': ['keys'],
  'POST /keys/sign': ['keys'],
  'POST /keys/decrypt': ['keys'],
  'GET /encryption/keys': ['keys'],
  'POST /encryption/keys': ['keys'],
  'POST /encryption/keys/drop': ['keys'],
  'POST /encryption/re-seal': ['keys'],
  'POST /sessions': ['sessions'],
  'GET /sessions': ['sessions'],
  'POST /sessions/find': ['sessions'],
  'POST /sessions/:sid/clients': ['sessions'],
  'DELETE /sessions/:sid': ['sessions'],
  'GET /metrics': ['metrics'],
  'GET /logouts': ['deliveries'],
  'POST /logouts/retry': ['deliveries'],
  'GET /operator-tokens': ['operators'],
  'POST /operator-tokens': ['operators'],
  'DELETE /operator-tokens/:id': ['operators'],
  'GET /manage/v1/audit': ['audit'],
  'GET /manage/v1/audit/verification': ['audit'],
  'POST /reload': ['operators'],
} as const satisfies Readonly<Record<string, ManagementPrivileges>>

export type OperatorRoute = keyof typeof table

/** The privileges that an operator needs for a route. */
export type NeededFor<Route extends OperatorRoute> = (typeof table)[Route][number]

/**
 * The routes that operators may request, each with the privileges that it needs: all of them. Clients request those of
 * `/clients` with their own tokens as well.
 */
export const neededPrivileges: { readonly [Route in OperatorRoute]: ReadonlyArray<NeededFor<Route>> } = table
