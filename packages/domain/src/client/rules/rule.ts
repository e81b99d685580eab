import type { Fault } from '../../codec/fault.js'
import type { ClientMetadata, DefaultsContext } from '../client-metadata.js'
import type { MemberName } from '../members.js'
import type { PrivateUseSchemes } from '../private-use-scheme.js'
import type { RegisteredBy } from '../registered-by.js'
import type { StatementFacts } from '../software-statement.js'

/** The facts about one client that rules need beside its metadata. */
export type ClientFacts = Pick<DefaultsContext, 'invalid'> & {
  /** The length of the client_secret that the client would have, in characters. */
  readonly secretLength: number
  /** The authority for the registration. */
  readonly registeredBy: RegisteredBy
  /** What the software statement says; undefined without one. */
  readonly statementFacts: StatementFacts | undefined
}

/** The facts that rules need beside the metadata, about the client and the service. */
export type RuleContext = DefaultsContext &
  ClientFacts & {
    /** Whether sector identifier URIs can be fetched: the setting outbound-fetches. */
    readonly fetchesSectorIdentifiers: boolean
    /** The accepted private-use schemes without a period for redirection URIs of native clients. */
    readonly privateUseSchemes: PrivateUseSchemes
  }

/** Judges the effective metadata. */
export type FaultsOf = (metadata: ClientMetadata, context: RuleContext) => ReadonlyArray<Fault>

/** A rule across members. It runs when all of its members are valid, so that one mistake is reported once. */
export type MetadataRule = { readonly members: ReadonlyArray<MemberName>; readonly faultsOf: FaultsOf }

/** The rules of a service: those of the standards and of its policy, with what the service supports. */
export type RuleBook = { readonly rules: ReadonlyArray<MetadataRule> } & Omit<RuleContext, keyof ClientFacts>
