import * as E from 'fp-ts/lib/Either.js'
import { isSameJson } from '../codec/json-object.js'
import { spaceDelimitedValues } from '../codec/space-delimited.js'
import { isOperatorsClient } from '../client/registered-by.js'
import { type ClientMetadata, withDefaults } from '../client/client-metadata.js'
import type { RequestedClientMetadata } from '../client/read-members.js'
import { type InsufficientScope, type MissingToken, missingToken } from '../errors.js'
import type { Operator } from '../authorization/operator.js'
import type { Registrant } from '../authorization/authorize-registrant.js'
import {
  type Privileges,
  intersection,
  isNothing,
  missingPrivileges,
  noPrivileges,
  union,
  onlyValues,
} from '../authorization/privileges.js'
import { neededScopeValues } from '../authorization/registration-scope.js'
import { permitRegistrationScope } from './permit-registration-scope.js'

declare const permission: unique symbol

/** Client metadata that was permitted. Only this file makes it, and only it can be registered. */
export type PermittedMetadata = ClientMetadata & { readonly [permission]: true }

/**
 * The privileges that the effective metadata requests: defaults count, so that an absent member requests its default.
 */
export const requestedPrivileges = (metadata: ClientMetadata): Privileges => ({
  grant_types: onlyValues(metadata.grant_types),
  scope: metadata.scope === undefined ? [] : onlyValues(spaceDelimitedValues(metadata.scope)),
  data: metadata.data !== undefined,
  preferred_client_id: false,
  preferred_client_secret: false,
})

/** The metadata, and whether the registration presets the identifier and the secret: all that needs a privilege. */
export type RequestedRegistration = {
  readonly metadata: ClientMetadata
  readonly preferred_client_id: unknown
  readonly preferred_client_secret: unknown
}

const requestedByRegistration = (request: RequestedRegistration): Privileges => ({
  ...requestedPrivileges(request.metadata),
  preferred_client_id: request.preferred_client_id !== undefined,
  preferred_client_secret: request.preferred_client_secret !== undefined,
})

const namesOf = (missing: Privileges): string =>
  Object.entries<Privileges[keyof Privileges]>(missing)
    .filter(([, part]) => part === true || (part !== false && part.length > 0))
    .map(([name]) => name)
    .join(', ')

const insufficientScope = (missing: Privileges): InsufficientScope => ({
  error: 'insufficient_scope',
  error_description: `${namesOf(missing)}: beyond what the token permits, needed: ${neededScopeValues(missing).join(' ')}`,
})

const beyondOpen = (missing: Privileges): MissingToken =>
  missingToken(
    `${namesOf(missing)}: beyond open registration, which needs an initial access token with ${neededScopeValues(missing).join(' ')}`,
  )

const permitted = (metadata: ClientMetadata): PermittedMetadata => metadata as PermittedMetadata

/** An import with the authority of the operator, who has all privileges. */
export const permittedByOperator = (_operator: Operator, metadata: ClientMetadata): PermittedMetadata =>
  permitted(metadata)

/** The privileges that a registration requests, those of them that the registrant lacks, and the resulting answer. */
export type Permission = {
  readonly requested: Privileges
  readonly missing: Privileges
  readonly answer: E.Either<MissingToken | InsufficientScope, PermittedMetadata>
}

const refusalOf = (missing: Privileges, registrant: Registrant | undefined): MissingToken | InsufficientScope =>
  registrant === undefined || registrant.by === 'nobody' ? beyondOpen(missing) : insufficientScope(missing)

const mayDelegate = ({ by, withoutDelegation }: Registrant): boolean =>
  isOperatorsClient({ registered_by: by }) && withoutDelegation !== true

/**
 * RFC 7591 §3.2.2, RFC 6750 §3.1: permitted where requested ≤ granted; a registrant without a token is told to present
 * one.
 */
export const judgePermission = (registrant: Registrant | undefined, request: RequestedRegistration): Permission => {
  const requested = requestedByRegistration(request)
  const missing = missingPrivileges(registrant?.granted ?? noPrivileges)(requested)
  const answer = isNothing(missing)
    ? permitRegistrationScope(registrant !== undefined && mayDelegate(registrant))(permitted(request.metadata))
    : E.left(refusalOf(missing, registrant))
  return { requested, missing, answer }
}

export const permitRegistration =
  (registrant: Registrant) =>
  (request: RequestedRegistration): Permission['answer'] =>
    judgePermission(registrant, request).answer

/**
 * The privileges that an update may use beyond the recorded ones: those for values that the client has already, and
 * data that does not change.
 */
export const storedPrivileges = (current: ClientMetadata, next: ClientMetadata): Privileges => ({
  ...requestedPrivileges(current),
  data: isSameJson(current.data, next.data),
})

/**
 * RFC 7592 §2.2: an update gains no privileges. It may use those for present values and those of the registration, all
 * limited by the present ceiling.
 */
export const permitUpdate =
  (granted: Privileges, ceiling: Privileges, current: ClientMetadata) =>
  (next: ClientMetadata): E.Either<InsufficientScope, PermittedMetadata> => {
    const permittedNow = intersection(ceiling, union(granted, storedPrivileges(current, next)))
    const missing = missingPrivileges(permittedNow)(requestedPrivileges(next))
    return isNothing(missing) ? E.right(permitted(next)) : E.left(insufficientScope(missing))
  }

/**
 * The metadata that a store reads back and authenticates as written. It is not judged again, so that stored clients
 * stay readable under later rules. Defaults that are newer than the client are added.
 */
export const storedMetadata = (json: Readonly<Record<string, unknown>>): PermittedMetadata =>
  permitted(withDefaults(json as RequestedClientMetadata))
