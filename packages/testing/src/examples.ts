import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type Artefact,
  type ArtefactKind,
  type ClientAuthorization,
  type Consent,
  type DueParking,
  type DueRemoval,
  type EndUserSession,
  type EpochSeconds,
  type InitialAccessToken,
  type LogoutNotification,
  type OperatorToken,
  type RegisteredClient,
  type SessionClient,
  ClientId,
  RegistrationId,
  Subject,
  TokenHash,
  allPrivileges,
  epochSeconds,
  secondsAfter,
  storedMetadata,
} from '@clientele/domain'
import type { AuditOrigin, AuditRow } from '@clientele/domain/audit'
import { type ForeignKey, type KeyRing, newRing } from '@clientele/domain/keys'
import { defaultNotificationLimits } from '@clientele/domain/logout'
import {
  type Addition,
  type ClientImport,
  type ClientRemoval,
  type EndedSession,
  type StoragePorts,
  type Tombstones,
  noLimits,
} from '@clientele/domain/ports'
import type { ArtefactUse } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import type { Decoder } from 'io-ts'
import { namedKey } from './arbitraries/key-history.js'

const valid = <Value>(codec: Decoder<unknown, Value>, input: string): Value => {
  const decoded = codec.decode(input)
  if (E.isLeft(decoded)) throw new Error(`a bad example: ${input}`)
  return decoded.right
}

/** The time at which every example begins. */
export const exampleTime = epochSeconds(1_700_000_000_000)

/** Where a request came from. */
export const exampleOrigin: AuditOrigin = { door: 'http', request_id: 'one request' }

/** The text as a client identifier. */
export const exampleId = (text: string): ClientId => valid(ClientId, text)

/** The text as a digest, padded to its length. */
export const exampleHash = (text: string): TokenHash => valid(TokenHash, text.padEnd(43, '_'))

/** The client, stored with nothing else within no limits, unless it is given. */
export const addition = (client: RegisteredClient, given: Partial<Addition> = {}): Addition => ({
  client,
  consumedToken: O.none,
  limits: noLimits,
  fingerprint: undefined,
  keyed: undefined,
  audit: undefined,
  ...given,
})

/** The removal of the client in any version, by nobody's token, unless it is given. */
export const removal = (client_id: ClientId, given: Partial<ClientRemoval> = {}): ClientRemoval => ({
  client_id,
  token: O.none,
  read: undefined,
  tombstone: undefined,
  audit: undefined,
  ...given,
})

/** The import of the client in place of nothing, or of what was read. */
export const importOf = (client: RegisteredClient, replacing?: RegisteredClient): ClientImport => ({
  client,
  replacing,
  audit: noRow,
})

/** The registration of the client, for what belongs to it. */
export const registrationOf = ({ client_id, registration_id }: Registration): Registration => ({
  client_id,
  registration_id,
})

/** The replacement of what was read, without a row of the audit log. */
export const replacement = <Value>(next: Value, replacing: Value) => ({ next, replacing, audit: noRow })

/** Where no row of the audit log goes with a change. */
export const noRow = undefined

/** A row of the audit log, which its name distinguishes. */
export const exampleAuditRow = (name: string): AuditRow => ({
  at: exampleTime,
  client_id: null,
  actor: 'actor-1',
  actor_name: null,
  entry: JSON.stringify({ name }),
  mac: exampleHash(`mac-${name}`),
})

/** Makes tombstones that the example time is before. */
export const exampleTombstones: Tombstones = {
  tombstone: (id) => ({ id: exampleHash(id), until: secondsAfter(exampleTime, 100) }),
}

/** The text as a registration_id, padded to its length. */
export const exampleRegistrationId = (text: string): RegistrationId => valid(RegistrationId, text.padEnd(22, '_'))

