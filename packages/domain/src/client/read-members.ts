import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RR from 'fp-ts/lib/ReadonlyRecord.js'
import type * as t from 'io-ts'
import type { Fault } from '../codec/fault.js'
import { validationFaults } from '../codec/validation-faults.js'
import type { LanguageTagged } from './language-tagged.js'
import { readLanguageTagged } from './language-tagged.js'
import type { KnownMembers, MemberName } from './members.js'
import { isMemberName, members } from './members.js'

/** RFC 7591 §2, as sent: each member keeps its own rule, nothing is defaulted. */
export interface RequestedClientMetadata extends KnownMembers, LanguageTagged {}

export type ReadMembers = { readonly metadata: RequestedClientMetadata; readonly faults: ReadonlyArray<Fault> }

type Judge = t.Decoder<unknown, unknown> & { readonly is: (value: unknown) => boolean }
type Entry = readonly [name: string, value: unknown]
type Known = readonly [name: MemberName, value: unknown]

const judgeOf = (name: MemberName): Judge => members[name].type.codec

const isKnown = (entry: Entry): entry is Known => isMemberName(entry[0])

const isSound = ([name, value]: Known): boolean => judgeOf(name).is(value)

const faultsOf = ([name, value]: Known): ReadonlyArray<Fault> => {
  const decoded = judgeOf(name).decode(value)
  return E.isRight(decoded) ? [] : validationFaults(name)(decoded.left)
}

/** The members that keep their own rules, and what is wrong with the others: all of it, not only the first. */
export const readMembers = (body: Readonly<Record<string, unknown>>): ReadMembers => {
  // Own members only: an inherited one is nobody's wish. Unknown ones are dropped (RFC 7591 §2).
  const entries: ReadonlyArray<Entry> = Object.entries(body).filter(([, value]) => value !== undefined)
  // What is sound, as nearly everything is, is told without an account of how it was found.
  const { left: faulty, right: sound } = RA.partition(isSound)(entries.filter(isKnown))
  const tagged = readLanguageTagged(entries)
  // Because each codec keeps its value as it is, what was judged is what was sent.
  const metadata: KnownMembers = RR.fromEntries([...sound, ...tagged.sound])
  return { metadata, faults: [...faulty.flatMap(faultsOf), ...tagged.faults] }
}
