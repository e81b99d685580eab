import type { Ceilings } from '../authorization/authorize-registrant.js'
import { allPrivileges } from '../authorization/privileges.js'
import type { GivenDocumentPolicy } from './document-policy.js'
import type { SignedBodiesPolicy } from './signed-bodies-policy.js'
import type { GivenSoftwarePolicy } from './software-policy.js'

/** The operator's restrictions beyond the standards: plain data, read at start, applied to every POST and PUT. */
export type RegistrationPolicy = {
  /**
   * Hosts of redirection URIs: a name, or * and a dot for all names below it; a private-use scheme ends with a colon.
   */
  readonly allowed_redirect_hosts?: ReadonlyArray<string>
  /** Private-use schemes without a period, in place of the defaults. */
  readonly allowed_private_use_schemes?: ReadonlyArray<string>
  /** Whether a client that says web, and has private-use schemes, is registered as native in place of a refusal. */
  readonly replace_contradicted_application_type?: boolean
  readonly required_members?: ReadonlyArray<string>
  readonly allowed_token_endpoint_auth_methods?: ReadonlyArray<string>
  readonly allowed_algorithms?: ReadonlyArray<string>
  /** The maximum number of clients. */
  readonly maximum_clients?: number
  /**
   * The maximum number of clients of open registration that were not used, and are not parked: docs/life-cycle.md.
   */
  readonly maximum_unused_open_clients?: number
  /**
   * Whether a public client of open registration that registers again, with the same metadata from the same address, gets
   * the client_id of its unused registration; yes by default.
   */
  readonly reuse_unused_registrations?: boolean
  /** The clients whose client_id is the URL of their metadata; without it, there are none. */
  readonly metadata_documents?: GivenDocumentPolicy
  /** RFC 7591 §2.3: which software is registered, and where a software statement must say so; without it, any. */
  readonly software_statements?: GivenSoftwarePolicy
  /** Registration requests that are JWTs as a whole; without it, requests are JSON. */
  readonly signed_bodies?: SignedBodiesPolicy
  readonly ceilings: Ceilings
}

export const noCeilings: Ceilings = { open: allPrivileges, managed: allPrivileges }

export const noPolicy: RegistrationPolicy = { ceilings: noCeilings }
