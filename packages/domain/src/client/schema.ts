// Client metadata as a JSON Schema, and what a registration or a document leaves out.
import { ruleTexts } from '../kernel/all-rules.js'
import { type Fault, fault, maxReported, memberOfFault, pointerOf, withoutTag } from '../kernel/faults.js'
import { type JsonObject, isSameText } from '../kernel/json-object.js'
import { type RuleKind, uriRules, valueRules } from '../kernel/rule-texts.js'
import { nearestName, reportedName } from '../kernel/values.js'
import {
  type Member,
  type MemberName,
  type MemberProperties,
  defaultInWords,
  emptiableMembers,
  humanReadableMembers,
  isMemberName,
  members,
} from './members.js'
import { type ClientMetadata, memberOfVariant } from './metadata.js'

type Described = Omit<Member<unknown>, 'type'> &
  MemberProperties<unknown> & { readonly type: { readonly schema: JsonObject } }

const described = (member: Described): JsonObject => {
  const byDefault = defaultInWords(member)
  const without = byDefault === undefined ? '' : `Without it: ${byDefault}. `
  return { ...member.type.schema, description: `${member.about}. ${without}${member.reference}` }
}

const memberSchemas = Object.fromEntries(Object.entries(members).map(([name, member]) => [name, described(member)]))

// RFC 7591 §2.2
const taggedSchemas = Object.fromEntries(
  humanReadableMembers.map((name) => [
    `^${name}#`,
    { ...members[name].type.schema, description: `${name} in the language (BCP 47) after #. RFC 7591 §2.2` },
  ]),
)

const importSchemas: JsonObject = {
  preferred_client_id: {
    type: 'string',
    pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._~-]{1,128}$',
    description: 'The client_id of an imported client',
  },
  preferred_client_secret: {
    type: 'string',
    pattern: '^[ -~]{32,256}$',
    description: 'The client_secret of an imported client',
  },
}

/**
 * The body of a registration as a JSON Schema. It accepts every body that registration accepts, and also some that only
 * rules across members or rules about a value's content refuse.
 */
export const clientMetadataSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'client-metadata.schema.json',
  title: 'OAuth 2.0 client metadata',
  description: 'The body of POST /clients. Members that are not listed are dropped: RFC 7591 §2.',
  type: 'object',
  properties: { ...memberSchemas, ...importSchemas },
  patternProperties: taggedSchemas,
  additionalProperties: true,
}

/** The members that preset the credentials of a client; they are not metadata. */
export const presetMembers: ReadonlyArray<string> = ['preferred_client_id', 'preferred_client_secret']
/** RFC 7592 §2.2: the members of the client information response that an update may repeat, and two of our own. */
export const echoedMembers: ReadonlyArray<string> = ['client_id', 'client_secret', 'approval', 'warnings']

/** RFC 7592 §2.2: members that an update request must not include. */
export const serverIssued: ReadonlyArray<string> = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
]

/** Whether the name is that of a member, or of a variant of one in another language. */
export const isKnown = (name: string): boolean => isMemberName(name) || memberOfVariant(name) !== undefined

/** Whether a registration reads the member, and does not drop it. */
export const isReadMember = (name: string): boolean => isKnown(name) || presetMembers.includes(name)

const emptiable: ReadonlySet<string> = new Set(emptiableMembers)

/** RFC 7591 §2: names of the body that are not known metadata, nor among `others`, or that say nothing; they are dropped. */
export const droppedMembers = (sent: unknown, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.entries(sent ?? {})
    .filter(([name, value]) => (isKnown(name) ? value === '' && emptiable.has(name) : !others.includes(name)))
    .map(([name]) => name)

/** The first of the names, each cut to the length that is reported. */
export const reportedNames = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.slice(0, maxReported).map(reportedName)

/** What the service leaves out or does not use of valid metadata. */
export type Warning<Rule extends string> = {
  /** RFC 6901 */
  readonly pointer: string
  readonly rule: Rule
  /** Fixed ASCII: never contains the value, nor a name that the client chose. */
  readonly description: string
}

const knownNames: ReadonlyArray<string> = Object.keys(members)

type Unknown = { readonly name: string; readonly meant: string | undefined }

// Comparing a name costs more than reading it, and anybody may send a body.
const maxCompared = 8

const unknown = (name: string): Unknown => ({ name, meant: nearestName(withoutTag(name), knownNames) })

const unknownText = ({ name, meant }: Unknown): string => {
  if (meant === undefined) return 'is unknown'
  const isTagged = name.includes('#') && !name.startsWith(`${meant}#`)
  return `is unknown: did you mean ${meant}${isTagged ? ' with the language tag' : ''}?`
}

/** Why a member is dropped, and which may be meant: the end of a sentence that names it. */
export const droppedText = (name: string): string => (isKnown(name) ? 'is empty' : unknownText(unknown(name)))

export type DroppedWarning = Warning<'unknown-member' | 'empty-member'>

/** RFC 7591 §2: a warning for each dropped name. */
export const droppedWarnings = (names: ReadonlyArray<string>): ReadonlyArray<DroppedWarning> =>
  reportedNames(names).map((name) => ({
    pointer: pointerOf([name]),
    rule: isKnown(name) ? 'empty-member' : 'unknown-member',
    description: `The member was left out, because it ${droppedText(name)}`,
  }))

const others: ReadonlyArray<string> = [...echoedMembers, ...serverIssued, ...presetMembers]

const unknownIn = (sent: unknown): ReadonlyArray<Unknown> =>
  reportedNames(droppedMembers(sent, others).filter((name) => !isKnown(name))).map((name, place) =>
    place < maxCompared ? unknown(name) : { name, meant: undefined },
  )

// The description does not repeat the name.
const unknownFault = (found: Unknown): Fault => ({
  ...fault('unknown-member')(found.name),
  description: `A member ${unknownText(found)}`,
})

/** A fault for each name of a body that is no member. */
export const unknownMembers = (sent: unknown): ReadonlyArray<Fault> => unknownIn(sent).map(unknownFault)

/** Those that are spelt nearly as a member is: in a refused body, they may be the cause. */
export const misspeltMembers = (sent: unknown): ReadonlyArray<Fault> =>
  unknownIn(sent)
    .filter(({ meant }) => meant !== undefined)
    .map(unknownFault)

/** RFC 7591 §2: the members that registration added or replaced: defaults and claims of the software statement. */
export const addedMembers = (sent: unknown, metadata: ClientMetadata): Readonly<Record<string, unknown>> => {
  const body: ReadonlyMap<string, unknown> = new Map(Object.entries(sent ?? {}))
  return Object.fromEntries(Object.entries(metadata).filter(([name, value]) => !isSameText(body.get(name), value)))
}

const lossOf = (name: MemberName): RuleKind => {
  const member: Described = members[name]
  return member.loss ?? 'safety'
}

const isOfValue = (rule: string): boolean => Object.hasOwn(valueRules, rule) || Object.hasOwn(uriRules, rule)

/**
 * What the fault is about: the stricter of its rule and of what a client loses without its member, except that a member which
 * is only shown is never about more than looks.
 */
export const kindOfFault = (found: Pick<Fault, 'pointer' | 'rule'>): RuleKind => {
  const { kind } = ruleTexts[found.rule]
  // A rule across members says by itself what is lost.
  if (!isOfValue(found.rule)) return kind
  const name = memberOfFault(found)
  const loss = isMemberName(name) ? lossOf(name) : kind
  return loss === 'looks' || kind !== 'safety' ? loss : kind
}
