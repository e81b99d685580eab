import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { InitialAccessToken, RegisteredBy, RegistrationMode } from '@clientele/domain/authorization'
import { type ClientMetadata, ClientId, RegistrationId, isNewClientId } from '@clientele/domain/client'
import { type JsonValue, invalidRequest, secondsAfter } from '@clientele/domain/kernel'
import { RefusalReason, type Unapproved } from '@clientele/domain/life-cycle'
import { noPolicy } from '@clientele/domain/policy'
import {
  type CredentialPolicy,
  type GeneratedCredentials,
  type Provenance,
  type RegisteredClient,
  type RegistrationFacts,
  type RegistrationRequest,
  type RegistrationSettings,
  type TokenFingerprint,
  decideRegistration,
  isTokenFingerprint,
  withProvenance,
} from '@clientele/domain/registration'
import { validClientMetadata } from './client-metadata.js'
import type { SentMetadata } from './json-values.js'
import { epochSecond, initialAccessToken, presentedCredential, tokenHash } from './credentials.js'
import { privileges, scopeValues } from './privileges.js'
import { httpsUri } from './uris.js'
import { validate } from '../rule-book.js'

/** Managed registration, or open registration with some scope values. */
export const registrationMode = (): fc.Arbitrary<RegistrationMode> =>
  fc.oneof(
    fc.constant<RegistrationMode>({ kind: 'managed' }),
    fc.subarray([...scopeValues]).map((scope): RegistrationMode => ({ kind: 'open', scope })),
  )

/** The lifetime of secrets, and the credentials that an update renews. */
export const credentialPolicy = (): fc.Arbitrary<CredentialPolicy> =>
  fc.record(
    {
      clientSecretLifetime: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000_000 })),
      rotateRegistrationAccessTokenOnUpdate: fc.boolean(),
      registrationAccessTokenGrace: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 86_400 })),
      rotateClientSecretOnUpdate: fc.boolean(),
    },
    { noNullPrototype: true },
  )

/** All settings of registration, without a policy of the operator. */
export const registrationSettings = (): fc.Arbitrary<RegistrationSettings> =>
  fc.record(
    {
      mode: registrationMode(),
      policy: fc.constant(noPolicy),
      credentials: credentialPolicy(),
      issuer: fc.constant('https://op.example'),
      registrationEndpoint: fc.constantFrom('https://op.example/clients', 'http://127.0.0.1:8080/clients'),
      outboundFetches: fc.boolean(),
      initialAccessTokenLifetime: fc.integer({ min: 1, max: 2_592_000 }),
    },
    { noNullPrototype: true },
  )

const alphanumeric = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')

const alphanumericText = (length: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...alphanumeric), minLength: length, maxLength: length })

/** A client identifier as the service generates it. */
export const clientId = (): fc.Arbitrary<ClientId> => alphanumericText(20).filter(isNewClientId)

const namesOfObjects = Object.getOwnPropertyNames(Object.prototype)

/** Any client_id that a store may have: of a few letters in either case, of names that all objects have, and URLs. */
export const anyClientId = (): fc.Arbitrary<ClientId> =>
  fc
    .oneof(
      fc.stringMatching(/^[abAB._~-]{1,4}$/),
      fc.constantFrom('__proto__', ...namesOfObjects, ...namesOfObjects.map((name) => name.toLowerCase())),
      fc.constantFrom('a', 'A').map((name) => `https://rp.example/${name}`),
    )
    .filter(ClientId.is)

/** A registration_id as the service generates it. */
const registrationId = (): fc.Arbitrary<RegistrationId> => alphanumericText(22).filter(RegistrationId.is)

/** A client secret as the service generates it: 43 characters. */
export const clientSecretText = (): fc.Arbitrary<string> => alphanumericText(43)

