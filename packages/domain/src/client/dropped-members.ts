import { toldName } from '../codec/told-name.js'
import { memberOfVariant } from './language-tagged.js'
import { isMemberName } from './members.js'

/** What presets the credentials of a client is no metadata of it. */
export const presetMembers: ReadonlyArray<string> = ['preferred_client_id', 'preferred_client_secret']
/** RFC 7592 §2.2: what an update may repeat of the client. */
export const repeatedMembers: ReadonlyArray<string> = ['client_id', 'client_secret']

/** RFC 7591 §2: the names that were sent and are unknown, so that they are dropped; the request may hold others than members. */
export const droppedMembers = (sent: unknown, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.keys(sent ?? {}).filter(
    (name) => !isMemberName(name) && memberOfVariant(name) === undefined && !others.includes(name),
  )

const maxTold = 50

/** The first of the names, each as far as it is told. */
export const toldNames = (names: ReadonlyArray<string>): ReadonlyArray<string> => names.slice(0, maxTold).map(toldName)
