import { reportedName } from '../codec/reported-name.js'
import { memberOfVariant } from './language-tagged.js'
import { emptiableMembers, isMemberName } from './members.js'
import type { ClientMetadata } from './client-metadata.js'

/** The members that preset the credentials of a client; they are not metadata. */
export const presetMembers: ReadonlyArray<string> = ['preferred_client_id', 'preferred_client_secret']
/** RFC 7592 §2.2: the members of the client information response that an update may repeat. */
export const repeatedMembers: ReadonlyArray<string> = ['client_id', 'client_secret']

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

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** RFC 7591 §2: the members that registration added or replaced: defaults and claims of the software statement. */
export const addedMembers = (sent: unknown, metadata: ClientMetadata): Readonly<Record<string, unknown>> => {
  const body: ReadonlyMap<string, unknown> = new Map(Object.entries(sent ?? {}))
  return Object.fromEntries(Object.entries(metadata).filter(([name, value]) => !isSame(body.get(name), value)))
}
