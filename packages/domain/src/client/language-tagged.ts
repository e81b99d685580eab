import * as E from 'fp-ts/lib/Either.js'
import type { Fault } from '../codec/fault.js'
import { fault } from '../codec/fault.js'
import { validationFaults } from '../codec/validation-faults.js'
import { humanReadableMembers, members } from './members.js'

type HumanReadableMember = (typeof humanReadableMembers)[number]

/** RFC 7591 §2.2: as in client_name#ja-Jpan-JP */
export type LanguageTagged = { readonly [member: `${HumanReadableMember}#${string}`]: string }

type Tagged = {
  readonly name: string
  readonly member: HumanReadableMember
  readonly tag: string
  readonly value: unknown
}

const maximumVariants = 64
const maximumTagLength = 35
// So that a refusal stays small, no more of a faulty name is told.
const mostTold = 80

// RFC 5646 §2.1: language, script, region, variants, extensions and private use; or private use alone
const languageTag =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?|x(?:-[a-z\d]{1,8})+)$/i
// RFC 5646 §2.1: grandfathered tags that do not have this form
const irregularTag =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i

const isLanguageTag = (tag: string): boolean =>
  tag.length <= maximumTagLength && (languageTag.test(tag) || irregularTag.test(tag))

const taggedMember = ([name, value]: readonly [string, unknown]): ReadonlyArray<Tagged> => {
  const member = name.includes('#') ? humanReadableMembers.find((each) => name.startsWith(`${each}#`)) : undefined
  return member === undefined || value === undefined
    ? []
    : [{ name, member, tag: name.slice(member.length + 1), value }]
}

// A cut in the middle of a character would leave half of it, which readers refuse.
const told = (name: string): string => {
  const cut = name.slice(0, mostTold)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

const faultsOf = ({ name, member, tag, value }: Tagged): ReadonlyArray<Fault> => {
  if (!isLanguageTag(tag)) return [fault('language-tag')(told(name))]
  const decoded = members[member].type.codec.decode(value)
  return E.isRight(decoded) ? [] : validationFaults(name)(decoded.left)
}

// RFC 5646 §2.1.1: tags are compared without regard to case
const repetitionFaults = (all: ReadonlyArray<Tagged>): ReadonlyArray<Fault> => {
  const names = all.map(({ name }) => name.toLowerCase())
  return all
    .filter((_, index) => names.indexOf(names[index] ?? '') < index)
    .map(({ name }) => fault('language-tag-repeated')(told(name)))
}

/** The variants that keep the rules, and what is wrong with the others. */
export const readLanguageTagged = (
  entries: ReadonlyArray<readonly [string, unknown]>,
): { readonly tagged: LanguageTagged; readonly faults: ReadonlyArray<Fault> } => {
  const sent = entries.flatMap(taggedMember)
  const all = sent.slice(0, maximumVariants)
  const [first, tooMany] = [sent[0]?.member ?? '', sent.length > maximumVariants]
  const sound = all.filter((each) => faultsOf(each).length === 0)
  return {
    tagged: Object.fromEntries(sound.map(({ name, value }) => [name, String(value)])),
    faults: [...(tooMany ? [fault('language-tags')(first)] : []), ...all.flatMap(faultsOf), ...repetitionFaults(all)],
  }
}
