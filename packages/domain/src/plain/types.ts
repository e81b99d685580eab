// What the plain functions take and answer, without the types of a library.
import type { ClientMetadata } from './client-metadata.js'

/** One fault. Its text names the rule and the remedy, and never contains the value. */
export interface Fault {
  /**
   * The error code for the answer, the same for all faults of a body: that of RFC 7591 §3.2.2 with the status 400,
   * `invalid_request` with 400 for a body that is no JSON object (RFC 6749 §5.2), `insufficient_scope` with 403 (RFC 6750 §3.1), or `missing_token` with 401 where a token is needed.
   * `server_error` means that the caller of the function is wrong, not the client.
   */
  readonly code: string
  readonly text: string
  /** The member of the body, or the argument of the caller. */
  readonly member?: string
  /** The place in the body: RFC 6901. */
  readonly pointer?: string
  /** The name of the rule. */
  readonly rule?: string
  /** The section of the standard that imposes the rule. */
  readonly documentation?: string
  /**
   * RFC 6750 §3.1: the scope values of registration that a token needs beyond what the registration had, of
   * `insufficient_scope` and `missing_token`; left out where none would help.
   */
  readonly needed?: ReadonlyArray<string>
}

/** At least one fault; that of the first member comes first. */
export interface Refused {
  readonly ok: false
  readonly faults: readonly [Fault, ...ReadonlyArray<Fault>]
}

/** All may be left out. */
export interface Settings {
  /** The operator's restrictions, as JSON: docs/operate/security.md#registration-policy. */
  readonly policy?: unknown
  /**
   * Whether a registration without a scope may have the code, implicit and refresh grants. A scope adds to them. Without
   * this, each registration needs a scope and is bounded by it.
   */
  readonly allowOpenRegistration?: boolean
  /** The scope values that each registration may have, separated by one space: only with allowOpenRegistration. */
  readonly openRegistrationScopes?: string
  /** Whether you fetch the document at a sector_identifier_uri, and compare it with redirect_uris. Without it, the member is refused. */
  readonly outboundFetches?: boolean
  /** Whether your service is on loopback, so that it may notify clients on the same machine by http. */
  readonly isOnLoopback?: boolean
  /**
   * Whether a registration may have what is refused otherwise, and is left out then: members that are null or an empty
   * text, empty grant_types and response_types beside redirect_uris, and repeated entries of lists.
   */
  readonly lenient?: boolean
  /** Seconds until a client_secret expires; 0, as without it, means never. */
  readonly clientSecretLifetime?: number
}

/** RFC 7591 §2: what registration makes of the members that were sent. */
export interface Changes {
  /** The members that it adds or replaces, with their values: defaults, and lists that lost repeated entries. */
  readonly added: Readonly<Record<string, unknown>>
  /** The members that it leaves out, by name: unknown ones, and those that say nothing. */
  readonly dropped: ReadonlyArray<string>
}

/** RFC 7591 §3.2.1: a registered client, to store as JSON and to answer. Your registration access token is not in it. */
export interface Client extends ClientMetadata {
  readonly client_id: string
  readonly client_id_issued_at: number
  /** Left out where neither authentication nor an algorithm uses it. */
  readonly client_secret?: string
  /** Seconds since 1970; 0 for never. There is one where there is a client_secret. */
  readonly client_secret_expires_at?: number
  /** Of a client that the policy lets wait for an approval: do not serve it until you remove this. */
  readonly approval?: { readonly state: 'pending' } | { readonly state: 'refused'; readonly reason: string }
}

/** What a registration may use; `any` is the set of all values. */
export interface Privileges {
  readonly grant_types: 'any' | ReadonlyArray<string>
  readonly scope: 'any' | ReadonlyArray<string>
  readonly data: boolean
  readonly preferred_client_id: boolean
  readonly preferred_client_secret: boolean
}

/** RFC 7592 §2.2: what a registration permitted, which bounds the updates of its client. To store as JSON beside the client. */
export interface Registered {
  /** Whether the registration had a scope, or was an open one. */
  readonly by: 'nobody' | 'token'
  /** What the scope and the policy of that time permitted. */
  readonly privileges: Privileges
}
