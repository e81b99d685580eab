// Registering a client: RFC 7591 §3.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type AuditActor, type AuditRow, actorOf } from '../audit/entries.js'
import { type TokenHash, requesterOf } from '../authorization/credential.js'
import { authorizeRegistrant } from '../authorization/registrant.js'
import { preferredClientIdTaken } from '../client/metadata.js'
import type { ReadStatement } from '../client/statement.js'
import { ownMember } from '../kernel/json-object.js'
import {
  type IdempotencyConflict,
  type IdempotencyKeyReused,
  type RegistryFull,
  type Unavailable,
  invalidInitialAccessToken,
  registrationEnded,
} from '../kernel/refusals.js'
import type { Answer, Clock, CredentialGenerator, Hashing, SectorIdentifiers, Turns } from '../ports/outside.js'
import type {
  ClientChanged,
  ClientRegistry,
  ClientUses,
  RefusedAddition,
  RegisteredBefore,
  RegistryLimits,
} from '../ports/store.js'
import type { Adjustment } from '../registration/adjustments.js'
import {
  type DecidedRegistration,
  type RegistrationRefusal,
  type RegistrationSettings,
  type RegistrationTrace,
  traceFor,
} from '../registration/decide.js'
import {
  type ClientInformation,
  type ClientPreview,
  clientInformation,
  previewOfRegistration,
  warningsOf,
} from '../registration/information.js'
import { provenanceOf } from '../registration/provenance.js'
import {
  type RegisteredClient,
  type Representation,
  representing,
  withGeneratedToken,
  withProvenance,
} from '../registration/registered-client.js'
import {
  type KeyedRegistration,
  type KeyedRequest,
  decideRepetition,
  fingerprintText,
  keyedRegistration,
  keyedRequest,
  repeats,
} from '../registration/repetition.js'
import { type AuditPorts, type WithBody, type WithOrigin, auditedClient } from './audit.js'
import type { RegistrationCaller } from './caller.js'
import { confirmed, serializeOnConflict } from './conflicts.js'
import { type SentBodyPorts, checkSectorIdentifier, readSentBody } from './read-body.js'

/** RFC 7591 §3.1 */
type RegisterClientRequest = WithOrigin &
  WithBody & {
    readonly caller: RegistrationCaller
    /** The address of the requester, if known. */
    readonly remoteAddress?: string | undefined
    /** The same, unless it may be that of a proxy, which many share. */
    readonly ownAddress?: string | undefined
    /** draft-ietf-httpapi-idempotency-key-header-07: the same request with it is answered again. */
    readonly idempotencyKey?: string | undefined
    /** What was adjusted before the body was read. */
    readonly adjusted?: RegistrationTrace['tidied']
  }

type NotRepeated = IdempotencyKeyReused | IdempotencyConflict

type RegisterRefusal = RegistrationRefusal | RegistryFull | NotRepeated

type DecidingPorts = ClientRegistry & CredentialGenerator & SentBodyPorts & SectorIdentifiers

type RegisterClientPorts = DecidingPorts & ClientUses & Turns & Hashing & AuditPorts

// RFC 7591 §2.3: only a statement whose signature was verified has claims.
const issuerIn = (statement: O.Option<ReadStatement>): unknown =>
  O.isSome(statement) && E.isRight(statement.value) ? ownMember(statement.value.right, 'iss') : undefined

/** With the body as it was judged, and what a lenient service adjusted before. */
type DecidedBody = DecidedRegistration & { readonly sent: unknown } & Pick<RegistrationTrace, 'tidied'>

type Decide = (request: RegisterClientRequest) => Promise<E.Either<RegistrationRefusal | Unavailable, DecidedBody>>

