// What registration makes of the members that were sent: RFC 7591 §2.
import { type ClientMetadata, readMembers } from '../client/metadata.js'
import { addedMembers, droppedMembers, presetMembers } from '../client/schema.js'
import { isPlainObject } from '../kernel/json-object.js'
import type { Changes } from './types.js'

/** Of a body as it was read. */
export const changesOf = (body: unknown, metadata: ClientMetadata): Changes => ({
  added: addedMembers(isPlainObject(body) ? readMembers(body).metadata : body, metadata),
  dropped: droppedMembers(body, presetMembers),
})
