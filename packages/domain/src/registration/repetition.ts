// Registrations that are requested again.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { HashText, PresentedCredential, TokenHash } from '../authorization/credential.js'
import { type JsonObject, isJsonObject, isSameJson, jsonInOrder, maxDepth } from '../kernel/json-object.js'
import {
  type IdempotencyConflict,
  type IdempotencyKeyReused,
  type InvalidRequest,
  idempotencyKeyReused,
  registrationChanged,
} from '../kernel/refusals.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import { isOpenClient, isSuspended } from '../life-cycle/states.js'
import type { RegisteredClient, Registration } from './registered-client.js'
import { signedTextOf } from './signed-body.js'

// The registration of a public client that repeats an unused one: docs/decisions/requests-sent-again.md.

// No party gets a secret of another: a client with a secret is never registered again as the same.
const isPublicAndOpen = (client: RegisteredClient): boolean =>
  isOpenClient(client) && client.secret === undefined && client.metadata.token_endpoint_auth_method === 'none'

/**
 * What a store finds a repeated registration by, as its keyed digest: the metadata and the address of the requester.
 * Undefined for a client that is not public and open, or if the address is unknown.
 */
export const fingerprintText = (client: RegisteredClient, address: string | undefined): string | undefined =>
  address === undefined || address === '' || !isPublicAndOpen(client)
    ? undefined
    : `registration ${jsonInOrder({ address, metadata: client.metadata })}`

/**
 * Whether the new registration gets the client_id of the stored one, and a new registration access token: only where the
 * stored client is what the new one would be. An update may have changed it since; and where the new one would wait, nobody
 * gets what an operator approved, while what he refused stays refused. The store finds the client by a column that anybody
 * who can write to the database may change: the fingerprint that is proven with the client decides.
 */
export const repeats = (stored: RegisteredClient, next: RegisteredClient): boolean =>
  stored.fingerprint !== undefined &&
  stored.fingerprint === next.fingerprint &&
  isPublicAndOpen(stored) &&
  isPublicAndOpen(next) &&
  !isSuspended(stored) &&
  (next.approval === undefined || stored.approval !== undefined) &&
  isSameJson(stored.metadata, next.metadata)

// draft-ietf-httpapi-idempotency-key-header-07 §2: a registration that is requested again with its key is answered again,
// so that a lost answer costs neither a second client nor the single use of an initial access token.

/** Seconds for which a registration is answered again. */
export const idempotencyLifetime = 86_400

/** A registration that was requested with a key. The key, the credential and the body are in keyed digests alone. */
export type KeyedRegistration = Registration & {
  /** Of the credential and the key: another credential finds nothing. */
  readonly key: TokenHash
  /** Of the body and of the other members, so that a changed row answers nothing. */
  readonly request: TokenHash
  readonly expires_at: EpochSeconds
}

/** A request for a registration with a key. */
export type KeyedRequest = { readonly key: TokenHash; readonly body: JsonObject }

type ReceivedRequest = {
  readonly credential: PresentedCredential
  readonly body: E.Either<InvalidRequest, unknown>
  /** The value of the header field Idempotency-Key. */
  readonly idempotencyKey?: string | undefined
  /** The address of the sender, unless it may be that of a proxy, which many share. */
  readonly ownAddress?: string | undefined
}

const isJsonBody = isJsonObject(maxDepth)

const hashIn = (credential: PresentedCredential): string | undefined =>
  'hash' in credential ? credential.hash : undefined

// Several installations may send one key that their program contains: without a credential, the address tells them apart,
// where it is known.
const senderOf = ({ credential, ownAddress }: ReceivedRequest): string | undefined =>
  credential.kind === 'none' ? ownAddress : hashIn(credential)

/** The members of a body, or the text of a JWT; named by their form, since JSON may have a member jwt. */
const comparedBody = (body: unknown): JsonObject | undefined => {
  const jwt = signedTextOf(body)
  if (O.isSome(jwt)) return { jwt: jwt.value }
  return isJsonBody(body) ? { json: body } : undefined
}

/** Undefined for a request without a key, and for one that registers nothing because of its body or its credential. */
export const keyedRequest =
  (hash: HashText) =>
  (request: ReceivedRequest): KeyedRequest | undefined => {
    const { credential, body, idempotencyKey } = request
    if (idempotencyKey === undefined || credential.kind === 'unusable' || E.isLeft(body)) return undefined
    const compared = comparedBody(body.right)
    const scope = { kind: credential.kind, sender: senderOf(request), key: idempotencyKey }
    return compared === undefined ? undefined : { key: hash(`idempotency key ${jsonInOrder(scope)}`), body: compared }
  }

type Bound = Omit<KeyedRegistration, 'request'>

// A program that sends its request again may write the members in another order (RFC 8259 §4).
const digestOf = (
  hash: HashText,
  { client_id, registration_id, key, expires_at }: Bound,
  body: JsonObject,
): TokenHash => hash(`idempotent registration ${jsonInOrder({ client_id, registration_id, key, expires_at, body })}`)

export const keyedRegistration =
  (hash: HashText) =>
  (
    { key, body }: KeyedRequest,
    { client_id, registration_id, client_id_issued_at }: RegisteredClient,
  ): KeyedRegistration => {
    const bound = {
      client_id,
      registration_id,
      key,
      expires_at: secondsAfter(client_id_issued_at, idempotencyLifetime),
    }
    return { ...bound, request: digestOf(hash, bound, body) }
  }

/** What is stored under the key of a request, and the client of that id. */
type FoundRegistration = {
  readonly found: O.Option<KeyedRegistration>
  readonly client: O.Option<RegisteredClient>
}

/**
 * The client whose registration is answered again; none where the request is the first with its key. A client that was
 * changed since is not answered: its credentials may be others now, which its own token reads.
 */
export const decideRepetition =
  (hash: HashText) =>
  (
    { key, body }: KeyedRequest,
    { found, client }: FoundRegistration,
    at: EpochSeconds,
  ): E.Either<IdempotencyKeyReused | IdempotencyConflict, O.Option<RegisteredClient>> => {
    if (O.isNone(found) || found.value.key !== key || found.value.expires_at <= at) return E.right(O.none)
    if (found.value.request !== digestOf(hash, found.value, body)) return E.left(idempotencyKeyReused)
    if (O.isNone(client) || client.value.registration_id !== found.value.registration_id) return E.right(O.none)
    return client.value.version === 1 ? E.right(client) : E.left(registrationChanged)
  }