const decide = (settings: RegistrationSettings, ports: DecidingPorts): Decide => {
  const authorized = authorizeRegistrant(settings.mode, settings.policy.ceilings)
  const readBody = readSentBody(settings, ports)
  const trace = traceFor(settings)
  const checkSector = checkSectorIdentifier(ports)
  return async ({ caller, body, remoteAddress, adjusted = [] }) => {
    const { credential } = caller
    if (caller.by === 'operator' && E.isLeft(caller.operator)) return caller.operator
    const token = caller.by === 'token' ? O.some(caller.own) : O.none
    const issued = ports.issue()
    // Authorization comes first, so that no signature is verified for an unauthorized requester.
    const registrant = authorized(credential, token, issued.at)
    if (E.isLeft(registrant)) return registrant
    const requester = requesterOf(credential, registrant.right.by, remoteAddress)
    const arrived = await readBody({ body, at: issued.at, requester })()
    if (E.isLeft(arrived)) return arrived
    const { body: json, statement } = arrived.right
    const { answer: decided, read, tidied } = trace(registrant, { body: json, statement, issued })
    if (E.isLeft(decided)) return decided
    const { client, consumedToken } = decided.right
    const sent = E.isRight(read) ? read.right.body : E.toUnion(json)
    const sector = await checkSector(client.metadata, requester)()
    if (E.isLeft(sector)) return sector
    const provenance = provenanceOf(O.toUndefined(consumedToken), issuerIn(statement))
    const known = { client: withProvenance(provenance, client), consumedToken, sent }
    return E.right({ ...known, tidied: [...adjusted, ...tidied] })
  }
}

const refusalOfStore = (
  error: Exclude<RefusedAddition, RegisteredBefore> | Unavailable,
): RegisterRefusal | Unavailable => {
  switch (error.error) {
    case 'client_id_taken':
      return preferredClientIdTaken
    case 'initial_access_token_spent':
      return invalidInitialAccessToken
    case 'requested_before':
      return registrationEnded
    case 'registry_full':
    case 'unavailable':
      return error
  }
}

export const limitsOf = ({ policy }: Pick<RegistrationSettings, 'policy'>): RegistryLimits => ({
  clients: policy.maximum_clients ?? Infinity,
  unusedOpenClients: policy.maximum_unused_open_clients ?? Infinity,
})

/** A decided client, who registers it, and by what a repetition of the request is found. */
type DecidedAddition = DecidedRegistration &
  WithOrigin & {
    readonly actor: AuditActor
    readonly keyed: KeyedRegistration | undefined
  }

const rowOf = (
  ports: AuditPorts,
  addition: DecidedAddition,
  action: 'client_registered' | 'client_repeated',
  client: RegisteredClient,
  before?: RegisteredClient,
): AuditRow | undefined =>
  auditedClient(
    ports,
    addition,
    { at: addition.client.client_id_issued_at, action, actor: addition.actor },
    client,
    before,
  )

/** The unused client that the registration repeats, with its new token; undefined if there is none. */
const repeatUnused = async (
  ports: RegisterClientPorts,
  addition: DecidedAddition,
  fingerprint: TokenHash,
): Promise<RegisteredClient | undefined> => {
  const repeat: Answer<RegisteredClient | undefined, ClientChanged> = async () => {
    const found = await ports.findUnused(fingerprint)()
    if (E.isLeft(found)) return found
    const stored = O.toUndefined(found.right)
    if (stored === undefined || !repeats(stored, addition.client)) return E.right(undefined)
    const next = withGeneratedToken(addition.client.registration_access_token)(stored)
    const audit = rowOf(ports, addition, 'client_repeated', next, stored)
    const replaced = await ports.replaceClient({ next, replacing: stored, audit })()
    return E.isLeft(replaced) ? replaced : E.right(next)
  }
  // Others repeat the same client at this moment: a program that registers in a loop does it several times at once.
  const repeated = await serializeOnConflict(ports, `registration ${fingerprint}`)(repeat)()
  return E.isRight(repeated) ? repeated.right : undefined
}

/**
 * Adds the client; or replaces the registration access token of the unused client that it repeats. Where that one was
 * used, updated or removed meanwhile, the registration is one of its own.
 */
const adding = (
  settings: RegistrationSettings,
  ports: RegisterClientPorts,
): ((addition: DecidedAddition) => Promise<E.Either<RegisterRefusal | Unavailable, RegisteredClient>>) => {
  const limits = limitsOf(settings)
  const add = async (addition: DecidedAddition): Promise<E.Either<RegisterRefusal | Unavailable, RegisteredClient>> => {
    const { client, consumedToken, keyed } = addition
    const { fingerprint, ...unrepeated } = client
    const audit = rowOf(ports, addition, 'client_registered', client)
    const added = await ports.addClient({ client, consumedToken, limits, fingerprint, keyed, audit })()
    if (E.isRight(added)) return E.right(client)
    if (added.left.error !== 'registered_before') return E.left(refusalOfStore(added.left))
    const repeated = fingerprint === undefined ? undefined : await repeatUnused(ports, addition, fingerprint)
    return repeated === undefined ? add({ ...addition, client: unrepeated }) : E.right(repeated)
  }
  return add
}

