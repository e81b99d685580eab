import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { type Fault, fault, faultsAt } from '../codec/fault.js'
import { reportedName } from '../codec/reported-name.js'
import { type NameWith, humanReadableMembers, members } from './members.js'

type HumanReadableMember = NameWith<'languageTagged'>

/** RFC 7591 §2.2: members like client_name#ja-Jpan-JP; the variants of keywords are lists. */
export type LanguageTagged = {
  readonly [member: `${HumanReadableMember}#${string}`]: string | ReadonlyArray<string>
}

type Entry = readonly [name: string, value: unknown]

type Tagged = {
  readonly name: string
  readonly member: HumanReadableMember
  readonly tag: string
  readonly value: unknown
}

const maxVariants = 64
const maxTagLength = 35

// RFC 5646 §2.1: language, script, region, variants, extensions and private use; or private use alone
const languageTag =
  /^(?:(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?|x(?:-[a-z\d]{1,8})+)$/i
// RFC 5646 §2.1: grandfathered tags without this form
const irregularTag =
  /^(?:en-GB-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:BE-FR|BE-NL|CH-DE))$/i

const isLanguageTag = (tag: string): boolean =>
  tag.length <= maxTagLength && (languageTag.test(tag) || irregularTag.test(tag))

const isTagged = ([name]: Entry): boolean => name.includes('#')

const humanReadable: ReadonlySet<string> = new Set(humanReadableMembers)

const isHumanReadable = (name: string): name is HumanReadableMember => humanReadable.has(name)

/** RFC 7591 §2.2: the member of which a name with a language tag is a variant. */
export const memberOfVariant = (name: string): HumanReadableMember | undefined => {
  const end = name.indexOf('#')
  const member = end === -1 ? '' : name.slice(0, end)
  return isHumanReadable(member) ? member : undefined
}

const taggedMember = ([name, value]: Entry): ReadonlyArray<Tagged> => {
  const member = memberOfVariant(name)
  return member === undefined ? [] : [{ name, member, tag: name.slice(member.length + 1), value }]
}

const isValid = ({ member, tag, value }: Tagged): boolean => isLanguageTag(tag) && members[member].type.codec.is(value)

const faultsOf = ({ name, member, tag, value }: Tagged): ReadonlyArray<Fault> =>
  isLanguageTag(tag)
    ? faultsAt(name, members[member].type.codec.brokenRules(value))
    : [fault('language-tag')(reportedName(name))]

// RFC 5646 §2.1.1: tags are compared without regard to case
const repetitionFaults = (all: ReadonlyArray<Tagged>): ReadonlyArray<Fault> => {
  const names = all.map(({ name }) => name.toLowerCase())
  return all
    .filter((_, index) => names.indexOf(names[index] ?? '') < index)
    .map(({ name }) => fault('language-tag-repeated')(reportedName(name)))
}

/** The valid variants, and the faults of the others. */
export const readLanguageTagged = (
  entries: ReadonlyArray<Entry>,
): { readonly valid: ReadonlyArray<Entry>; readonly faults: ReadonlyArray<Fault> } => {
  const sent = entries.filter(isTagged).flatMap(taggedMember)
  const all = sent.slice(0, maxVariants)
  const { left: invalid, right: valid } = RA.partition(isValid)(all)
  return {
    valid: valid.map(({ name, value }) => [name, value]),
    faults: [
      ...(sent.length > maxVariants ? [fault('language-tags')(sent[0]?.member ?? '')] : []),
      ...invalid.flatMap(faultsOf),
      ...repetitionFaults(all),
    ],
  }
}
