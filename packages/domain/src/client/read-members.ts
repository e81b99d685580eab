import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RR from 'fp-ts/lib/ReadonlyRecord.js'
import { type Fault, faultsAt } from '../codec/fault.js'
import { type LanguageTagged, readLanguageTagged } from './language-tagged.js'
import { type KnownMembers, type MemberName, emptiableMembers, isMemberName, members } from './members.js'

/** RFC 7591 §2: metadata as sent. Each member follows its own rule; there are no defaults. */
export interface RequestedClientMetadata extends KnownMembers, LanguageTagged {}

/** Members whose value violates their own rule. */
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

const emptiable: ReadonlySet<string> = new Set(emptiableMembers)

// A member that says nothing counts as absent, as an undefined one does.
const saysSomething = ([name, value]: Entry): boolean => value !== undefined && !(value === '' && emptiable.has(name))

const isValid = ([name, value]: Known): boolean => members[name].type.codec.is(value)

const faultsOf = ([name, value]: Known): ReadonlyArray<Fault> =>
  faultsAt(name, members[name].type.codec.brokenRules(value))

/** The valid members, and all faults of the others. */
export const readMembers = (body: Readonly<Record<string, unknown>>): ReadMembers => {
  // Only own members of the body, not inherited ones. Unknown ones are dropped (RFC 7591 §2).
  const entries: ReadonlyArray<Entry> = Object.entries(body).filter(saysSomething)
  const { left: invalidEntries, right: valid } = RA.partition(isValid)(entries.filter(isKnown))
  const tagged = readLanguageTagged(entries)
  // Codecs do not change values: the value that was checked is the value that was sent.
  const metadata: KnownMembers = RR.fromEntries([...valid, ...tagged.valid])
  const invalid = invalidEntries.length === 0 ? noneInvalid : Object.fromEntries(invalidEntries)
  return { metadata, invalid, faults: [...invalidEntries.flatMap(faultsOf), ...tagged.faults] }
}