/** The client of the same request before, which has spent its token or taken its client_id; none where there was none. */
const requestedBefore = (
  ports: ClientRegistry & Clock & Hashing,
): ((requested: KeyedRequest) => Promise<E.Either<NotRepeated | Unavailable, O.Option<RegisteredClient>>>) => {
  const decideRepeated = decideRepetition(ports.hashToken)
  return async (requested) => {
    const found = await ports.findKeyedRegistration(requested.key)()
    if (E.isLeft(found)) return found
    const client = O.isNone(found.right) ? E.right(O.none) : await ports.findClient(found.right.value.client_id)()
    if (E.isLeft(client)) return client
    const decided = decideRepeated(requested, { found: found.right, client: client.right }, ports.now())
    if (E.isLeft(decided) || O.isNone(decided.right)) return decided
    return confirmed(ports)(E.right(decided.right))()
  }
}

/** With what a lenient service left out of the body, if anything. */
type AnsweredRegistration = Representation<ClientInformation> & { readonly tidied?: ReadonlyArray<Adjustment> }

export const registerClient = (
  settings: RegistrationSettings,
  ports: RegisterClientPorts,
): ((request: RegisterClientRequest) => Answer<AnsweredRegistration, RegisterRefusal>) => {
  const { mode, policy } = settings
  const repeatsUnused = mode.kind === 'open' && (policy.reuse_unused_registrations ?? true)
  const decided = decide(settings, ports)
  const keyedBy = keyedRequest(ports.hashToken)
  const registrationBy = keyedRegistration(ports.hashToken)
  const add = adding(settings, ports)
  const before = requestedBefore(ports)
  const represent = representing(clientInformation(settings.registrationEndpoint))

  const withFingerprint = (client: RegisteredClient, ownAddress: string | undefined): RegisteredClient => {
    const text = repeatsUnused ? fingerprintText(client, ownAddress) : undefined
    return text === undefined ? client : { ...client, fingerprint: ports.hashToken(text) }
  }

  const register = async (
    request: RegisterClientRequest,
    requested: KeyedRequest | undefined,
  ): Promise<E.Either<RegisterRefusal | Unavailable, AnsweredRegistration>> => {
    const registration = await decided(request)
    if (E.isLeft(registration)) return registration
    const { consumedToken, tidied } = registration.right
    const actor = actorOf(request.caller.credential, 'initial_access_token')
    const keyed = requested === undefined ? undefined : registrationBy(requested, registration.right.client)
    // The key says which requests are the same: one with another key is a registration of its own.
    const own = requested === undefined ? request.ownAddress : undefined
    const client = withFingerprint(registration.right.client, own)
    const added = await add({ client, consumedToken, actor, origin: request.origin, keyed })
    if (E.isLeft(added)) return added
    const answer = represent(added.right)
    return E.right(tidied.length === 0 ? answer : { ...answer, tidied })
  }

  return (request) => async () => {
    const requested = keyedBy({ ...request, credential: request.caller.credential })
    const registered = await register(request, requested)
    if (E.isRight(registered)) return registered
    // The first request with a key reads nothing more than one without.
    if (requested === undefined || registered.left.error === 'missing_token') return registered
    const earlier = await before(requested)
    if (E.isLeft(earlier)) return earlier
    return O.isSome(earlier.right) ? E.right(represent(earlier.right.value)) : registered
  }
}

/** Makes the same decision without registering: refusals are the same, and nothing is issued, stored or consumed. */
export const previewRegistration = (
  settings: RegistrationSettings,
  ports: DecidingPorts,
): ((request: RegisterClientRequest) => Answer<ClientPreview, RegisterRefusal>) => {
  const decided = decide(settings, ports)
  const warnings = warningsOf(settings)
  return (request) => async () => {
    const registration = await decided(request)
    if (E.isLeft(registration)) return registration
    const { client, sent, tidied } = registration.right
    const found = await ports.findClient(client.client_id)()
    if (E.isLeft(found)) return found
    if (O.isSome(found.right)) return E.left(preferredClientIdTaken)
    return E.right(previewOfRegistration(sent, tidied, warnings(client.metadata))(client))
  }
}