/** A client by its id; its name distinguishes several registrations of one id. */
export const exampleClient = (id: string, life = 'first'): RegisteredClient => ({
  client_id: exampleId(id),
  registration_id: exampleRegistrationId(`${id}-${life}`),
  client_id_issued_at: exampleTime,
  secret: {
    client_secret: `secret-of-${id}-in-its-${life}-life`,
    client_secret_expires_at: secondsAfter(exampleTime, 60),
  },
  registration_access_token: { token: `token-of-${id}-in-its-${life}-life`, hash: exampleHash(`${id}-${life}`) },
  registered_by: 'token',
  privileges: allPrivileges,
  metadata: storedMetadata({ redirect_uris: ['https://rp.example/cb'], client_name: life }),
  version: 1,
})

/** The client after an update, under another name and with new credentials. */
export const updatedExample = (client: RegisteredClient, name = 'updated'): RegisteredClient => ({
  ...exampleClient(client.client_id, name),
  registration_id: client.registration_id,
  version: client.version + 1,
})

/** The example as a client of open registration. */
export const openExample = (id: string, changes: Partial<RegisteredClient> = {}): RegisteredClient => ({
  ...exampleClient(id),
  registered_by: 'nobody',
  ...changes,
})

/** An initial access token with all privileges, in force for an hour from the example’s time. */
export const exampleToken = (text: string): InitialAccessToken => ({
  hash: exampleHash(text),
  scope: 'client-reg',
  privileges: allPrivileges,
  expires_at: secondsAfter(exampleTime, 3600),
})

/** A refresh token that was granted to the client, with consent of the end-user. */
export const exampleAuthorization = (client: RegisteredClient, text: string): ClientAuthorization => ({
  kind: 'refresh_token',
  hash: exampleHash(text),
  ...registrationOf(client),
  expires_at: secondsAfter(exampleTime, 3600),
  details: { subject: 'Zoë', scope: ['openid', 'email'], consent: { remembered: true, at: null } },
})

/** An artefact of the kind that ends with nothing else, in force for an hour from the example's time. */
export const exampleArtefact = (kind: ArtefactKind, text: string): Artefact => ({
  kind,
  hash: exampleHash(text),
  expires_at: secondsAfter(exampleTime, 3600),
  payload: { accountId: 'Zoë', scope: ['openid', 'email'], extra: { remembered: true, at: null } },
})

/** The use of an artefact; of a refresh token, with a grace. */
export const useOf = (
  { kind, hash, predecessor }: Pick<Artefact, 'kind' | 'hash' | 'predecessor'>,
  at = exampleTime,
  grace = 0,
): ArtefactUse => (kind === 'refresh_token' ? { kind, hash, at, grace, predecessor } : { kind, hash, at })

/** A consent of the end-user 'zoe' to the registration of the client. */
export const exampleConsent = (client: RegisteredClient, sub = 'zoe'): Consent => ({
  sub: exampleSubject(sub),
  client: registrationOf(client),
  scope: ['openid', 'email'],
  resources: { 'https://api.example/': ['read', 'write'] },
  shown: { client_name: 'Zoë’s application', redirect_hosts: ['rp.example'] },
  given_at: exampleTime,
})

/** Records the consent in place of the one that is stored at that moment, if there is one. */
export const giveConsent = (
  ports: Pick<StoragePorts, 'consents'>,
  consent: Consent,
): ReturnType<StoragePorts['consents']['recordConsent']> =>
  pipe(
    ports.consents.findConsent(consent.sub, consent.client),
    TE.flatMap((earlier) => ports.consents.recordConsent(consent, earlier)),
    // Another one was stored between the two.
    TE.orElse((refused) => (refused.error === 'consent_changed' ? giveConsent(ports, consent) : TE.left(refused))),
  )

/** All live connections of an end-user. */
export const connectionsOf = ({ connections }: Pick<StoragePorts, 'connections'>, sub: Subject, at = exampleTime) =>
  pipe(
    connections.searchConnections({ sub }, at, { after: 0, limit: 500 }),
    TE.map((found) => found.connections),
  )

