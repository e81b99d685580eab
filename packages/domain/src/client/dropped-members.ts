import { type Fault, fault, pointerOf } from '../codec/fault.js'
import { nearestName } from '../codec/nearest-name.js'
import { reportedName } from '../codec/reported-name.js'
import { memberOfVariant } from './language-tagged.js'
import { emptiableMembers, isMemberName, members } from './members.js'
import type { ClientMetadata } from './client-metadata.js'

/** The members that preset the credentials of a client; they are not metadata. */
export const presetMembers: ReadonlyArray<string> = ['preferred_client_id', 'preferred_client_secret']
/** RFC 7592 §2.2: the members of the client information response that an update may repeat, and its warnings. */
export const repeatedMembers: ReadonlyArray<string> = ['client_id', 'client_secret', 'warnings']

/** RFC 7592 §2.2: members that an update request must not include. */
export const serverIssued: ReadonlyArray<string> = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
]

const isKnown = (name: string): boolean => isMemberName(name) || memberOfVariant(name) !== undefined

const emptiable: ReadonlySet<string> = new Set(emptiableMembers)

/** RFC 7591 §2: names of the body that are not known metadata, nor among `others`, or that say nothing; they are dropped. */
export const droppedMembers = (sent: unknown, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.entries(sent ?? {})
    .filter(([name, value]) => (isKnown(name) ? value === '' && emptiable.has(name) : !others.includes(name)))
    .map(([name]) => name)

const maxReported = 50

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

/** Why a member is dropped, and which may be meant: the end of a sentence that names it. */
export const droppedText = (name: string): string => {
  if (isKnown(name)) return 'is empty'
  const [base = '', ...tag] = name.split('#')
  const meant = nearestName(base, knownNames)
  if (meant === undefined) return 'is unknown'
  return `is unknown: did you mean ${meant}${tag.length > 0 && base !== meant ? ' with the language tag' : ''}?`
}

export type DroppedWarning = Warning<'unknown-member' | 'empty-member'>

/** RFC 7591 §2: a warning for each dropped name. */
export const droppedWarnings = (names: ReadonlyArray<string>): ReadonlyArray<DroppedWarning> =>
  reportedNames(names).map((name) => ({
    pointer: pointerOf([name]),
    rule: isKnown(name) ? 'empty-member' : 'unknown-member',
    description: `The member was left out, because it ${droppedText(name)}`,
  }))

/** A fault for each name that is no member of a body; a name is told to be unknown, and is not repeated. */
export const unknownMembers = (sent: unknown): ReadonlyArray<Fault> =>
  reportedNames(
    droppedMembers(sent, [...repeatedMembers, ...serverIssued, ...presetMembers]).filter((name) => !isKnown(name)),
  ).map((name) => ({ ...fault('unknown-member')(name), description: `A member ${droppedText(name)}` }))

/** Those that are spelt nearly as a member is: in a refused body, they may be the cause. */
export const misspeltMembers = (sent: unknown): ReadonlyArray<Fault> =>
  unknownMembers(sent).filter(({ description }) => description.includes('did you mean'))

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** RFC 7591 §2: the members that registration added or replaced: defaults and claims of the software statement. */
export const addedMembers = (sent: unknown, metadata: ClientMetadata): Readonly<Record<string, unknown>> => {
  const body: ReadonlyMap<string, unknown> = new Map(Object.entries(sent ?? {}))
  return Object.fromEntries(Object.entries(metadata).filter(([name, value]) => !isSame(body.get(name), value)))
}
