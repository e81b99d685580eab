// Who calls: credentials, and the operators who present them, with their privileges.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { RegisteredBy } from '../client/ids.js'
import {
  type InsufficientScope,
  type InvalidToken,
  type MissingToken,
  invalidOperatorToken,
  missingToken,
  unusableToken,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { isSpaceDelimited, recordWith, spaceDelimitedValues } from '../kernel/values.js'

export { RegisteredBy }

export interface TokenHashBrand {
  readonly TokenHash: unique symbol
}

/**
 * The keyed digest of a token, base64url. Presented tokens are found and compared by it; the domain never sees a token.
 */
export const TokenHash = t.brand(
  t.string,
  (text): text is t.Branded<string, TokenHashBrand> => /^[A-Za-z0-9_-]{16,128}$/.test(text),
  'TokenHash',
)

export type TokenHash = t.TypeOf<typeof TokenHash>

/** The keyed digest of a token, or of a text that begins with what it is for. */
export type HashText = (text: string) => TokenHash

/**
 * The credential of a request (RFC 6750 §2.1). Adapters hash tokens; a master token is recognized by its hash, and an
 * operator token by the store. `store` is the operator of the machine, whom file permissions recognize.
 */
export type PresentedCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'store' }
  | { readonly kind: 'master'; readonly hash?: TokenHash }
  | {
      readonly kind: 'operator_token'
      readonly hash: TokenHash
      readonly privileges: ManagementPrivileges
      readonly name?: string
    }
  | { readonly kind: 'token'; readonly hash: TokenHash }

/** One or several master tokens may count at once, so that one can be changed without downtime. */
export const presentedToken =
  (...masterTokens: ReadonlyArray<TokenHash>) =>
  (hash: TokenHash): PresentedCredential =>
    masterTokens.includes(hash) ? { kind: 'master', hash } : { kind: 'token', hash }

export type OperatorsCredential = Extract<PresentedCredential, { readonly kind: Operator['kind'] }>

/** Whether an operator presents the credential; its privileges are another question. */
export const isOperators = (credential: PresentedCredential): credential is OperatorsCredential =>
  credential.kind === 'master' || credential.kind === 'store' || credential.kind === 'operator_token'

/**
 * Whether the credential may make clients that register others: with the access tokens of such a client its owner does
 * what the privilege `tokens` permits.
 */
export const permitsDelegation = (credential: PresentedCredential): boolean =>
  credential.kind === 'operator_token' ? credential.privileges.includes('tokens') : isOperators(credential)

/** The party for which the service sends a request to others. Each requester may have only a few of these under way. */
export type Requester =
  | { readonly kind: 'master' }
  | { readonly kind: 'token'; readonly hash: TokenHash }
  | { readonly kind: 'nobody'; readonly address: string | undefined }

/**
 * The token of a client with an open registration does not identify a requester, because any party can get one: the
 * address of the request does.
 */
export const requesterOf = (
  credential: PresentedCredential,
  registeredBy: RegisteredBy,
  address: string | undefined,
): Requester => {
  if (isOperators(credential)) return { kind: 'master' }
  return credential.kind === 'token' && registeredBy !== 'nobody' ? credential : { kind: 'nobody', address }
}

// The privileges of operators: a lattice of subsets, with all of them as its top and none as its bottom.

