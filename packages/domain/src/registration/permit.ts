// Which metadata the registrant may register.
import * as E from 'fp-ts/lib/Either.js'
import type { Operator } from '../authorization/credential.js'
import {
  type Privileges,
  type Registrant,
  allPrivileges,
  intersection,
  isNothing,
  isRegistrationScopeValue,
  missingPrivileges,
  neededScopeValues,
  noPrivileges,
  onlyValues,
  union,
} from '../authorization/registrant.js'
import { type ClientId, isOperatorsClient } from '../client/ids.js'
import { type ClientMetadata, type RequestedClientMetadata, withDefaults } from '../client/metadata.js'
import { isSameJson } from '../kernel/json-object.js'
import { type InsufficientScope, type MissingToken, insufficientScope, missingToken } from '../kernel/refusals.js'
import { spaceDelimitedValues } from '../kernel/values.js'
import { type ClientEntries, beyondEntry } from '../policy/policy.js'

// Specification §5.1: a client whose scope contains values of registration gets access tokens that register clients.

const registrationValuesOf = ({ scope }: Pick<ClientMetadata, 'scope'>): ReadonlyArray<string> =>
  scope === undefined ? [] : spaceDelimitedValues(scope).filter(isRegistrationScopeValue)

const operatorOnly = insufficientScope(
  'scope: client-reg, and values that begin with client-reg:, need the master token, or an operator token with tokens, because such a client registers others',
)

/**
 * Only an operator adds such values, with the privilege `tokens`. No initial access token does, whatever its scope: its holder would gain privileges that
 * it does not have, for any number of clients. An update keeps those that the client has.
 */
export const permitRegistrationScope =
  (permitted: boolean, current: Pick<ClientMetadata, 'scope'> = {}) =>
  <Metadata extends Pick<ClientMetadata, 'scope'>>(next: Metadata): E.Either<InsufficientScope, Metadata> => {
    const present = registrationValuesOf(current)
    const adds = registrationValuesOf(next).some((value) => !present.includes(value))
    return adds && !permitted ? E.left(operatorOnly) : E.right(next)
  }

const beyondEntryOfClient = insufficientScope(
  'scope: beyond the entry in clients of the registration policy about this client, whatever token is sent: leave out what the entry does not have, or ask the operator to extend it',
)

/** RFC 7592 §2.2: an update by the client stays within the entry about it, also with present values. */
export const permitEntry =
  (entries: ClientEntries | undefined, client_id: ClientId) =>
  <Metadata extends ClientMetadata>(next: Metadata): E.Either<InsufficientScope, Metadata> =>
    beyondEntry(entries, client_id, requestedPrivileges(next)).length > 0 ? E.left(beyondEntryOfClient) : E.right(next)

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
type RequestedRegistration = {
  readonly metadata: ClientMetadata
  readonly preferred_client_id: unknown
  readonly preferred_client_secret: unknown
}

const requestedByRegistration = (request: RequestedRegistration): Privileges => ({
  ...requestedPrivileges(request.metadata),
  preferred_client_id: request.preferred_client_id !== undefined,
  preferred_client_secret: request.preferred_client_secret !== undefined,
})

const needsAnyScope = (missing: Privileges): boolean => neededScopeValues(missing).includes('client-reg:scope')

const scopeNames = (missing: Privileges): string =>
  missing.scope === 'any' || needsAnyScope(missing) ? 'scope' : `scope (${missing.scope.join(' ')})`

const namesOf = (missing: Privileges): string =>
  Object.entries<Privileges[keyof Privileges]>(missing)
    .filter(([, part]) => part === true || (part !== false && part.length > 0))
    .map(([name]) => (name === 'scope' ? scopeNames(missing) : name))
    .join(', ')

// A token may permit some values of scope alone.
const neededText = (missing: Privileges): string =>
  neededScopeValues(missing).join(' ') +
  (needsAnyScope(missing) ? ' (client-reg:scope:VALUE for each value is enough)' : '')

const beyondToken = (missing: Privileges): InsufficientScope =>
  insufficientScope(`${namesOf(missing)}: beyond what the token permits, needed: ${neededText(missing)}`)

const openScopeText = ({ scope }: Privileges): string => {
  const fewer = scope === 'any' || scope.length === 0 ? '' : `, or ask for no more than ${scope.join(' ')}`
  return `. Without one, leave scope out${fewer} (the operator sets open-registration-scopes)`
}

const beyondOpen = (missing: Privileges, granted: Privileges): MissingToken => {
  const needed = `${namesOf(missing)}: beyond open registration, which needs an initial access token with ${neededText(missing)}`
  const { error, error_description } = missingToken(needed)
  const without = missing.scope.length === 0 ? '' : openScopeText(granted)
  return { error, error_description: `${error_description}${without}` }
}

const beyondCeilings = (beyond: Privileges): string =>
  `${namesOf(beyond)}: beyond the ceilings of the registration policy, whatever initial access token is sent: leave it out, or ask the operator to register the client or to raise the ceiling`

// Where a ceiling is in the way, no scope of a token would help.
const underCeiling = (
  ceiling: Privileges,
  missing: Privileges,
  otherwise: (reachable: Privileges) => InsufficientScope,
): InsufficientScope => {
  const beyond = missingPrivileges(ceiling)(missing)
  if (isNothing(beyond)) return otherwise(missing)
  const reachable = missingPrivileges(beyond)(missing)
  const rest = isNothing(reachable) ? '' : `; ${otherwise(reachable).error_description}`
  return insufficientScope(`${beyondCeilings(beyond)}${rest}`)
}

/** RFC 7592 §2.2: no token of the client has more than its registration. */
const beyondRegistration = (missing: Privileges): InsufficientScope =>
  insufficientScope(
    `${namesOf(missing)}: beyond what the client was registered with, which its own updates do not extend: leave it out, ask the operator, or register anew with an initial access token with ${neededText(missing)}`,
  )

const permitted = (metadata: ClientMetadata): PermittedMetadata => metadata as PermittedMetadata

/** An import with the authority of the operator, who has all privileges. */
export const permittedByOperator = (_operator: Operator, metadata: ClientMetadata): PermittedMetadata =>
  permitted(metadata)

/** The privileges that a registration requests, those of them that the registrant lacks, and the resulting answer. */
type Permission = {
  readonly requested: Privileges
  readonly missing: Privileges
  readonly answer: E.Either<MissingToken | InsufficientScope, PermittedMetadata>
}

const refusalOf = (missing: Privileges, registrant: Registrant | undefined): MissingToken | InsufficientScope => {
  const { by = 'nobody', granted = noPrivileges, ceiling = allPrivileges } = registrant ?? {}
  if (by !== 'nobody') return underCeiling(ceiling, missing, beyondToken)
  const beyond = missingPrivileges(ceiling)(missing)
  return isNothing(beyond)
    ? beyondOpen(missing, granted)
    : missingToken(`${beyondCeilings(beyond)}. A registration by the operator needs a token`)
}

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
    return isNothing(missing) ? E.right(permitted(next)) : E.left(underCeiling(ceiling, missing, beyondRegistration))
  }

/**
 * The metadata that a store reads back and authenticates as written. It is not judged again, so that stored clients
 * stay readable under later rules. Defaults that are newer than the client are added.
 */
export const storedMetadata = (json: Readonly<Record<string, unknown>>): PermittedMetadata =>
  permitted(withDefaults(json as RequestedClientMetadata))
