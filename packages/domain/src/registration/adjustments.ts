// What registration sets or leaves out although the client did not ask for it, with the reason: RFC 7591 §2, §3.2.1.
import { type ClientMetadata, memberNamed } from '../client/metadata.js'
import { isReadMember } from '../client/schema.js'
import { maxReported, pointerOf } from '../kernel/faults.js'
import { isList, isPlainObject, ownMember } from '../kernel/json-object.js'
import { reportedName } from '../kernel/values.js'

type Body = Readonly<Record<string, unknown>>

/** Adjustments by id: the member, if it is always the same one, and the text that follows its name. */
export const adjustmentTexts = {
  'application-type-inferred': [
    'application_type',
    'is native, because it was left out and redirect_uris are those of an installed application: send application_type to choose',
  ],
  'application-type-replaced': [
    'application_type',
    'is native in place of web, because redirect_uris have private-use schemes: send native',
  ],
  'response-types-narrowed': [
    'response_types',
    'has the response types that the authorization server supports, and the others were left out: see response_types_supported',
  ],
  'scope-empty': ['scope', 'was left out, because it names no scope value: send at least one, or leave it out'],
  'empty-left-out': ['', 'was left out, because it is null or empty: send a value, or leave it out'],
  'repetition-left-out': ['', 'lost its repeated entries: send each entry once'],
  'charset-replaced': [
    'Content-Type',
    'names the charset utf8, and the body was read as UTF-8: send charset=utf-8, or leave it out',
  ],
} as const

type AdjustmentId = keyof typeof adjustmentTexts

export type Adjustment = {
  /** RFC 6901 */
  readonly pointer: string
  readonly rule: AdjustmentId
  readonly description: string
}

const adjustmentAt = (rule: AdjustmentId, name: string): Adjustment => ({
  pointer: pointerOf([reportedName(name)]),
  rule,
  description: `${memberNamed(name)} ${adjustmentTexts[rule][1]}`,
})

const adjustment = (rule: Exclude<AdjustmentId, SloppyId>): Adjustment => adjustmentAt(rule, adjustmentTexts[rule][0])

const typeRules: ReadonlyMap<unknown, 'application-type-inferred' | 'application-type-replaced'> = new Map([
  [undefined, 'application-type-inferred'],
  ['web', 'application-type-replaced'],
])

// The claims of a software statement set members as well, so that nothing is said about these members of such a client.
const hasStatement = (body: Body): boolean => ownMember(body, 'software_statement') !== undefined

const typeRule = (body: Body, { application_type }: ClientMetadata) =>
  application_type === 'native' && !hasStatement(body) ? typeRules.get(ownMember(body, 'application_type')) : undefined

const isNarrowed = (body: Body, { response_types }: ClientMetadata): boolean => {
  const sent = ownMember(body, 'response_types')
  return Array.isArray(sent) && sent.length > response_types.length && !hasStatement(body)
}

/** The adjustments of a body that was registered as this metadata. */
export const adjustmentsOf = (body: unknown, metadata: ClientMetadata): ReadonlyArray<Adjustment> => {
  if (!isPlainObject(body)) return []
  const type = typeRule(body, metadata)
  return [
    ...(type === undefined ? [] : [adjustment(type)]),
    ...(isNarrowed(body, metadata) ? [adjustment('response-types-narrowed')] : []),
    ...(ownMember(body, 'scope') === '' ? [adjustment('scope-empty')] : []),
  ]
}

// Sloppy bodies. RFC 7592 §2.2: what is null or empty counts as left out. Serializers write null for a member without a
// value, forms write an empty text, and merged defaults repeat the entries of a list.

type SloppyId = 'empty-left-out' | 'repetition-left-out' | 'charset-replaced'

/** RFC 8259 §8.1: JSON is UTF-8, whatever a Content-Type calls it. The pointer is that of the whole body. */
export const charsetReplaced: Adjustment = {
  pointer: pointerOf([]),
  rule: 'charset-replaced',
  description: adjustmentTexts['charset-replaced'].join(' '),
}

/** The members of which an empty list asks for their default, beside redirection URIs. */
const listsWithDefault = ['grant_types', 'response_types']

// RFC 7591 §2: a client without redirection URIs may have neither, and says so by empty lists.
const isAnswered = (body: Body): boolean => {
  const uris = ownMember(body, 'redirect_uris')
  return isList(uris) && uris.length > 0
}

// The empty text of a scope has an adjustment of its own, in every body.
const isEmpty = (name: string, value: unknown, body: Body): boolean => {
  if (value === null) return true
  if (value === '') return name !== 'scope'
  return isList(value) && value.length === 0 && listsWithDefault.includes(name) && isAnswered(body)
}

const sloppyRule = (body: Body, name: string, value: unknown): SloppyId | undefined => {
  if (!isReadMember(name)) return undefined
  if (isEmpty(name, value, body)) return 'empty-left-out'
  return isList(value) && new Set(value).size < value.length ? 'repetition-left-out' : undefined
}

type TidiedBody = { readonly body: Body; readonly adjustments: ReadonlyArray<Adjustment> }

/** The body without what says nothing, and with each entry of a list once; of many adjustments, the first are told. */
export const tidiedBody = (body: Body): TidiedBody => {
  const entries = Object.entries(body)
  const found = entries.flatMap(([name, value]) => {
    const rule = sloppyRule(body, name, value)
    return rule === undefined ? [] : [{ name, rule }]
  })
  if (found.length === 0) return { body, adjustments: [] }
  const rules = new Map(found.map(({ name, rule }) => [name, rule]))
  const kept = entries
    .filter(([name]) => rules.get(name) !== 'empty-left-out')
    .map(([name, value]) => [name, rules.has(name) && isList(value) ? [...new Set(value)] : value] as const)
  const adjustments = found.slice(0, maxReported).map(({ name, rule }) => adjustmentAt(rule, name))
  return { body: Object.fromEntries(kept), adjustments }
}

/** The same of any body, where the service is lenient. */
export const tidiedIf = (
  lenient: boolean | undefined,
  body: unknown,
): { readonly body: unknown; readonly adjustments: ReadonlyArray<Adjustment> } =>
  lenient === true && isPlainObject(body) ? tidiedBody(body) : { body, adjustments: [] }
