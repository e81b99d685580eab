// The decision about an import, and the format of an export.
import * as E from 'fp-ts/lib/Either.js'
import { ClientIdUrl } from '../client/ids.js'
import { type JsonObject, differingMembers, isPlainObject, isSameJson, ownMember } from '../kernel/json-object.js'
import { type Unapproved, isSuspended, waitsSince } from '../life-cycle/states.js'
import { type Secrets, secretsOf } from '../registration/client-secrets.js'
import type { Provenance } from '../registration/provenance.js'
import type { ClientWithUse, RegisteredClient } from '../registration/registered-client.js'
import {
  type ImportFinding,
  type JudgedImport,
  type ReadClientRecord,
  draftMembers,
  earlierProvenance,
  importFault,
} from './drafts.js'

// What an import does with a valid client: it is added, it is there already, it replaces another, or it is refused.

export type ImportDecision =
  | { readonly kind: 'added'; readonly client: RegisteredClient }
  | {
      readonly kind: 'replaced'
      readonly client: RegisteredClient
      readonly replacing: RegisteredClient
      /** The members in which they differ. */
      readonly members: ReadonlyArray<string>
    }
  | { readonly kind: 'equal' }

const differingSecret = ({ client, given }: JudgedImport, stored: RegisteredClient): ReadonlyArray<string> => {
  const { secret } = client
  if (secret === undefined || stored.secret === undefined) return secret === stored.secret ? [] : ['client_secret']
  if (!given.secret) return []
  const isSameExpiry = !given.expiry || secret.client_secret_expires_at === stored.secret.client_secret_expires_at
  return [
    ...(secret.client_secret === stored.secret.client_secret ? [] : ['client_secret']),
    ...(isSameExpiry ? [] : ['client_secret_expires_at']),
  ]
}

const differingAuthority = (client: RegisteredClient, stored: RegisteredClient): ReadonlyArray<string> => [
  ...(client.registered_by === stored.registered_by ? [] : ['registered_by']),
  ...(isSameJson(client.privileges, stored.privileges) ? [] : ['privileges']),
]

// Since when the client is suspended does not count, and what the stored client waits for is kept.
const differingState = (client: RegisteredClient, stored: RegisteredClient): ReadonlyArray<string> => [
  ...(isSuspended(client) && !isSuspended(stored) ? ['suspended_at'] : []),
  ...(client.approval !== undefined && stored.approval === undefined ? ['approval'] : []),
]

/**
 * The members in which a stored client differs from what the record has. What the record has not does not count, nor the
 * time of the registration, which no replacement changes, nor the last use, which any use changes.
 */
const differences = (judged: JudgedImport, stored: RegisteredClient): ReadonlyArray<string> => {
  const { client, given } = judged
  const isSameToken = client.registration_access_token.hash === stored.registration_access_token.hash
  return [
    ...differingSecret(judged, stored),
    ...(given.token && !isSameToken ? ['registration_access_token'] : []),
    ...(given.authority ? differingAuthority(client, stored) : []),
    ...differingState(client, stored),
    ...differingMembers(client.metadata, stored.metadata),
  ]
}

// An import ends no suspension, and what the stored client was registered with stays known. From then on it is the operator who
// keeps the client here. It approves no client, unless a file declares it: then the operator has written what it is.
const unreplaced = (
  { provenance, ...stored }: RegisteredClient,
  client: RegisteredClient,
  declared: string | undefined,
): Pick<RegisteredClient, 'suspended_at' | 'approval' | 'waits_since' | 'provenance'> => {
  const suspended_at = stored.suspended_at ?? client.suspended_at
  const approval = declared === undefined ? (stored.approval ?? client.approval) : undefined
  return {
    ...(suspended_at === undefined ? {} : { suspended_at }),
    ...(approval === undefined ? {} : { approval }),
    waits_since: waitsSince(client),
    provenance: { ...provenance, ...(declared === undefined ? {} : { declared }), imported: true },
  }
}

// A client_secret that stays keeps its age, and its expiry unless the record names one; the one before it goes on to count.
const secretsAfter = (
  { client: { secret }, given, at }: Pick<JudgedImport, 'client' | 'given' | 'at'>,
  { secret: known, secret_created_at, preceding_secret }: RegisteredClient,
): Secrets => {
  if (secret === undefined) return { secret }
  const isSame = secret.client_secret === known?.client_secret
  if (known === undefined || (given.secret && !isSame)) return secretsOf(secret, at, undefined)
  return secretsOf(given.secret && given.expiry ? secret : known, secret_created_at, preceding_secret)
}

// The replaced client keeps its registration with its time, and what the record has not.
const replacement = (
  { client, given, at }: JudgedImport,
  stored: RegisteredClient,
  declared: string | undefined,
): RegisteredClient => ({
  client_id: stored.client_id,
  registration_id: stored.registration_id,
  client_id_issued_at: stored.client_id_issued_at,
  ...secretsAfter({ client, given, at }, stored),
  registration_access_token: given.token ? client.registration_access_token : stored.registration_access_token,
  registered_by: given.authority ? client.registered_by : stored.registered_by,
  privileges: given.authority ? client.privileges : stored.privileges,
  metadata: client.metadata,
  version: stored.version + 1,
  ...(stored.fingerprint === undefined ? {} : { fingerprint: stored.fingerprint }),
  ...unreplaced(stored, client, declared),
})

