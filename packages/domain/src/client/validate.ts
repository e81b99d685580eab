import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Fault, memberOfFault } from '../kernel/faults.js'
import type { RegisteredBy } from './ids.js'
import type { MemberName } from './members.js'
import { type ClientMetadata, type DefaultsContext, type ReadMembers, readMembers, withDefaults } from './metadata.js'
import { misspeltMembers } from './schema.js'
import type { StatementFacts } from './statement.js'
import type { PrivateUseSchemes } from './uris.js'

/** The facts about one client that rules need beside its metadata. */
type ClientFacts = Pick<DefaultsContext, 'invalid'> & {
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

/** The effective metadata and all faults of the body; the metadata is valid only without faults. */
export type ValidatedMetadata = Pick<ReadMembers, 'invalid'> & {
  readonly metadata: ClientMetadata
  readonly faults: ReadonlyArray<Fault>
}

/** For POST and PUT: each member's own rule, the defaults, then the rules across members. */
export const validateClientMetadata =
  (rules: ReadonlyArray<MetadataRule>, context: Omit<RuleContext, 'invalid'>) =>
  (body: Readonly<Record<string, unknown>>): ValidatedMetadata => {
    const { metadata: requested, invalid, faults } = readMembers(body)
    const judging = Object.assign({}, context, { invalid })
    const metadata = withDefaults(requested, judging)
    const invalidEntries = new Set(faults.map(memberOfFault))
    const judged =
      invalidEntries.size === 0
        ? rules
        : rules.filter(({ members }) => !members.some((each) => invalidEntries.has(each)))
    // Most rules find no fault, and empty lists are not joined.
    const crossed = judged.map((rule) => rule.faultsOf(metadata, judging)).filter(RA.isNonEmpty)
    if (faults.length === 0 && crossed.length === 0) return { metadata, invalid, faults: [] }
    return { metadata, invalid, faults: [...faults, ...crossed.flat(), ...misspeltMembers(body)] }
  }
