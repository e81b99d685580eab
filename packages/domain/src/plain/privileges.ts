// What a scope of registration permits.
import * as E from 'fp-ts/lib/Either.js'
import { isNothing, missingPrivileges, neededScopeValues, parseRegistrationScope } from '../authorization/registrant.js'
import { refused } from './refused.js'
import type { Privileges, Refused } from './types.js'

export interface ReadPrivileges {
  readonly ok: true
  readonly privileges: Privileges
}

/** The privileges of a scope of registration, such as `client-reg:grant:code client-reg:scope`. */
export const readPrivileges = (scope: unknown): ReadPrivileges | Refused => {
  const read = parseRegistrationScope(scope)
  return E.isLeft(read) ? refused(read.left) : { ok: true, privileges: read.right.privileges }
}

export interface ComparedPrivileges {
  readonly ok: true
  /** Whether the granted scope permits all that the requested one does. */
  readonly permitted: boolean
  /** The least privileges to add so that it does. */
  readonly missing: Privileges
  /** The scope values that grant them. */
  readonly needed: ReadonlyArray<string>
}

/** Compares two scopes of registration: requested ≤ granted. */
export const comparePrivileges = (granted: unknown, requested: unknown): ComparedPrivileges | Refused => {
  const held = readPrivileges(granted)
  if (!held.ok) return held
  const wanted = readPrivileges(requested)
  if (!wanted.ok) return wanted
  const missing = missingPrivileges(held.privileges)(wanted.privileges)
  return { ok: true, permitted: isNothing(missing), missing, needed: neededScopeValues(missing) }
}
