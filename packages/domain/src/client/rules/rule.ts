import type { Fault } from '../../codec/fault.js'
import type { ClientMetadata, IsSupported } from '../client-metadata.js'
import type { MemberName } from '../members.js'
import type { InvalidMembers } from '../read-members.js'
import type { PrivateUseSchemes } from '../private-use-scheme.js'

/** What rules ask about the client beside its metadata, and about the service. */
export type RuleContext = {
  /** Characters of the client_secret that the client would have. */
  readonly secretLength: number
  /** Whether sector identifier URIs can be fetched: the setting outbound-fetches. */
  readonly fetchesSectorIdentifiers: boolean
  /** The private-use schemes without a period that redirection URIs of native clients may have. */
  readonly privateUseSchemes: PrivateUseSchemes
  /** The members whose value breaks their own rule, as they were sent: the metadata does not have them. */
  readonly invalid: InvalidMembers
  /** What decides between the values that a client lists, where it leaves the choice to the service. */
  readonly isSupported: IsSupported
}

/** Judges the effective metadata. */
export type FaultsOf = (metadata: ClientMetadata, context: RuleContext) => ReadonlyArray<Fault>

/** A rule across members. It is judged when all of them keep their own rules, so that one mistake is told once. */
export type MetadataRule = { readonly members: ReadonlyArray<MemberName>; readonly faultsOf: FaultsOf }

/** The rules that a service judges by: those of the standards and of its policy, and what it can do. */
export type RuleBook = { readonly rules: ReadonlyArray<MetadataRule> } & Omit<RuleContext, 'secretLength' | 'invalid'>
