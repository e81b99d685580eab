import type { Fault } from '../codec/fault.js'
import { fault } from '../codec/fault.js'
import { validationFaults } from '../codec/validation-faults.js'
import * as E from 'fp-ts/lib/Either.js'
import { humanReadableMembers, members } from './members.js'

type HumanReadableMember = (typeof humanReadableMembers)[number]

/** RFC 7591 §2.2: as in client_name#ja-Jpan-JP */
export type LanguageTagged = { readonly [member: `${HumanReadableMember}#${string}`]: string }

const maximumVariants = 64
const maximumTagLength = 35
// So that a refusal stays small, no more of a faulty name is told.
const mostTold = 80
// RFC 5646 §2.1: subtags of one to eight letters or digits; the first is of letters
const languageTag = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/

const memberOf = (name: string): HumanReadableMember | undefined =>
  humanReadableMembers.find((member) => name.startsWith(`${member}#`))

const isLanguageTag = (tag: string): boolean => tag.length <= maximumTagLength && languageTag.test(tag)

const faultsOf = ([name, value]: readonly [string, unknown]): ReadonlyArray<Fault> => {
  const member = memberOf(name)
  if (member === undefined) return []
  const [decoded, tag] = [members[member].decode(value), name.slice(member.length + 1)]
  if (!isLanguageTag(tag)) return [fault('language-tag')(name.slice(0, mostTold))]
  return E.isRight(decoded) ? [] : validationFaults(decoded.left).map((found) => fault(found.rule)(name))
}

const taggedEntries = (body: Readonly<Record<string, unknown>>): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(body).filter(([name, value]) => memberOf(name) !== undefined && value !== undefined)

/** The variants that keep the rules, and what is wrong with the others. */
export const readLanguageTagged = (
  body: Readonly<Record<string, unknown>>,
): { readonly tagged: LanguageTagged; readonly faults: ReadonlyArray<Fault> } => {
  const entries = taggedEntries(body)
  if (entries.length > maximumVariants)
    return { tagged: {}, faults: [fault('language-tags')(memberOf(entries[0]?.[0] ?? '') ?? '')] }
  const sound = entries.filter((entry) => faultsOf(entry).length === 0)
  return {
    tagged: Object.fromEntries(sound.map(([name, value]) => [name, String(value)])),
    faults: entries.flatMap(faultsOf),
  }
}
