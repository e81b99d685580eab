import * as E from 'fp-ts/lib/Either.js'
import { isSameJson } from '../codec/json-object.js'
import { spaceDelimitedValues } from '../codec/space-delimited.js'
import { type ClientMetadata, withDefaults } from '../client/client-metadata.js'
import type { RequestedClientMetadata } from '../client/read-members.js'
import { type InsufficientScope, type MissingToken, missingToken } from '../errors.js'
import type { Registrant } from '../authorization/authorize-registrant.js'
import {
  type Privileges,
  intersection,
  isNothing,
  missingPrivileges,
  noPrivileges,
  union,
} from '../authorization/privileges.js'
import { neededScopeValues } from '../authorization/registration-scope.js'
import { onlyValues } from '../authorization/value-set.js'

declare const permission: unique symbol

/** Client metadata that somebody was permitted to register. Only this file makes it, and only it can be registered. */
export type PermittedMetadata = ClientMetadata & { readonly [permission]: true }

/** What the effective metadata asks for: defaults count, so that leaving a member out asks for its default. */
export const askedPrivileges = (metadata: ClientMetadata): Privileges => ({
  grant_types: onlyValues(metadata.grant_types),
  scope: metadata.scope === undefined ? [] : onlyValues(spaceDelimitedValues(metadata.scope)),
  data: metadata.data !== undefined,
  preferred_client_id: false,
  preferred_client_secret: false,
})

/** The metadata, and the members that preset the identifier and the secret: what may be asked for by a registration. */
export type RequestedRegistration = {
  readonly metadata: ClientMetadata
  readonly preferred_client_id: unknown
  readonly preferred_client_secret: unknown
}

const requestedByRegistration = (request: RequestedRegistration): Privileges => ({
  ...askedPrivileges(request.metadata),
  preferred_client_id: request.preferred_client_id !== undefined,
  preferred_client_secret: request.preferred_client_secret !== undefined,
})

const insufficientScope = (missing: Privileges): InsufficientScope => {
  const names = Object.entries<Privileges[keyof Privileges]>(missing).filter(
    ([, part]) => part === true || (part !== false && part.length > 0),
  )
  return {
    error: 'insufficient_scope',
    error_description: `${names.map(([name]) => name).join(', ')}: beyond what the token permits, needed: ${neededScopeValues(missing).join(' ')}`,
  }
}

const permitted = (metadata: ClientMetadata): PermittedMetadata => metadata as PermittedMetadata

/** What a registration requests, what of it the registrant lacks, and the answer that follows. */
export type Permission = {
  readonly requested: Privileges
  readonly missing: Privileges
  readonly answer: E.Either<MissingToken | InsufficientScope, PermittedMetadata>
}

const refusalOf = (missing: Privileges, registrant: Registrant | undefined): MissingToken | InsufficientScope =>
  registrant === undefined || registrant.by === 'nobody' ? missingToken : insufficientScope(missing)

/** RFC 7591 §3.2.2, RFC 6750 §3.1: permission is requested ≤ held; a registrant without a token is told to bring one. */
export const judgePermission = (registrant: Registrant | undefined, request: RequestedRegistration): Permission => {
  const requested = requestedByRegistration(request)
  const missing = missingPrivileges(registrant?.held ?? noPrivileges)(requested)
  const answer = isNothing(missing) ? E.right(permitted(request.metadata)) : E.left(refusalOf(missing, registrant))
  return { requested, missing, answer }
}

export const permitRegistration =
  (registrant: Registrant) =>
  (request: RequestedRegistration): Permission['answer'] =>
    judgePermission(registrant, request).answer

/** What an update may ask for beyond the recorded privileges: what the client has already, data as it stands. */
export const keptPrivileges = (current: ClientMetadata, next: ClientMetadata): Privileges => ({
  ...askedPrivileges(current),
  data: isSameJson(current.data, next.data),
})

/**
 * RFC 7592 §2.2: no step up by an update; it keeps what the client has and adds what its registration was allowed, all of it
 * under today's ceiling.
 */
export const permitUpdate =
  (held: Privileges, ceiling: Privileges, current: ClientMetadata) =>
  (next: ClientMetadata): E.Either<InsufficientScope, PermittedMetadata> => {
    const permittedNow = intersection(ceiling, union(held, keptPrivileges(current, next)))
    const missing = missingPrivileges(permittedNow)(askedPrivileges(next))
    return isNothing(missing) ? E.right(permitted(next)) : E.left(insufficientScope(missing))
  }

/** The metadata as permitted, where that was decided before. */
export const permittedWhenStored = permitted

/**
 * The metadata that a store reads back, which proves that it is what was written: it was permitted and judged then, and is not
 * judged anew, so that whatever was stored can be read under later rules. A default that is newer than the client is added.
 */
export const storedMetadata = (json: Readonly<Record<string, unknown>>): PermittedMetadata =>
  permitted(withDefaults(json as RequestedClientMetadata))
