// The rows of the audit log.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  type HashText,
  type Operator,
  type OperatorToken,
  type PresentedCredential,
  type TokenHash,
  fingerprintOf,
} from '../authorization/credential.js'
import { withoutTag } from '../kernel/faults.js'
import { isSameText } from '../kernel/json-object.js'
import { EpochSeconds } from '../kernel/time.js'
import { recordWith } from '../kernel/values.js'
import type { Subject } from '../logout/sessions.js'
import type { RegisteredClient } from '../registration/registered-client.js'

// What the audit log says about a change: who made it, through which door, what changed, from where and when. It names
// members, and never contains their values.

/** What happened, in the past tense. */
export const auditActions = {
  client_registered: 'a client was registered',
  client_repeated: 'an unused client got a new registration access token, because its registration was repeated',
  client_updated: 'the metadata of a client was replaced',
  client_renewed: 'credentials of a client were renewed',
  client_suspended: 'a client was suspended',
  client_resumed: 'a suspended client was resumed',
  client_imported: 'a client was imported',
  client_deleted: 'a client was deleted',
  client_restored: 'an operator restored a client that the service had removed',
  client_credentials_read: 'an operator read the credentials of a client',
  all_credentials_read: 'an operator read the credentials of all clients',
  initial_access_token_issued: 'an initial access token was issued',
  initial_access_token_revoked: 'an initial access token was revoked',
  operator_token_issued: 'an operator token was issued',
  operator_token_revoked: 'an operator token was revoked',
  keys_rolled_over: 'an operator announced successors of signing keys',
  key_revoked: 'a compromised key was taken out of the key set',
  keys_imported: 'private keys of another server were imported',
  keys_rotated: 'keys were made, or changed their phase, by the schedule or by changed settings',
  foreign_keys_added: 'public keys of another signer were added to the key set',
  foreign_key_removed: 'a public key of another signer was taken out of the key set',
  encryption_key_added: 'an encryption key was made, which seals from then on',
  sealing_begun: 'the stored values began to be sealed anew with the present encryption key',
  encryption_keys_dropped: 'all encryption keys but the present one were dropped',
  session_started: 'an operator started a session of an end-user',
  session_client_recorded: 'an operator recorded a client in a session',
  session_ended: 'an operator ended a session',
  connection_revoked: 'an operator or the end-user revoked a connection of an application',
  notifications_retried: 'failed logout notifications were made due again',
  settings_reloaded: 'the settings were read again',
  client_approved: 'a client that waited for it was approved, or one that had been refused',
  client_refused: 'a client that waited for an approval was refused',
  client_secret_added: 'a client got a second client_secret',
  client_secret_ended: 'the preceding client_secret of a client was dropped, or got an end',
} as const

export type AuditAction = keyof typeof auditActions

const AuditAction = t.keyof(auditActions, 'AuditAction')

export const isAuditAction: t.Is<AuditAction> = AuditAction.is

/** Who made a change, by the kind of credential. An end-user consents to a document, or revokes a connection. */
export const auditActors = {
  anonymous: 'an anonymous registrant',
  initial_access_token: 'the initial access token',
  registration_access_token: 'the registration access token',
  client: 'the client',
  master: 'the master token',
  operator_token: 'the operator token',
  store: 'the operator of this machine',
  end_user: 'an end-user',
  service: 'the service',
} as const

export const AuditActorKind = t.keyof(auditActors)

/** The way by which a request came. */
export const auditDoors = {
  http: 'the public port',
  management: 'the management port',
  socket: 'the socket of the commands',
  command: 'a command without the service',
  service: 'no request',
} as const

/**
 * Who made a change. The fingerprint is the beginning of the keyed digest of the token; it authorizes nothing. The name is
 * that of an operator token, as it was then.
 */
export const AuditActor = t.readonly(
  t.intersection([t.type({ kind: AuditActorKind, fingerprint: t.string }), t.partial({ name: t.string })]),
  'AuditActor',
)
export type AuditActor = t.TypeOf<typeof AuditActor>

/** Where a request came from. A command on the store, and the service itself, make an id of their own. */
export const AuditOrigin = t.readonly(
  t.intersection([
    t.type({
      door: t.keyof(auditDoors),
      request_id: t.string,
    }),
    t.partial({ address: t.string }),
  ]),
  'AuditOrigin',
)
export type AuditOrigin = t.TypeOf<typeof AuditOrigin>

export const AuditEntry = recordWith(
  'AuditEntry',
  {
    at: EpochSeconds,
    action: AuditAction,
    actor: AuditActor,
    origin: AuditOrigin,
    /** The names of the members of a client that changed, sorted, without language tags; or those of settings. */
    members: t.readonlyArray(t.string),
  },
  {
    client_id: t.string,
    /** What changed if it is no client: the id of a token, of a session or of a notification. */
    subject: t.string,
    /** The keys that were added or removed, or changed their phase. */
    kids: t.readonlyArray(t.string),
  },
)
export type AuditEntry = t.TypeOf<typeof AuditEntry>

const withName = (actor: AuditActor, { name }: { readonly name?: string | undefined }): AuditActor =>
  name === undefined ? actor : { ...actor, name }

