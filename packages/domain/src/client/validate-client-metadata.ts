import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Fault, memberOfFault } from '../codec/fault.js'
import { type ClientMetadata, withDefaults } from './client-metadata.js'
import { misspeltMembers } from './dropped-members.js'
import { type ReadMembers, readMembers } from './read-members.js'
import type { MetadataRule, RuleContext } from './rules/rule.js'

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
