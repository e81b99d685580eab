// The privileges of operators, and what each of their requests needs.
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isSpaceDelimited, spaceDelimitedValues } from '../kernel/values.js'

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
