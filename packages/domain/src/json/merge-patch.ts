import { isPlainObject, ownMember } from '../codec/json-object.js'

/**
 * RFC 7396 §2: the target with the members of the patch; null removes a member, and an object changes the members of the
 * object there. A patch that is no object replaces the target. Total for all values without cycles.
 */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isPlainObject(patch)) return patch
  const present = isPlainObject(target) ? target : {}
  const names = [...new Set([...Object.keys(present), ...Object.keys(patch)])]
  const merged = (name: string): unknown =>
    Object.hasOwn(patch, name) ? mergePatch(ownMember(present, name), patch[name]) : present[name]
  return Object.fromEntries(names.filter((name) => ownMember(patch, name) !== null).map((name) => [name, merged(name)]))
}
