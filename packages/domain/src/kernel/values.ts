// Values of JSON and text: their types, and the words for them.
import * as t from 'io-ts'
import { type Judging, type RuleCodec, broken, listThat, nested, none, ruleCodec, valueThat } from './faults.js'
import { type JsonObject, isPlainObject, ownMember } from './json-object.js'
import type { MetadataRuleId } from './rule-texts.js'

// RFC 4648 §5, without padding: RFC 7515 §2
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const sextet = (text: string, index: number): number => Math.max(0, alphabet.indexOf(text.charAt(index)))

export const isBase64url = (text: string): boolean =>
  text !== '' && text.length % 4 !== 1 && !/[^A-Za-z0-9_-]/.test(text)

/** The number of bytes that the text encodes. */
export const byteLength = (text: string): number => Math.floor((text.length * 3) / 4)

/** The bit length of the encoded number; its first byte may be zero. */
export const bitLength = (text: string): number => {
  const significant = text.replace(/^A+/, '')
  if (significant === '') return 0
  const sextets = 6 * (significant.length - 1) + 32 - Math.clz32(sextet(significant, 0))
  const unused = text.length * 6 - byteLength(text) * 8
  return Math.max(0, sextets - unused)
}

/** Whether the encoded number is odd. */
export const isOdd = (text: string): boolean => {
  const unused = text.length * 6 - byteLength(text) * 8
  return ((sextet(text, text.length - 1) >> unused) & 1) === 1
}

/** The encoded text, an octet as a character: for text that is ASCII. */
export const decodedAscii = (text: string): string =>
  Array.from({ length: byteLength(text) }, (_, place) => {
    const bit = place * 8
    const first = Math.floor(bit / 6)
    const both = (sextet(text, first) << 6) | sextet(text, first + 1)
    return String.fromCharCode((both >> (4 - (bit % 6))) & 0xff)
  }).join('')

// RFC 6749 §3.3: scope-token *( SP scope-token ), each of %x21 / %x23-5B / %x5D-7E
const scopePattern = /^[\x21\x23-\x5B\x5D-\x7E]+(?: [\x21\x23-\x5B\x5D-\x7E]+)*$/

export const isSpaceDelimited = (text: string): boolean => scopePattern.test(text)

export const spaceDelimitedValues = (text: string): ReadonlyArray<string> => [...new Set(text.split(' '))]

/** The type of a member: the codec that decides, and a JSON Schema that covers as much of it as a schema can. */
export type ValueType<A> = {
  readonly codec: RuleCodec<A, MetadataRuleId>
  readonly schema: JsonObject
  /** All values of a closed set. */
  readonly values: ReadonlyArray<string>
}

/** A string, judged by a function that returns the rule it violates. */
export const judgedType = (
  schema: JsonObject,
  brokenRule: (text: string) => MetadataRuleId | undefined,
): ValueType<string> => ({
  codec: ruleCodec('string', (value) => {
    const rule = typeof value === 'string' ? brokenRule(value) : 'string'
    return rule === undefined ? none : [broken(rule)]
  }),
  schema: { type: 'string', ...schema },
  values: [],
})

export const textType = (
  rule: MetadataRuleId,
  schema: JsonObject,
  holds: (text: string) => boolean,
): ValueType<string> => judgedType(schema, (text) => (holds(text) ? undefined : rule))

/** One of a closed set of strings. */
export const choiceType = <Value extends string>(
  rule: MetadataRuleId,
  ...values: ReadonlyArray<Value>
): ValueType<Value> => {
  const all = new Set<unknown>(values)
  return {
    codec: valueThat(rule, (value): value is Value => all.has(value)),
    schema: { enum: values },
    values,
  }
}

/** An array without repetition, of at most so many entries. */
export const listType = <Item extends string>(
  item: ValueType<Item>,
  most: number,
  least: 0 | 1 = 0,
): ValueType<ReadonlyArray<Item>> => ({
  codec: listThat('array', item.codec, most, [
    ['array-size', (list) => list.length > most],
    ['array-empty', (list) => list.length < least],
    ['unique-items', (list) => new Set(list).size < list.length],
  ]),
  schema: {
    type: 'array',
    items: item.schema,
    ...(least > 0 ? { minItems: least } : {}),
    maxItems: most,
    uniqueItems: true,
  },
  values: item.values,
})

export const booleanType: ValueType<boolean> = {
  codec: valueThat('boolean', (value): value is boolean => typeof value === 'boolean'),
  schema: { type: 'boolean' },
  values: [],
}

