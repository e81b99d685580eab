import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { TokenHash } from './credential.js'
import type { ManagementPrivileges } from './management-privileges.js'
import type { Issuer } from './operator.js'

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
