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

/** What an operator needs who registers, reads, changes or removes a client as the client itself does. */
export const neededForClients = {
  register: ['clients:write'],
  read: ['clients:read'],
  // RFC 7592 §2.2: the answer contains the new credentials of the client.
  update: ['clients:write', 'clients:secrets'],
  remove: ['clients:write'],
} as const satisfies Readonly<Record<string, ManagementPrivileges>>
