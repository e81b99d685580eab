// Registrations and updates decided: the body, what it may use, and what the caller issues; out comes a client to store.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { TokenHash } from '../authorization/credential.js'
import {
  Privileges,
  neededScopeValues,
  parseRegistrationScope,
  permits,
  valuesOfRegistration,
} from '../authorization/registrant.js'
import { ClientId, RegistrationId, isNewClientId } from '../client/ids.js'
import { readMembers } from '../client/metadata.js'
import { echoedMembers, presetMembers } from '../client/schema.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { EpochSeconds, secondsAfter } from '../kernel/time.js'
import { Unapproved } from '../life-cycle/states.js'
import { decideUpdate as decideCoreUpdate } from '../operations/configure.js'
import { ClientSecret } from '../registration/client-secrets.js'
import {
  type RegistrationFacts,
  type RegistrationSettings,
  type RegistrationTrace,
  isSecret,
  traceRegistration,
} from '../registration/decide.js'
import { tidiedIf } from '../registration/adjustments.js'
import { storedMetadata } from '../registration/permit.js'
import type { GeneratedCredentials, RegisteredClient } from '../registration/registered-client.js'
import { type Given, changesOf, readObject, readSettings, refused, wrong } from './translate.js'
import type { Changes, Client, Refused, Registered, Settings } from './types.js'

export interface RegistrationRequest {
  /** The parsed JSON of the request. */
  readonly body: unknown
  /** The scope of registration that the requester has. Without it, the setting allowOpenRegistration must permit the registration. */
  readonly granted?: string | undefined
  /** What you generate: an identifier that no client has, a secret of 32 to 256 characters, and the time in seconds. */
  readonly issued: { readonly client_id: string; readonly client_secret: string; readonly at: number }
}

export interface UpdateRequest {
  /** The parsed JSON of the request. */
  readonly body: unknown
  /** As it was decided and stored. */
  readonly client: Client
  /** As it was decided with the client and stored: a later policy takes nothing of it. */
  readonly registered: Registered
  /** A secret, for a client that needs one and has none, and the time in seconds. */
  readonly issued: { readonly client_secret: string; readonly at: number }
}

export interface Decided extends Changes {
  readonly ok: true
  readonly client: Client
  readonly registered: Registered
}

const objectIn = (request: Given, name: string): Given => {
  const object = ownMember(request, name)
  return isPlainObject(object) ? object : {}
}

const registeredIn = (request: Given): Registered | undefined => {
  const registered = objectIn(request, 'registered')
  const by = ownMember(registered, 'by')
  const privileges = ownMember(registered, 'privileges')
  return (by === 'nobody' || by === 'token') && Privileges.is(privileges) ? { by, privileges } : undefined
}

const wrongIssued = wrong(
  'issued',
  'must have a client_secret of 32 to 256 printable ASCII characters and the time at in seconds since 1970, a whole number, not in milliseconds; for a registration also a client_id of 1 to 128 letters, digits and . _ ~ -',
)
// The caller has its own tokens and registrations: these stand for them in the facts of the core.
const hash: string = 'the-one-token-of-the-caller'
const registration_id: string = 'the-one-registration-of-the-caller'

// That of the year 9999. A time in milliseconds is later.
const lastSecond = 253_402_300_799

const readIssued = (issued: unknown, client_id: ClientId): E.Either<Refused, GeneratedCredentials> => {
  if (!isPlainObject(issued) || !TokenHash.is(hash) || !RegistrationId.is(registration_id)) return E.left(wrongIssued)
  const at = ownMember(issued, 'at')
  const client_secret = ownMember(issued, 'client_secret')
  if (!EpochSeconds.is(at) || at > lastSecond || !isSecret(client_secret)) return E.left(wrongIssued)
  return E.right({
    at,
    client_id,
    client_secret,
    client_secret_padding: '',
    registration_id,
    registration_access_token: { token: '', hash },
  })
}

/** The facts about the requester: a token that is in force for this one request. */
const readGranted = (
  granted: unknown,
  { at, registration_access_token: { hash } }: GeneratedCredentials,
): E.Either<Refused, Pick<RegistrationFacts, 'credential' | 'token'>> => {
  if (granted === undefined) return E.right({ credential: { kind: 'none' }, token: O.none })
  return pipe(
    parseRegistrationScope(granted),
    E.mapLeft(() =>
      wrong(
        'granted',
        'must be a scope of registration, such as client-reg:grant:code: leave it out where there is none',
      ),
    ),
    E.map(({ scope, privileges }) => ({
      credential: { kind: 'token', hash },
      token: O.some({ hash, scope, privileges, expires_at: secondsAfter(at, 1) }),
    })),
  )
}

/** The decided client, for a body, what is left of it, and the members beside metadata that are read. No operator registers by the plain functions. */
const decided = (client: RegisteredClient, body: unknown, tidy: unknown, others: ReadonlyArray<string>): Decided => {
  const { client_id, client_id_issued_at, secret, approval, privileges } = client
  const { metadata, ...changes } = changesOf(body, tidy, client.metadata, others)
  const state = approval === undefined ? {} : { approval }
  return {
    ok: true,
    client: { ...metadata, client_id, client_id_issued_at, ...secret, ...state },
    registered: { by: client.registered_by === 'nobody' ? 'nobody' : 'token', privileges },
    ...changes,
  }
}

