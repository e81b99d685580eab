import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Fault } from '../codec/fault.js'
import { validationFaults } from '../codec/validation-faults.js'
import type { LanguageTagged } from './language-tagged.js'
import { readLanguageTagged } from './language-tagged.js'
import type { KnownMembers } from './members.js'
import { isMemberName, members } from './members.js'

/** RFC 7591 §2, as sent: each member keeps its own rule, nothing is defaulted. */
export interface RequestedClientMetadata extends KnownMembers, LanguageTagged {}

export type ReadMembers = { readonly metadata: RequestedClientMetadata; readonly faults: ReadonlyArray<Fault> }

type Judge = t.Decoder<unknown, unknown> & { readonly is: (value: unknown) => boolean }
type Entry = readonly [name: string, value: unknown]

const faultsOf = ([name, value]: Entry): ReadonlyArray<Fault> => {
  if (!isMemberName(name)) return []
  const codec: Judge = members[name].type.codec
  // What is sound, as nearly everything is, is told without an account of how it was found.
  if (codec.is(value)) return []
  const decoded = codec.decode(value)
  return E.isRight(decoded) ? [] : validationFaults(name)(decoded.left)
}

const mayCount = (name: string): boolean => isMemberName(name) || name.includes('#')

/** The members that keep their own rules, and what is wrong with the others: all of it, not only the first. */
export const readMembers = (body: Readonly<Record<string, unknown>>): ReadMembers => {
  // Own members only: an inherited one is nobody's wish. Unknown ones are dropped (RFC 7591 §2).
  const entries = Object.entries(body).filter(([name, value]) => mayCount(name) && value !== undefined)
  const judged = entries.filter(([name]) => isMemberName(name)).map((entry) => ({ entry, faults: faultsOf(entry) }))
  const sound = judged.filter(({ faults }) => faults.length === 0).map(({ entry }) => entry)
  const { tagged, faults } = readLanguageTagged(entries)
  return {
    // Because each codec keeps its value as it is, what was judged is what was sent.
    metadata: { ...Object.fromEntries(sound), ...tagged },
    faults: [...judged.flatMap((each) => each.faults), ...faults],
  }
}
