import type { Ceilings } from '../authorization/authorize-registrant.js'
import { allPrivileges } from '../authorization/privileges.js'

/** What the operator allows beyond the standards: plain data, read at start, applied to every POST and PUT. */
export type RegistrationPolicy = {
  /** Hosts of redirection URIs: a name, or * and a dot for all names below; a private-use scheme ends with a colon. */
  readonly allowed_redirect_hosts?: ReadonlyArray<string>
  /** Private-use schemes without a period, in place of those that are taken by default. */
  readonly allowed_private_use_schemes?: ReadonlyArray<string>
  readonly required_members?: ReadonlyArray<string>
  readonly allowed_token_endpoint_auth_methods?: ReadonlyArray<string>
  readonly allowed_algorithms?: ReadonlyArray<string>
  /** How many clients there may be in all. */
  readonly maximum_clients?: number
  /** How many clients there may be that nobody vouched for and that nothing was issued to yet. */
  readonly maximum_unused_open_clients?: number
  readonly ceilings: Ceilings
}

export const noCeilings: Ceilings = { open: allPrivileges, managed: allPrivileges }

export const noPolicy: RegistrationPolicy = { ceilings: noCeilings }