/** The party that presents a credential; a client's token is of the named kind. */
export const actorOf = (
  credential: PresentedCredential,
  tokenKind: 'initial_access_token' | 'registration_access_token',
): AuditActor => {
  switch (credential.kind) {
    case 'none':
    case 'unusable':
      return { kind: 'anonymous', fingerprint: '' }
    case 'store':
      return { kind: 'store', fingerprint: '' }
    case 'master':
      return { kind: 'master', fingerprint: fingerprintOf(credential.hash) }
    case 'operator_token':
      return withName({ kind: 'operator_token', fingerprint: fingerprintOf(credential.hash) }, credential)
    case 'token':
      return { kind: tokenKind, fingerprint: fingerprintOf(credential.hash) }
  }
}

export const actorOfOperator = ({ kind, fingerprint, name }: Operator): AuditActor =>
  withName({ kind, fingerprint }, { name })

/** The holder of an operator token. */
export const actorOfOperatorToken = ({ hash, name }: Pick<OperatorToken, 'hash' | 'name'>): AuditActor =>
  withName({ kind: 'operator_token', fingerprint: fingerprintOf(hash) }, { name })

export const serviceActor: AuditActor = { kind: 'service', fingerprint: '' }

/** By a keyed digest, so that the log names no person, and what one did belongs together. */
export const actorOfEndUser = (hash: HashText, sub: Subject): AuditActor => ({
  kind: 'end_user',
  fingerprint: fingerprintOf(hash(`end-user ${sub}`)),
})

/** The entry of a text that this service wrote; none for any other text. */
export const readAuditEntry = (text: string): O.Option<AuditEntry> => {
  const parsed = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => undefined,
  )
  return E.isLeft(parsed) ? O.none : O.fromEither(AuditEntry.decode(parsed.right))
}

/** A row of the log, as a store writes it beside the change. `mac` is the keyed digest of the entry. */
export type AuditRow = {
  readonly at: EpochSeconds
  readonly client_id: string | null
  readonly actor: string
  readonly actor_name: string | null
  readonly entry: string
  readonly mac: TokenHash
}

/** The keyed digest of an entry: only a service with the keys of the store can make it. */
export const macOf = (hash: HashText, entry: string): TokenHash => hash(`audit entry ${entry}`)

/** The columns that repeat parts of the entry. */
export const columnsOf = ({
  at,
  client_id,
  actor,
}: AuditEntry): Pick<AuditRow, 'at' | 'client_id' | 'actor' | 'actor_name'> => ({
  at,
  client_id: client_id ?? null,
  actor: actor.fingerprint === '' ? actor.kind : actor.fingerprint,
  actor_name: actor.name ?? null,
})

/**
 * Makes the row of an entry. The nonce is another one for each row: a proxy may give several requests one id, and equal
 * changes within a second have a row each. It is a part of the stored text alone.
 */
export const auditRow =
  (hash: HashText, nonce: () => string) =>
  (entry: AuditEntry): AuditRow => {
    const text = JSON.stringify(Object.assign({ nonce: nonce() }, entry))
    return Object.assign(columnsOf(entry), { entry: text, mac: macOf(hash, text) })
  }

const valuesOf = (client: RegisteredClient): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ...Object.entries(client.metadata),
    ['client_secret', client.secret?.client_secret],
    ['client_secret_expires_at', client.secret?.client_secret_expires_at],
    ['preceding_client_secret', client.preceding_secret],
    ['registration_access_token', client.registration_access_token.hash],
    ['registered_by', client.registered_by],
    ['privileges', client.privileges],
    ['suspended_at', client.suspended_at],
    ['approval', client.approval],
  ])

/** The names of the members in which two versions of a client differ; of all members, where there was none before. */
export const changedMembers = (
  before: RegisteredClient | undefined,
  after: RegisteredClient,
): ReadonlyArray<string> => {
  const one = before === undefined ? new Map<string, unknown>() : valuesOf(before)
  const other = valuesOf(after)
  // RFC 8259 §4: members of an object in another order are the same value, and yet another text: that counts as a change.
  const names = [...one.keys(), ...other.keys()].filter((name) => !isSameText(one.get(name), other.get(name)))
  // OpenID Registration §2.1: a language tag is chosen by the registrant, and the name before it is one of the standards.
  return [...new Set(names.map(withoutTag))].sort()
}

// The audit log as it is in a store.

/** A row as it is in the store: any text may stand in its columns. */
export type StoredAuditRow = Omit<AuditRow, 'at' | 'mac'> & {
  readonly ordinal: number
  readonly at: number
  readonly mac: string
}

/** A row above those of all checkpoints. */
export type UnlinkedAuditRow = StoredAuditRow & {
  /** Whether an earlier row has its digest, so that somebody has copied it. */
  readonly copied: boolean
}

/**
 * A signed list of rows: of those above the highest one of the checkpoints before. `lowest` and `highest` are the first and the
 * last ordinal of its rows, 0 without rows.
 */
export type StoredCheckpoint = {
  readonly number: number
  readonly at: EpochSeconds
  readonly lowest: number
  readonly highest: number
  readonly jws: string
}
