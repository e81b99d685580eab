import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import {
  type InsufficientScope,
  type InvalidToken,
  type MissingToken,
  invalidOperatorToken,
  missingToken,
  unusableToken,
} from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import { recordWith } from '../kernel/values.js'
import { type PresentedCredential, TokenHash } from './credential.js'
import {
  type ManagementPrivilege,
  type ManagementPrivileges,
  allManagementPrivileges,
  issuableManagementPrivileges,
  managementScope,
  missingManagement,
  permitsManagement,
} from './management.js'

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
