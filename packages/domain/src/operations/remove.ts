// Removing a client: RFC 7592 §2.3, and by the operator.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditActor, actorOf, actorOfOperator } from '../audit/entries.js'
import type { HashText, PresentedCredential, TokenHash } from '../authorization/credential.js'
import { ClientId } from '../client/ids.js'
import {
  type InvalidRequest,
  type PreconditionFailed,
  type PreconditionRequired,
  type Unavailable,
  unknownClient,
} from '../kernel/refusals.js'
import { secondsAfter } from '../kernel/time.js'
import type { LifeCyclePolicy } from '../life-cycle/states.js'
import type { Answer, Clock, Hashing, Turns } from '../ports/outside.js'
import type { ClientChanged, ClientRegistry, ClientRemoval, Tombstones } from '../ports/store.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type IfMatch, type RegisteredClient, checkPrecondition } from '../registration/registered-client.js'
import {
  type ConfigurationRefusal,
  authorizeConfiguration,
  refusalWithoutClient,
  suspended,
} from '../registration/configuration.js'
import { type AuditPorts, type OperatorRequest, type WithOrigin, audited } from './audit.js'
import {
  type NamedVersion,
  type Remover,
  type UnknownVersion,
  authorizedCredential,
  findNamedClient,
  findVersion,
} from './caller.js'
import { confirmed, confirmingRefusals, serializeOnConflict } from './conflicts.js'

// What is left of a removed client, so that its application learns what to do: docs/decisions/life-cycle-of-clients.md.

/** The keyed digest by which a client_id is remembered. */
export const rememberedId = (hashToken: HashText, id: string): TokenHash => hashToken(`removed client ${id}`)

export const tombstones = (
  { tombstoneLifetime }: Pick<LifeCyclePolicy, 'tombstoneLifetime'>,
  { now, hashToken }: Clock & Hashing,
): Tombstones => ({
  tombstone: (id) => ({ id: rememberedId(hashToken, id), until: secondsAfter(now(), tombstoneLifetime) }),
})

/** RFC 6585 §3; RFC 9110 §13.1.1: * is any version */
const isOfAnyVersion = (isRequired: boolean, ifMatch: IfMatch): boolean =>
  ifMatch === '*' || (ifMatch === undefined && !isRequired)

/** RFC 7592 §2.3 */
type DeleteClientRequest = WithOrigin & {
  readonly caller: Remover
  readonly ifMatch?: IfMatch
  /** Told to whoever may remove the client, which stays. */
  readonly fault?: InvalidRequest | undefined
}

type DeleteRefusal = ConfigurationRefusal | PreconditionFailed | PreconditionRequired | InvalidRequest

type DeleteClientPorts = ClientRegistry & Clock & AuditPorts & Turns & Tombstones

/** The token that must be the client's newest one; none for an operator, or where the read version was authorized. */
const requiredToken = (credential: PresentedCredential, read: RegisteredClient | undefined): O.Option<TokenHash> =>
  credential.kind === 'token' && read === undefined ? O.some(credential.hash) : O.none

/** The client in the version that the request names. */
const namedVersion = (
  isRequired: boolean,
  ports: DeleteClientPorts,
): ((request: DeleteClientRequest) => Answer<RegisteredClient, DeleteRefusal>) => {
  const find = findNamedClient(ports)
  return (request) =>
    pipe(
      find(request.caller),
      TE.flatMapEither((found) => authorizeConfiguration(request.caller.credential, found, ports.now())),
      TE.map(({ client }) => client),
      TE.tap((client) => TE.fromEither(checkPrecondition(isRequired, request.ifMatch)(client))),
    )
}

/** The client, and what is written with its removal. */
const removalOf = (
  ports: Clock & AuditPorts & Tombstones,
  request: WithOrigin,
  actor: AuditActor,
  client_id: ClientId,
): Pick<ClientRemoval, 'client_id' | 'tombstone' | 'audit'> => ({
  client_id,
  tombstone: ports.tombstone(client_id),
  audit: audited(ports, request, { at: ports.now(), action: 'client_deleted', client_id, actor }),
})

