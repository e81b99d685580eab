// What registration makes of the members that were sent: RFC 7591 §2.
import { type ClientMetadata, readMembers } from '../client/metadata.js'
import { addedMembers, droppedMembers } from '../client/schema.js'
import { isPlainObject } from '../kernel/json-object.js'
import type { Changes } from './types.js'

type Registering = Changes & { readonly metadata: ClientMetadata }

const parsed: (json: string) => ClientMetadata = JSON.parse

/**
 * Of a body, of what is left of it where sloppy ones are taken, and of the other members that are read. The metadata is a copy, so that its holder may change
 * it: it shares nothing with the body and the defaults.
 */
export const changesOf = (
  body: unknown,
  tidy: unknown,
  valid: ClientMetadata,
  others: ReadonlyArray<string>,
): Registering => {
  const metadata = parsed(JSON.stringify(valid))
  const sent = isPlainObject(body) ? body : {}
  const leftOut = Object.keys(sent).filter(
    (name) => isPlainObject(tidy) && !Object.hasOwn(tidy, name) && !Object.hasOwn(metadata, name),
  )
  return {
    metadata,
    added: addedMembers(readMembers(sent).metadata, metadata),
    dropped: [...droppedMembers(tidy, others), ...leftOut],
  }
}