/** What an import may do with clients that are registered already. */
export type ImportTerms = {
  readonly replace: boolean
  /** The set of declared clients that the records make up: no client of another set, or of none, is touched. */
  readonly declares?: {
    readonly set: string
    /** Whether clients of no set are taken over. */
    readonly adopt: boolean
  }
}

const isTouched = ({ declares }: ImportTerms, owner: string | undefined): boolean =>
  declares === undefined || owner === declares.set || (declares.adopt && owner === undefined)

const declaredIn = (set: string | undefined, client: RegisteredClient): RegisteredClient =>
  set === undefined ? client : { ...client, provenance: { ...client.provenance, declared: set } }

/** An equal client is left as it is, so that an import that was interrupted may be run again. */
export const decideImport =
  (terms: ImportTerms) =>
  (
    judged: JudgedImport,
    stored: RegisteredClient | undefined,
  ): E.Either<ReadonlyArray<ImportFinding>, ImportDecision> => {
    const set = terms.declares?.set
    if (stored === undefined) return E.right({ kind: 'added', client: declaredIn(set, judged.client) })
    const owner = stored.provenance?.declared
    if (!isTouched(terms, owner)) return E.left([importFault('import-not-declared')('client_id')])
    const members = differences(judged, stored)
    const isTakenOver = set !== undefined && set !== owner
    if (members.length === 0 && !isTakenOver) return E.right({ kind: 'equal' })
    if (terms.replace)
      return E.right({ kind: 'replaced', client: replacement(judged, stored, set), replacing: stored, members })
    const differing = isTakenOver ? [...members, 'provenance'] : members
    return E.left(differing.map((member) => importFault('import-differs')(member)))
  }

// The format of an export: one JSON object for each client. Its first member is the version of the format.

const exportVersion = 2

/** Of a client without an approval: an earlier release, which would take it for one in force, refuses its record. */
const unapprovedVersion = 3

/** The versions that an import reads. Version 1 said nothing of suspension and use. */
const readableVersions: ReadonlyArray<unknown> = [1, exportVersion, unapprovedVersion]

/** Whether an export contains the client secrets and registration access tokens. */
export type ExportOptions = { readonly secrets: boolean }

export type ExportedClient = {
  readonly clientele_client: typeof exportVersion | typeof unapprovedVersion
  readonly client_id: string
  readonly client_id_issued_at: number
  readonly registered_by: string
  readonly privileges: RegisteredClient['privileges']
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  readonly registration_access_token?: string
  readonly provenance?: Provenance
  readonly suspended_at?: number
  readonly approval?: Unapproved
  readonly last_used_at?: number
  readonly metadata: RegisteredClient['metadata'] | JsonObject
}

/** A client as an export writes it. The registration_id is left out: an import is another registration. */
export const exportedClient =
  ({ secrets }: ExportOptions) =>
  ({ client, last_use }: ClientWithUse): ExportedClient => {
    const provenance = earlierProvenance(client.provenance)
    return {
      clientele_client: client.approval === undefined ? exportVersion : unapprovedVersion,
      client_id: client.client_id,
      client_id_issued_at: client.client_id_issued_at,
      registered_by: client.registered_by,
      privileges: client.privileges,
      ...(secrets ? { ...client.secret, registration_access_token: client.registration_access_token.token } : {}),
      ...(provenance === undefined ? {} : { provenance }),
      ...(client.suspended_at === undefined ? {} : { suspended_at: client.suspended_at }),
      ...(client.approval === undefined ? {} : { approval: client.approval }),
      ...(last_use === undefined ? {} : { last_used_at: last_use }),
      metadata: client.metadata,
    }
  }

/** A record of an export: docs/operate/year.md#import-and-export-of-clients. */
export const readExportedClient: ReadClientRecord = (record) => {
  const members = isPlainObject(record) ? record : {}
  const client_id = ownMember(members, 'client_id')
  const version = ownMember(members, 'clientele_client')
  const metadata = ownMember(members, 'metadata')
  const named = typeof client_id === 'string' ? client_id : undefined
  if (version !== undefined && !readableVersions.includes(version))
    return { kind: 'broken', client_id: named, faults: [importFault('import-version')('clientele_client')] }
  if (version === undefined || !isPlainObject(metadata))
    return { kind: 'broken', client_id: named, faults: [importFault('import-record')()] }
  // Imported metadata would count as what an end-user approved of the document.
  if (ClientIdUrl.is(client_id) && ownMember(members, 'registered_by') === 'nobody')
    return { kind: 'left_out', client_id, reason: 'described-by-document' }
  // The draft has them as the record has them, unless they are null.
  const isSent = (name: string): boolean => (ownMember(members, name) ?? null) !== null
  const sent = Object.fromEntries(draftMembers.filter(isSent).map((name) => [name, ownMember(members, name)]))
  return { kind: 'client', draft: { ...sent, client_id: named, metadata }, notes: [] }
}
