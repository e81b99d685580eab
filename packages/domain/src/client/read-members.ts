import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RR from 'fp-ts/lib/ReadonlyRecord.js'
import { type Fault, faultsAt } from '../codec/fault.js'
import { type LanguageTagged, readLanguageTagged } from './language-tagged.js'
import { type KnownMembers, type MemberName, isMemberName, members } from './members.js'

/** RFC 7591 §2, as sent: each member keeps its own rule, nothing is defaulted. */
export interface RequestedClientMetadata extends KnownMembers, LanguageTagged {}

/** Members with a value that breaks their own rule. */
export type InvalidMembers = { readonly [Name in MemberName]?: unknown }

export type ReadMembers = {
  readonly metadata: RequestedClientMetadata
  readonly invalid: InvalidMembers
  readonly faults: ReadonlyArray<Fault>
}

const noneInvalid: InvalidMembers = {}

type Entry = readonly [name: string, value: unknown]
type Known = readonly [name: MemberName, value: unknown]

const isKnown = (entry: Entry): entry is Known => isMemberName(entry[0])

const isValid = ([name, value]: Known): boolean => members[name].type.codec.is(value)

const faultsOf = ([name, value]: Known): ReadonlyArray<Fault> =>
  faultsAt(name, members[name].type.codec.brokenRules(value))

/** The members that keep their own rules, and what is wrong with the others: all of it, not only the first. */
export const readMembers = (body: Readonly<Record<string, unknown>>): ReadMembers => {
  // Members of the body itself, not inherited ones. Unknown ones are dropped (RFC 7591 §2).
  const entries: ReadonlyArray<Entry> = Object.entries(body).filter(([, value]) => value !== undefined)
  const { left: faulty, right: valid } = RA.partition(isValid)(entries.filter(isKnown))
  const tagged = readLanguageTagged(entries)
  // Because each codec leaves a value as it is, the value that was judged is the value that was sent.
  const metadata: KnownMembers = RR.fromEntries([...valid, ...tagged.valid])
  const invalid = faulty.length === 0 ? noneInvalid : Object.fromEntries(faulty)
  return { metadata, invalid, faults: [...faulty.flatMap(faultsOf), ...tagged.faults] }
}