const removeBy =
  (ports: DeleteClientPorts) =>
  (
    request: DeleteClientRequest,
    clientId: ClientId,
    read: RegisteredClient | undefined,
  ): Answer<void, DeleteRefusal | ClientChanged> => {
    const { credential } = request.caller
    const removal = removalOf(ports, request, actorOf(credential, 'registration_access_token'), clientId)
    return pipe(
      ports.removeClient({ ...removal, token: requiredToken(credential, read), read }),
      TE.mapLeft((failure) => {
        if (failure.error === 'client_suspended') return suspended
        return failure.error === 'unknown_client' ? refusalWithoutClient(credential) : failure
      }),
    )
  }

// A token that is not the newest one may be the one before it, in its grace.
const mayPrecede = (
  { caller: { credential } }: DeleteClientRequest,
  { error }: DeleteRefusal | ClientChanged | Unavailable,
): boolean => credential.kind === 'token' && error === 'invalid_token'

/**
 * Removes the client and all that is recorded for it. Unless the request names a version of the client or presents the
 * token before the newest one, nothing is decrypted: the store compares the token, and removes unreadable clients too.
 */
export const deleteClient = (
  { requiresIfMatch = false }: Pick<RegistrationSettings, 'requiresIfMatch'>,
  ports: DeleteClientPorts,
): ((request: DeleteClientRequest) => Answer<void, DeleteRefusal>) => {
  const readNamed = namedVersion(requiresIfMatch, ports)
  const remove = removeBy(ports)
  return (request) => {
    const { caller, ifMatch, fault } = request
    const { clientId } = caller
    const authorized = authorizedCredential(caller)
    // The token of a client that the same request has removed before opens nothing.
    if (E.isLeft(authorized))
      return caller.credential.kind === 'token' ? confirmed(ports)(authorized) : TE.fromEither(authorized)
    if (!ClientId.is(clientId)) return TE.left(refusalWithoutClient(authorized.right))
    if (fault !== undefined)
      return pipe(
        readNamed(request),
        TE.flatMap(() => TE.left(fault)),
      )
    const removedByVersion = pipe(
      readNamed(request),
      TE.flatMap((read) => remove(request, clientId, read)),
    )
    const removed = isOfAnyVersion(requiresIfMatch, ifMatch)
      ? pipe(
          remove(request, clientId, undefined),
          TE.orElse((failure) => (mayPrecede(request, failure) ? removedByVersion : TE.left(failure))),
        )
      : removedByVersion
    // It may have been removed by the same request before.
    return pipe(
      serializeOnConflict(ports, `client ${clientId}`)(removed),
      confirmingRefusals(ports, ['unknown_client', 'invalid_token']),
    )
  }
}

// The operator removes a client of the list: docs/operate/operators.md#managing-clients.

/**
 * Removes a client with all that is recorded for it, as DELETE /clients/{id} does. Unless the request names one version,
 * nothing is decrypted, so that unreadable clients are removed too.
 */
export const removeListedClient =
  (
    { requiresIfMatch = false }: Pick<RegistrationSettings, 'requiresIfMatch'>,
    ports: ClientRegistry & Clock & AuditPorts & Tombstones & Turns,
  ) =>
  (request: OperatorRequest<'clients:write'> & NamedVersion): Answer<void, UnknownVersion> => {
    const { operator, clientId, ifMatch } = request
    if (!ClientId.is(clientId)) return TE.left(unknownClient)
    const removal = removalOf(ports, request, actorOfOperator(operator), clientId)
    const remove = (read: RegisteredClient | undefined) => ports.removeClient({ ...removal, token: O.none, read })
    const removed = isOfAnyVersion(requiresIfMatch, ifMatch)
      ? remove(undefined)
      : pipe(findVersion(ports, request, requiresIfMatch), TE.flatMap(remove))
    return pipe(
      serializeOnConflict(ports, `client ${clientId}`)(removed),
      // Only a client that removes itself is refused as suspended. It may have been removed by the same request before.
      TE.mapLeft((refusal) => (refusal.error === 'client_suspended' ? unknownClient : refusal)),
      confirmingRefusals(ports, ['unknown_client']),
    )
  }