/** A whole number, 0 or more. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0

export const secondsType: ValueType<number> = {
  codec: valueThat('seconds', isCount),
  schema: { type: 'integer', minimum: 0 },
  values: [],
}

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const group = /^[0-9A-Fa-f]{1,4}$/

const pairsOf = (quad: string): ReadonlyArray<string> => {
  const [a = 0, b = 0, c = 0, d = 0] = quad.split('.').map(Number)
  return [a * 256 + b, c * 256 + d].map((each) => each.toString(16))
}

// RFC 4291 §2.2: eight groups; one run of zeros may be left out, and the last two may be an IPv4 address
const groupsIn = (half: string): ReadonlyArray<number> | undefined => {
  const groups = half === '' ? [] : half.split(':')
  const last = groups.at(-1) ?? ''
  const whole = ipv4.test(last) ? [...groups.slice(0, -1), ...pairsOf(last)] : groups
  return whole.every((each) => group.test(each)) ? whole.map((each) => Number.parseInt(each, 16)) : undefined
}

/** The eight groups of an IPv6 address without brackets and zone; undefined for any other text. */
export const ipv6Groups = (text: string): ReadonlyArray<number> | undefined => {
  if (text.length > 45 || !text.includes(':')) return undefined
  const [before = '', after, ...more] = text.split('::')
  const head = groupsIn(before)
  const tail = groupsIn(after ?? '')
  if (head === undefined || tail === undefined || more.length > 0) return undefined
  const zeros = 8 - head.length - tail.length
  if (after === undefined) return zeros === 0 ? head : undefined
  return zeros > 0 && !before.includes('.') ? [...head, ...Array.from({ length: zeros }, () => 0), ...tail] : undefined
}

/** An IPv4 address, or an IPv6 address without brackets and zone. */
export const isIpAddress = (text: string): boolean => ipv4.test(text) || ipv6Groups(text) !== undefined

export const ipAddress = textType('ip-address', { maxLength: 45 }, isIpAddress)

// The maximum length of a reported name that the client chose, to limit the size of an answer.
const maxLength = 80

/** The beginning of a name. A cut never splits a surrogate pair, because readers refuse half of one. */
export const reportedName = (name: string): string => {
  const cut = name.slice(0, maxLength)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}

type ObjectRules<Rule> = {
  /** The rule that a value violates which is not an object. */
  readonly object: Rule
  /** The rule that an unknown name violates; where it is left out, unknown names are dropped. */
  readonly unknown?: Rule
}

/** An object with these fields: the faults of each field in their order, then the unknown names. */
export const objectOf =
  <Rule extends string>({ object, unknown }: ObjectRules<Rule>) =>
  <Fields extends Readonly<Record<string, Judging<Rule>>>>(
    fields: Fields,
  ): RuleCodec<{ readonly [Name in keyof Fields]: Fields[Name]['_A'] }, Rule> =>
    ruleCodec(object, (value) => {
      if (!isPlainObject(value)) return [broken(object)]
      const known = Object.entries(fields).flatMap(([name, field]) =>
        field.brokenRules(ownMember(value, name)).map(nested(name)),
      )
      if (unknown === undefined) return known
      const names = Object.keys(value).filter((name) => !Object.hasOwn(fields, name))
      return [...known, ...names.map((name) => broken(unknown, reportedName(name)))]
    })

/** The codec of an object with these members; others are left out of what it decodes. */
export const record = <Members extends t.Props>(
  name: string,
  members: Members,
): t.ReadonlyC<t.ExactC<t.TypeC<Members>>> => t.readonly(t.exact(t.type(members)), name)

/** The same, with members that may be left out. */
export const recordWith = <Members extends t.Props, Optional extends t.Props>(
  name: string,
  members: Members,
  optional: Optional,
): t.ReadonlyC<t.ExactC<t.IntersectionC<[t.TypeC<Members>, t.PartialC<Optional>]>>> =>
  t.readonly(t.exact(t.intersection([t.type(members), t.partial(optional)])), name)

type Row = ReadonlyArray<number>

// The row of Levenshtein distances for one more code unit, from the row before.
const nextRow = (row: Row, unit: string, other: string): Row => {
  const left = { distance: 0, above: 0 }
  return row.map((above, at) => {
    const replaced = left.above + (other[at - 1] === unit ? 0 : 1)
    left.distance = at === 0 ? above + 1 : Math.min(replaced, above + 1, left.distance + 1)
    left.above = above
    return left.distance
  })
}

const rowAtStart = (other: string): Row => Array.from({ length: other.length + 1 }, (_, at) => at)

// UTF-16 code units, as the lengths of texts are.
const unitsOf = (text: string): ReadonlyArray<string> => text.split('')

const tooFar: Row = []

// A distance is at least the least one of any row, so that most rows are never made, whatever a stranger sends.
const distanceWithin = (limit: number, one: string, other: string): number | undefined =>
  unitsOf(one).reduce(
    (row, unit) => (Math.min(...row) > limit ? tooFar : nextRow(row, unit, other)),
    rowAtStart(other),
  )[other.length]

const farthest = (name: string): number => Math.min(4, Math.max(2, name.length / 3))

/**
 * The nearest of the known names, within a third of its length, and at most four changes; undefined for a word that is
 * like none. A distance is at least the difference of the lengths, so that most names cost no more than to compare these.
 */
export const nearestName = (word: string, known: ReadonlyArray<string>): string | undefined =>
  known
    .filter((name) => Math.abs(word.length - name.length) <= farthest(name))
    .flatMap((name) => {
      const away = distanceWithin(farthest(name), word, name)
      return away === undefined || away > farthest(name) ? [] : [{ name, away }]
    })
    .sort((one, other) => one.away - other.away)[0]?.name
