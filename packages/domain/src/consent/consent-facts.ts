// What a consent page must say about an application: RFC 6749 §10.2, RFC 9700 §4.16.
import type { RegisteredClient } from '../registration/registered-client.js'

/** An authorization request for which an end-user is asked. */
export type ConsentRequest = {
  readonly client: RegisteredClient
  /** The redirection URI of this request. */
  readonly redirectUri: string
  readonly scope: ReadonlyArray<string>
  /** RFC 8707 §2: scope values by resource. */
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** OpenID Core §3.1.2.1: the request has prompt=consent. */
  readonly mustAsk?: boolean
}

export type Identity =
  /** A party behind this host vouches for the name and the redirection URI. */
  | { readonly kind: 'verified'; readonly host: string }
  /** The registrant chose the name, and can choose any. */
  | { readonly kind: 'claimed' }

/** Where the answer of the authorization server goes. */
export type RedirectHost = {
  readonly kind: 'web' | 'loopback' | 'private_use'
  /** Host and port; for a private-use scheme, the scheme with its colon. */
  readonly host: string
}

export type ConsentWarning =
  /** RFC 8252 §8.3: any application on the device of the end-user can receive the answer. */
  | { readonly kind: 'loopback_only' }
  /** RFC 8252 §8.1: any application that claims the scheme can receive the answer. */
  | { readonly kind: 'private_use_scheme'; readonly scheme: string }
  /** The name can be taken for this one, which belongs to others. */
  | { readonly kind: 'looks_like'; readonly name: string }
  /** The name claims a status that only the operator could give. */
  | { readonly kind: 'claims_status'; readonly word: string }
  /** UTS #39 §5.1: a word has letters of several scripts. */
  | { readonly kind: 'mixed_scripts' }

/** What differs from the facts that the end-user consented to. */
export type ConsentChange = 'identity' | 'name' | 'redirect_hosts' | 'keys' | 'scope' | 'resources'

export type ConsentFacts = {
  readonly identity: Identity
  /** The names as claimed, in all languages. */
  readonly names: ReadonlyArray<string>
  /** That of this request first, and each once. */
  readonly redirectHosts: ReadonlyArray<RedirectHost>
  readonly keys: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<ConsentWarning>
  readonly scope: ReadonlyArray<string>
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** Since the last consent; empty for the first one. */
  readonly changes: ReadonlyArray<ConsentChange>
}

/** A name that only applications at its hosts, or below them, may have or resemble; without hosts, none may. */
export type ProtectedName = { readonly name: string; readonly hosts: ReadonlyArray<string> }

/** The operator's part: plain data. */
export type ConsentPolicy = {
  readonly protectedNames: ReadonlyArray<ProtectedName>
  /** The client_id of applications of the operator, for which no end-user is asked. */
  readonly firstPartyClients: ReadonlyArray<string>
}

export const noConsentPolicy: ConsentPolicy = { protectedNames: [], firstPartyClients: [] }