/** Revokes the live connection of the consent, if there is one; whether there was. */
export const revokeExample = (
  ports: Pick<StoragePorts, 'connections'>,
  { sub, client }: Pick<Consent, 'sub' | 'client'>,
  audit: AuditRow | undefined = noRow,
  at = exampleTime,
) =>
  pipe(
    connectionsOf(ports, sub),
    TE.flatMap((found) => {
      const connection = found.find((each) => each.client.registration_id === client.registration_id)
      const by = { kind: 'master', fingerprint: 'abc' } as const
      return connection === undefined
        ? TE.right(false)
        : ports.connections.revokeConnection({ connection, revoked: { at, by }, audit })
    }),
  )

/** Texts that some stores cannot hold, and that the domain gives to none: nothing is found by them. */
export const unstorableTexts: ReadonlyArray<string> = ['\u0000', 'a\u0000b', 'a\ud800b', '\udc00']

/** The text as a sub or sid. */
export const exampleSubject = (text: string): Subject => valid(Subject, text)

/** The client in a session, with a sub and sid of its own. */
export const exampleSessionClient = (id: string, life = 'first'): SessionClient => ({
  client_id: exampleId(id),
  registration_id: exampleRegistrationId(`${id}-${life}`),
  sub: exampleSubject(`sub at ${id}`),
  sid: exampleSubject(`sid at ${id}`),
})

/** A session of the end-user 'zoe' with the clients of these ids, live for ten minutes from the example's time. */
export const exampleSession = (sid: string, ids: ReadonlyArray<string> = []): EndUserSession => ({
  sid: exampleSubject(sid),
  sub: exampleSubject('zoe'),
  auth_time: exampleTime,
  used_at: exampleTime,
  idle_lifetime: 600,
  expires_at: secondsAfter(exampleTime, 3600),
  clients: ids.map((id) => exampleSessionClient(id)),
  declined: [],
  version: 1,
})

/** The end of a session that notifies nobody. */
export const endOf = (session: EndUserSession, changes: Partial<EndedSession> = {}): EndedSession => ({
  session,
  notifications: [],
  notificationLimits: defaultNotificationLimits,
  revokesOfflineAccess: false,
  ...changes,
})

/** A notification to the client of the id. */
export const exampleNotification = (id: string, clientId: string, life = 'first'): LogoutNotification => ({
  ...exampleSessionClient(clientId, life),
  id,
  uri: `https://${clientId}.example/logout?of=${clientId}`,
  alg: 'RS256',
  created_at: exampleTime,
})

/** Parks clients that wait since that time or earlier, at that time, with a notice of a day. */
export const exampleParking = (waitsSince: EpochSeconds, at = waitsSince, notice = 1): DueParking => ({
  waitsSince,
  at,
  notice,
})

/** Removes clients that wait since that time or earlier, and were parked by the same time, with a notice of a day. */
export const exampleRemoval = (waitsSince: EpochSeconds, parkedUntil = waitsSince, notice = 1): DueRemoval => ({
  waitsSince,
  parkedUntil,
  notice,
})

/** The first ring of the algorithm and the use, whose key is named after both. */
export const exampleKeyRing = (alg = 'ES256', use: KeyRing['use'] = 'sig'): KeyRing =>
  newRing({ lifetime: 100, publishAhead: 20, retention: 10, maxAge: 10 }, exampleTime)(
    alg,
    use,
    namedKey(`${alg} ${use}`),
  )

/** A key of another signer. */
export const exampleForeignKey = (kid: string): ForeignKey => ({
  kid,
  alg: 'ES256',
  jwk: namedKey('ES256').jwk,
  publishedAt: exampleTime,
})

export const exampleOperatorToken = (text: string, lifetime = 3600): OperatorToken => ({
  hash: exampleHash(text),
  privileges: ['clients:read', 'keys'],
  issued_at: exampleTime,
  expires_at: secondsAfter(exampleTime, lifetime),
  issued_by: { kind: 'store', fingerprint: '' },
})
