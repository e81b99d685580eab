import type { ClientMetadata } from './client-metadata.js'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** RFC 7591 §2: the members that registration added or replaced: defaults and claims of the software statement. */
export const addedMembers = (sent: unknown, metadata: ClientMetadata): Readonly<Record<string, unknown>> => {
  const body: ReadonlyMap<string, unknown> = new Map(Object.entries(sent ?? {}))
  return Object.fromEntries(Object.entries(metadata).filter(([name, value]) => !isSame(body.get(name), value)))
}