/** What each privilege permits, in the order in which privileges are written. */
export const managementPrivilegeTexts = {
  'clients:read': 'list and read clients, without their credentials',
  'clients:secrets': 'see the credentials of clients, where another privilege permits the request',
  'clients:write': 'register, update and delete any client',
  tokens: 'issue, list and revoke initial access tokens',
  keys: 'list, change and use the keys of the provider, and those that seal stored values',
  sessions: 'record, find and end the sessions of end-users',
  'connections:read': 'list and read what end-users granted to applications',
  'connections:write': 'revoke what end-users granted to applications',
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

const permission: unique symbol = Symbol('operator')

/**
 * An authorized operator: proof that the operator sends the request and has the privileges `Granted`. Every management
 * operation requires it, with the privileges that it needs, and only this file makes it.
 */
export type Operator<Granted extends ManagementPrivilege = never> = {
  readonly [permission]: { readonly [Each in Granted]: true }
  readonly kind: 'master' | 'operator_token' | 'store'
  /** The beginning of the keyed digest of the token; it authorizes nothing. */
  readonly fingerprint: string
  /** The id of an operator token. */
  readonly id?: TokenHash
  /** The name of an operator token, if it has one. */
  readonly name?: string
  readonly privileges: ManagementPrivileges
}

/** One or several management operations for an operator with this privilege. */
export type ForOperator<Needed extends ManagementPrivilege, Operations> = (operator: Operator<Needed>) => Operations

/** Who issued a token, or did anything else as operator. */
export const Issuer = recordWith(
  'Issuer',
  { kind: t.keyof({ master: null, operator_token: null, store: null }), fingerprint: t.string },
  { id: TokenHash },
)
export type Issuer = t.TypeOf<typeof Issuer>

export const issuerOf = ({ kind, fingerprint, id }: Operator): Issuer =>
  id === undefined ? { kind, fingerprint } : { kind, fingerprint, id }

const fingerprintLength = 12

/** The beginning of the keyed digest of a token. */
export const fingerprintOf = (hash: TokenHash | undefined): string => (hash ?? '').slice(0, fingerprintLength)

const proven = <Granted extends ManagementPrivilege>(operator: Omit<Operator, typeof permission>): Operator<Granted> =>
  Object.assign({ [permission]: {} as { readonly [Each in Granted]: true } }, operator)

/** For the command line and its socket: file permissions let only the operator open the store. */
export const operatorOfTheStore = (): Operator<ManagementPrivilege> =>
  proven({ kind: 'store', fingerprint: '', privileges: allManagementPrivileges })

export const holds = ({ privileges }: Pick<Operator, 'privileges'>, privilege: ManagementPrivilege): boolean =>
  privileges.includes(privilege)

/** The credential of the operator, for decisions that clients' tokens may ask for as well. */
export const credentialOf = ({ kind, id, privileges }: Operator): PresentedCredential => {
  if (kind !== 'operator_token') return { kind }
  return id === undefined ? { kind: 'unusable' } : { kind, hash: id, privileges }
}

export type OperatorRefusal = MissingToken | InvalidToken | InsufficientScope

// No operator token has the privilege operators.
const neededToken = (missing: ManagementPrivileges): string =>
  permitsManagement(issuableManagementPrivileges)(missing)
    ? `This needs the master token, or an operator token with ${managementScope(missing)}`
    : 'This needs the master token'

// RFC 6750 §3: the attribute scope names what is missing.
const insufficient = (missing: ManagementPrivileges): InsufficientScope => ({
  error: 'insufficient_scope',
  error_description: neededToken(missing),
  scope: managementScope(missing),
})

/**
 * Specification §5.3: management accepts the master token, which has all privileges; an operator token has its own. RFC
 * 6750 §3.1: a registration access token or an initial access token in force is valid, but its scope is insufficient.
 */
export const authorizeOperator = <Needed extends ManagementPrivilege>(
  credential: PresentedCredential,
  countsElsewhere: boolean,
  needed: ReadonlyArray<Needed>,
): E.Either<OperatorRefusal, Operator<Needed>> => {
  switch (credential.kind) {
    case 'none':
      return E.left(missingToken(neededToken(needed)))
    case 'unusable':
      return E.left(unusableToken)
    case 'store':
      return E.right(operatorOfTheStore())
    case 'master': {
      const fingerprint = fingerprintOf(credential.hash)
      return E.right(proven({ kind: 'master', fingerprint, privileges: allManagementPrivileges }))
    }
    case 'operator_token': {
      const { kind, hash: id, privileges, ...named } = credential
      const missing = missingManagement(privileges)(needed)
      return missing.length === 0
        ? E.right(proven({ kind, fingerprint: fingerprintOf(id), id, privileges, ...named }))
        : E.left(insufficient(missing))
    }
    case 'token':
      return E.left(countsElsewhere ? insufficient(needed) : invalidOperatorToken)
  }
}

/** A credential of management that permits less than the master token. Only its hash is stored, which is its id. */
export type OperatorToken = {
  readonly hash: TokenHash
  readonly privileges: ManagementPrivileges
  /** For people: whose token it is. */
  readonly name?: string
  readonly issued_at: EpochSeconds
  readonly expires_at: EpochSeconds
  readonly issued_by: Issuer
}