type Facts = {
  readonly given: Given
  readonly settings: RegistrationSettings
  readonly issued: GeneratedCredentials
}

const readFacts = (
  request: unknown,
  names: ReadonlyArray<string>,
  given: unknown,
  idOf: (request: Given) => E.Either<Refused, ClientId>,
): E.Either<Refused, Facts> => {
  const object = readObject('request', request, ['body', 'issued', ...names])
  if (E.isLeft(object)) return object
  const settings = readSettings(given)
  if (E.isLeft(settings)) return settings
  const id = idOf(object.right)
  if (E.isLeft(id)) return id
  const issued = readIssued(ownMember(object.right, 'issued'), id.right)
  if (E.isLeft(issued)) return issued
  return E.right({ given: object.right, settings: settings.right, issued: issued.right })
}

const idOfIssued = (request: Given): E.Either<Refused, ClientId> => {
  const id = ownMember(objectIn(request, 'issued'), 'client_id')
  return isNewClientId(id) ? E.right(id) : E.left(wrongIssued)
}

/** Nothing where no token helps. What is open is not missing. */
const neededBy = (
  { policy }: RegistrationSettings,
  { requested, missing }: RegistrationTrace,
): ReadonlyArray<string> =>
  permits(policy.ceilings.managed)(missing) && valuesOfRegistration(requested.scope).length === 0
    ? neededScopeValues(missing)
    : []

/** Decides a registration: RFC 7591 §3.1. Nothing is stored, fetched or generated. */
export const decideRegistration = (request: RegistrationRequest, settings?: Settings): Decided | Refused => {
  const facts = readFacts(request, ['granted'], settings, idOfIssued)
  if (E.isLeft(facts)) return facts.left
  const { given, settings: read, issued } = facts.right
  const requester = readGranted(ownMember(given, 'granted'), issued)
  if (E.isLeft(requester)) return requester.left
  const body = ownMember(given, 'body')
  const sent = { body: E.right(body), statement: O.none, issued }
  const trace = traceRegistration(read)({ ...requester.right, ...sent })
  const { answer } = trace
  if (E.isLeft(answer)) return refused(answer.left, neededBy(read, trace))
  return decided(answer.right.client, body, tidiedIf(read.lenient, body).body, presetMembers)
}

const isAbsentOr = (is: (value: unknown) => boolean, value: unknown): boolean => value === undefined || is(value)

// RFC 7591 §3.2.1: a client_secret that says nothing about its end has none.
const secretIn = (client: Given): unknown =>
  ownMember(client, 'client_secret') === undefined
    ? undefined
    : {
        client_secret: ownMember(client, 'client_secret'),
        client_secret_expires_at: ownMember(client, 'client_secret_expires_at') ?? 0,
      }

/** The client of the core, with the privileges that its registration recorded. */
const storedClient = (
  client: Given,
  { by, privileges }: Registered,
  issued: GeneratedCredentials,
): RegisteredClient | undefined => {
  const client_id_issued_at = ownMember(client, 'client_id_issued_at')
  const secret = secretIn(client)
  const approval = ownMember(client, 'approval')
  if (!EpochSeconds.is(client_id_issued_at)) return undefined
  if (!isAbsentOr(ClientSecret.is, secret) || !isAbsentOr(Unapproved.is, approval)) return undefined
  return {
    client_id: issued.client_id,
    registration_id: issued.registration_id,
    client_id_issued_at,
    secret: ClientSecret.is(secret) ? secret : undefined,
    registration_access_token: issued.registration_access_token,
    registered_by: by,
    privileges,
    metadata: storedMetadata({ ...readMembers(client).metadata }),
    version: 1,
    ...(Unapproved.is(approval) ? { approval } : {}),
  }
}

const wrongClient = (): Refused =>
  wrong('client', 'must be a client as it was decided: store it as JSON, and pass it unchanged')

const idOfClient = (request: Given): E.Either<Refused, ClientId> => {
  const id = ownMember(objectIn(request, 'client'), 'client_id')
  return ClientId.is(id) ? E.right(id) : E.left(wrongClient())
}

/**
 * Decides an update: RFC 7592 §2.2. The body replaces all metadata; the client_secret stays where the new metadata uses
 * one. An update gains no privileges beyond those of the registration, which `registered` has.
 */
export const decideUpdate = (request: UpdateRequest, settings?: Settings): Decided | Refused => {
  const facts = readFacts(request, ['client', 'registered'], settings, idOfClient)
  if (E.isLeft(facts)) return facts.left
  const { given, settings: read, issued } = facts.right
  const registered = registeredIn(given)
  if (registered === undefined)
    return wrong('registered', 'must be what was decided with the client: store it as JSON, and pass it unchanged')
  const found = storedClient(objectIn(given, 'client'), registered, issued)
  if (found === undefined) return wrongClient()
  const body = ownMember(given, 'body')
  const answer = decideCoreUpdate(read)({
    credential: { kind: 'token', hash: issued.registration_access_token.hash },
    found: O.some(found),
    body: E.right(body),
    statement: O.none,
    issued,
  })
  if (E.isLeft(answer)) return refused(answer.left)
  return decided(answer.right.next, body, body, echoedMembers)
}
