// What a document loses, so that only safety refuses it: draft-ietf-oauth-client-id-metadata-document-02 §4.1, RFC 7591 §2.
import { humanReadableMembers, isMemberName, members } from '../client/members.js'
import { maxVariants, memberNamed, memberOfVariant } from '../client/metadata.js'
import { kindOfFault } from '../client/schema.js'
import { type Fault, nameOfFault, pointerOf } from '../kernel/faults.js'
import { isList, ownMember } from '../kernel/json-object.js'
import { isSpaceDelimited, reportedName, spaceDelimitedValues } from '../kernel/values.js'

type Document = Readonly<Record<string, unknown>>

/** A fault, at its place in the document as it is published, and how it was mended. */
export type Loss = { readonly fault: Fault; readonly how: 'left-out' | 'shortened' }

/** A document with less, and where the entries of its lists stood. */
type Narrowing = {
  readonly document: Document
  readonly places: Readonly<Record<string, ReadonlyArray<number>>>
  readonly losses: ReadonlyArray<Loss>
}

type Mended = Pick<Loss, 'how'> & {
  /** Undefined where the member is left out. */
  readonly value: unknown
  /** The remaining entries of a list, by their indexes. */
  readonly kept?: ReadonlyArray<number>
}

const leftOut: Mended = { how: 'left-out', value: undefined }

// RFC 6901: the index in a list is the second step.
const indexOf = ({ pointer }: Fault): number | undefined => {
  const step = pointer.split('/')[2]
  return step === undefined ? undefined : Number(step)
}

/** Where the fault stands in the published document. */
const placed = (fault: Fault, { places }: Narrowing): Fault => {
  const index = indexOf(fault)
  const place = index === undefined ? undefined : places[nameOfFault(fault)]?.[index]
  return place === undefined ? fault : { ...fault, pointer: pointerOf([nameOfFault(fault), place]) }
}

const limitOf = (name: string, limit: 'maxLength' | 'maxItems'): number => {
  const member = memberNamed(name)
  const found = isMemberName(member) ? members[member].type.schema[limit] : undefined
  return typeof found === 'number' ? found : 0
}

/** The beginning of a text, of at most so many characters. */
export const beginningOf = (text: string, most: number): string => {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  // Unicode UAX #29: a sign that people see as one is not cut. The first segmenter of a process takes 2.5 MiB and 10 ms.
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const longest = characters.slice(0, most).join('').length
  // What follows the last sign decides where it ends.
  const ends = Array.from(graphemes.segment(characters.slice(0, most + 1).join('')), ({ index }) => index)
  return text.slice(0, Math.max(0, ...ends.filter((end) => end <= longest))).trimEnd()
}

const shortened = (name: string, text: string): Mended => {
  const value = beginningOf(text, limitOf(name, 'maxLength'))
  const member = memberNamed(name)
  const isValid = value !== text && isMemberName(member) && members[member].type.codec.is(value)
  return isValid ? { how: 'shortened', value } : leftOut
}

// Without the member, the client could ask for more than its document says.
const knownScope = (value: unknown): Mended | undefined => {
  const values = typeof value === 'string' ? value.split(/\s+/).filter(isSpaceDelimited) : []
  const scope = spaceDelimitedValues(values.join(' ')).join(' ')
  const isValid = members.scope.type.codec.is(scope)
  return isValid ? { how: 'left-out', value: scope } : undefined
}

const entriesWithout = (list: ReadonlyArray<unknown>, name: string, faults: ReadonlyArray<Fault>): Mended => {
  const bad = new Set(faults.map(indexOf))
  const isCut = faults.some(({ rule }) => rule === 'array-size')
  const good = Array.from(list.keys()).filter((index) => !bad.has(index))
  const kept = isCut ? good.slice(0, limitOf(name, 'maxItems')) : good
  return kept.length === 0 ? leftOut : { how: 'left-out', value: kept.map((index) => list[index]), kept }
}

// A part of a URI, or of the name of software, would be another one.
const readable: ReadonlySet<string> = new Set(humanReadableMembers)

const canBeShort = (name: string, faults: ReadonlyArray<Fault>): boolean =>
  readable.has(memberNamed(name)) && faults.every(({ rule }) => rule === 'text' || rule === 'long-text')

const isOfList = (fault: Fault): boolean => indexOf(fault) !== undefined || fault.rule === 'array-size'

/** The member without what breaks the rules; undefined where it cannot be mended. */
const mended = (name: string, value: unknown, faults: ReadonlyArray<Fault>): Mended | undefined => {
  if (name === 'scope') return knownScope(value)
  if (isList(value) && faults.every(isOfList)) return entriesWithout(value, name, faults)
  return typeof value === 'string' && canBeShort(name, faults) ? shortened(name, value) : leftOut
}