/** The generated values of a registration: the time, an identifier, a secret and a registration access token. */
export const issued = (): fc.Arbitrary<GeneratedCredentials> =>
  fc.record(
    {
      at: epochSecond(),
      client_id: clientId(),
      registration_id: registrationId(),
      client_secret: clientSecretText(),
      client_secret_padding: alphanumericText(21),
      registration_access_token: fc.record(
        { token: alphanumericText(43), hash: tokenHash() },
        { noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  )

/** The client that the master token registers with the metadata, which must be valid. */
export const registeredByMaster =
  (settings: RegistrationSettings, generated: GeneratedCredentials) =>
  (body: SentMetadata): RegisteredClient => {
    const facts = { token: O.none, statement: O.none, issued: generated, body: E.right(body) }
    const decided = decideRegistration(settings)({ ...facts, credential: { kind: 'master' } })
    if (E.isLeft(decided)) throw new Error(`not valid client metadata: ${JSON.stringify([body, decided.left])}`)
    return decided.right.client
  }

/** The authority for the registration of a client. */
export const registeredBy = (): fc.Arbitrary<RegisteredBy> =>
  fc.constantFrom('nobody', 'token', 'operator_token', 'master')

/** What a client without an approval waits for. */
export const unapproved = (): fc.Arbitrary<Unapproved> =>
  fc.oneof(
    fc.constant<Unapproved>({ state: 'pending' }),
    fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
      .filter(RefusalReason.is)
      .map((reason): Unapproved => ({ state: 'refused', reason })),
  )

const fingerprint = (): fc.Arbitrary<TokenFingerprint> =>
  fc.stringMatching(/^[A-Za-z0-9_-]{12}$/).filter(isTokenFingerprint)

/** What a client was registered with, if anything is known of it. */
export const provenance = (): fc.Arbitrary<Provenance | undefined> =>
  fc.option(
    fc.record(
      {
        token: fingerprint(),
        statement_issuer: httpsUri(),
        declared: fc.constantFrom('production', 'team.a'),
        imported: fc.constant(true as const),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    { nil: undefined },
  )

/** A stored client: with any privileges and of any version, because the master token may have updated it. */
export const registeredClient = (metadata = validClientMetadata()): fc.Arbitrary<RegisteredClient> =>
  fc
    .tuple(
      registrationSettings(),
      issued(),
      metadata,
      privileges(),
      registeredBy(),
      fc.integer({ min: 1, max: 1000 }),
      provenance().filter((each) => each === undefined || Object.keys(each).length > 0),
    )
    .map(([settings, generated, body, allowed, registered_by, version, origin]) =>
      withProvenance(origin, {
        ...registeredByMaster(settings, generated)(body),
        registered_by,
        privileges: allowed,
        version,
      }),
    )

/** A received body: one of the given values, or one that could not be read. */
export const receivedBody = (body: fc.Arbitrary<unknown>): fc.Arbitrary<RegistrationFacts['body']> =>
  fc.oneof(
    { weight: 5, arbitrary: body.map((value) => E.right(value)) },
    { weight: 1, arbitrary: fc.constant(E.left(invalidRequest('The body is not valid JSON'))) },
  )

/** The facts of a registration: any credential, a token that is found or not, and any of the given bodies. */
export const registrationFacts = (body: fc.Arbitrary<unknown> = fc.anything()): fc.Arbitrary<RegistrationFacts> =>
  fc
    .tuple(initialAccessToken(), fc.boolean(), issued(), receivedBody(body))
    .chain(([token, found, generated, received]) =>
      presentedCredential(token.hash).map((credential) => ({
        credential,
        token: found ? O.some(token) : O.none,
        statement: O.none,
        issued: generated,
        body: received,
      })),
    )

/** The facts of a registration with the token, while it is in force. */
export const presenting = (
  token: InitialAccessToken,
  generated: GeneratedCredentials,
  body: unknown,
): RegistrationFacts => ({
  credential: { kind: 'token', hash: token.hash },
  token: O.some({ ...token, expires_at: secondsAfter(generated.at, 1) }),
  statement: O.none,
  issued: generated,
  body: E.right(body),
})

/** Valid client metadata with its defaults. */
export const effectiveMetadata = (): fc.Arbitrary<ClientMetadata> =>
  validClientMetadata().map((body) => validate(body).metadata)

/** A registration request with valid metadata, with or without a preset identifier and secret. */
export const registrationRequest = (): fc.Arbitrary<RegistrationRequest> =>
  fc.record(
    {
      metadata: effectiveMetadata(),
      preferred_client_id: fc.option(clientId(), { nil: undefined }),
      preferred_client_secret: fc.option(fc.constant('s'.repeat(32)), { nil: undefined }),
    },
    { noNullPrototype: true },
  )

// Clients of the maximum size of a registration, to check that a store reads back all of it.

const maxDataBytes = 16_384
const nested = (depth: number): JsonValue => (depth === 0 ? 0 : { n: nested(depth - 1) })

/**
 * Many small nodes, few long ones, deep ones, and characters of several bytes, within the maximum bytes of a member.
 */
const largeValue = (): fc.Arbitrary<JsonValue> =>
  fc.oneof(
    fc.integer({ min: 0, max: maxDataBytes / 2 - 50 }).map((length) => Array.from({ length }, () => 0)),
    fc.integer({ min: 0, max: maxDataBytes - 100 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 0, max: maxDataBytes / 4 - 50 }).map((length) => '🦊'.repeat(length)),
    fc.integer({ min: 0, max: 28 }).map(nested),
  )

const longUris = (most: number): fc.Arbitrary<ReadonlyArray<string>> =>
  fc
    .record({ count: fc.integer({ min: 1, max: most }), length: fc.integer({ min: 0, max: 1_900 }) })
    .map(({ count, length }) =>
      Array.from({ length: count }, (_, index) => `https://rp.example/${index}/${'p'.repeat(length)}`),
    )

const largeBody = (): fc.Arbitrary<SentMetadata> =>
  fc.record({
    redirect_uris: longUris(32),
    post_logout_redirect_uris: longUris(32),
    client_name: fc.constantFrom('A', '🦊'.repeat(100), 'n'.repeat(200)),
    jwks: largeValue().map((value) => ({ keys: [{ kty: 'X', x: value }] })),
    data: largeValue().map((value) => ({ value })),
  })

/** The client that the master token registers with a large body. */
export const largeClient = (): fc.Arbitrary<RegisteredClient> =>
  fc
    .tuple(registrationSettings(), issued(), largeBody())
    .map(([settings, generated, body]) => registeredByMaster(settings, generated)(body))