/** The members of a document that must not be lost as a whole. */
export type NeededMembers = ReadonlySet<string>

const withoutFaultsOf = (state: Narrowing, needed: NeededMembers, name: string, faults: ReadonlyArray<Fault>) => {
  // Only the beginning of a long name is reported.
  const key = Object.keys(state.document).find((each) => reportedName(each) === name)
  if (key === undefined) return state
  const less = mended(key, ownMember(state.document, key), faults)
  if (less === undefined || (less.value === undefined && needed.has(key))) return state
  const entries = Object.entries(state.document).filter(([each]) => each !== key || less.value !== undefined)
  const places = state.places[key]
  return {
    document: Object.fromEntries(entries.map(([each, value]) => [each, each === key ? less.value : value])),
    places:
      less.kept === undefined
        ? state.places
        : { ...state.places, [key]: less.kept.map((index) => places?.[index] ?? index) },
    losses: [...state.losses, ...faults.map((fault) => ({ fault: placed(fault, state), how: less.how }))],
  }
}

// RFC 7591 §2.2: the fault is reported at a member that may be valid, and the variants after the first ones are too many.
const withoutVariants = (state: Narrowing, fault: Fault): Narrowing => {
  const variants = Object.keys(state.document).filter((name) => memberOfVariant(name) !== undefined)
  const tooMany = new Set(variants.slice(maxVariants))
  const document = Object.fromEntries(Object.entries(state.document).filter(([name]) => !tooMany.has(name)))
  return { ...state, document, losses: [...state.losses, { fault, how: 'left-out' }] }
}

// CIBA §4: the fault is told at the member that is missing, and the mode is what needs it.
const lostFor = (fault: Fault): string =>
  fault.rule === 'ciba-notification-endpoint' ? 'backchannel_token_delivery_mode' : nameOfFault(fault)

/** The document without what breaks these rules of capability or looks; the same one where nothing can be left out. */
const withoutFaults = (state: Narrowing, needed: NeededMembers, faults: ReadonlyArray<Fault>): Narrowing => {
  const tooMany = faults.find(({ rule }) => rule === 'language-tags')
  if (tooMany !== undefined) return withoutVariants(state, tooMany)
  const names = [...new Set(faults.map(lostFor))]
  return names.reduce<Narrowing>(
    (narrowed, name) =>
      withoutFaultsOf(
        narrowed,
        needed,
        name,
        faults.filter((fault) => lostFor(fault) === name),
      ),
    state,
  )
}

// A misspelt member may be what is missing, and is dropped as every unknown one; that there are more faults is none itself.
const isHint = ({ rule }: Fault): boolean => rule === 'unknown-member' || rule === 'more-faults'

const isUnsafe = (fault: Fault): boolean => !isHint(fault) && kindOfFault(fault) === 'safety'

// What one rule leaves may break another one.
const maxPasses = 8

type Judged = { readonly faults: ReadonlyArray<Fault> }

export type NarrowedDocument<Read extends Judged> = {
  /** What was read of the document that is left. */
  readonly read: Read
  readonly document: Document
  readonly losses: ReadonlyArray<Loss>
  /** For which the document is refused. */
  readonly faults: ReadonlyArray<Fault>
}

const narrowedIn = <Read extends Judged>(
  judge: (document: Document) => Read,
  needed: NeededMembers,
  state: Narrowing,
  passes: number,
): NarrowedDocument<Read> => {
  const read = judge(state.document)
  const isRefused = read.faults.some(isUnsafe)
  const mendable = isRefused || passes === 0 ? [] : read.faults.filter((fault) => !isHint(fault))
  const next = withoutFaults(state, needed, mendable)
  if (next !== state) return narrowedIn(judge, needed, next, passes - 1)
  const refusing = isRefused ? read.faults.filter((fault) => isUnsafe(fault) || isHint(fault)) : read.faults
  const { document, losses } = state
  return { read, document, losses, faults: refusing.map((fault) => placed(fault, state)) }
}

/**
 * Leaves out of the document what breaks rules of capability or looks, and judges what is left, until nothing breaks them.
 * A document that breaks a rule of safety is refused for that alone, and one of which too little would be left with its
 * faults.
 */
export const narrowDocument =
  <Read extends Judged>(judge: (document: Document) => Read, needed: NeededMembers) =>
  (document: Document): NarrowedDocument<Read> =>
    narrowedIn(judge, needed, { document, places: {}, losses: [] }, maxPasses)
