// Drafts of clients, as the formats of other servers give them, and what is kept of each.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { type HashText, type Operator, RegisteredBy } from '../authorization/credential.js'
import { Privileges, allPrivileges, authorityOfOperator } from '../authorization/registrant.js'
import { type ClientId, isNewClientId, isOperatorsClient } from '../client/ids.js'
import { type ClientMetadata, needsSecret, refuseFaults } from '../client/metadata.js'
import { droppedMembers, droppedText, reportedNames, serverIssued, unknownMembers } from '../client/schema.js'
import { type Step, faultsAt, pointerOf, valueThat } from '../kernel/faults.js'
import { isPlainObject } from '../kernel/json-object.js'
import { type RuleText, ownBound, safety } from '../kernel/rule-texts.js'
import { EpochSeconds, century } from '../kernel/time.js'
import { Unapproved } from '../life-cycle/states.js'
import { adjustmentsOf } from '../registration/adjustments.js'
import { type RegistrationSettings, validateStoredMetadata } from '../registration/decide.js'
import { warningsOf } from '../registration/information.js'
import { permittedByOperator, requestedPrivileges } from '../registration/permit.js'
import { type Provenance, recordedProvenance } from '../registration/provenance.js'
import { type ClientSecret, clientSecret } from '../registration/client-secrets.js'
import type { GeneratedCredentials, RegisteredClient } from '../registration/registered-client.js'

// The texts of an import: each follows the name of the member, and ends with the remedy.

/** What keeps a client from being imported. */
export const importRules = {
  'import-record': safety(
    'the record is no client of the format that --from names: see docs/operate/year.md#import-and-export-of-clients for its shape',
    ownBound,
  ),
  'import-record-size': safety('the record is longer than 1 MiB: shorten it, or remove it', ownBound),
  'import-size': safety(
    'the client is longer than the running service reads at once: shorten it, or stop the service for the import',
    ownBound,
  ),
  'import-nesting': safety('the client is nested deeper than 29 levels: flatten it', ownBound),
  'import-json': safety(
    'the record is not JSON, or JSON that readers understand differently, such as a member that is there twice: correct it',
    'RFC 8259 §4',
  ),
  'import-version': safety(
    'must be 1, 2 or 3: export the clients with a version of Clientele that writes one of these formats',
    ownBound,
  ),
  'import-secret': safety('must be 1 to 256 printable ASCII characters, or be left out', 'RFC 6749 §A.2'),
  'import-token': safety(
    'must be 16 to 512 of the characters A-Z a-z 0-9 - . _ ~ + / with = at the end, or be left out',
    'RFC 6750 §2.1',
  ),
  'import-time': safety('must be a whole number of seconds since 1970-01-01 UTC, or be left out', 'RFC 7591 §3.2.1'),
  'import-time-ahead': safety(
    'lies more than a century ahead, as a time in milliseconds does: write whole seconds since 1970-01-01 UTC, or leave it out',
    'RFC 7591 §3.2.1',
  ),
  'import-authority': safety('must be as an export writes it, or be left out', ownBound),
  'import-approval': safety(
    'must be as an export writes it, or be left out: then the client needs no approval',
    ownBound,
  ),
  'import-repeated': safety('stands in an earlier record of the file: keep one of them', ownBound),
  'import-differs': safety(
    'is registered here with another value: correct the record, remove it, or replace the client by --replace',
    ownBound,
  ),
  'import-not-declared': safety(
    'is registered here, and belongs to no set or to another one: choose another client_id, or take the client over by --adopt where it belongs to no set',
    ownBound,
  ),
  'import-changed': safety('was registered or changed meanwhile: run the import again', ownBound),
  'import-unreadable': safety('is registered here, but cannot be read: delete that client first', ownBound),
} as const satisfies Readonly<Record<string, RuleText>>

/** What an import sets or leaves out otherwise than in the record. */
const importNotes = {
  'secret-hashed': 'is a hash, from which no secret can be computed, and was left out',
  'secret-hidden': 'was hidden by the export, and was left out',
  'secret-made': 'is a new one, because the record has none that can be kept: give it to the client',
  'secret-short': 'has fewer than 32 characters and was kept: clientele clients renew makes a longer one',
  'secret-unused': 'was left out, because the client uses none',
  'token-made': 'is a new one, because the record has none: give it to a client that manages its registration',
  'auth-method-chosen':
    'was set to client_secret_basic, because the other server takes client_secret_post as well: replace the client if it sends that',
  'used-before-issued': 'is before client_id_issued_at: both were kept, so check which of them is wrong',
  'sector-identifier-unchecked': 'was not fetched: check that it lists every redirection URI of the client',
  'member-dropped': 'was left out, because this service has no such member',
} as const

/** Why a record is not a client to import. */
export const leftOutTexts = {
  'not-a-client': 'is a record of another kind',
  disabled: 'is disabled there: enable it there first if it is to be imported',
  'built-in': 'is a client of the other server itself',
  'other-protocol': 'speaks a protocol other than OpenID Connect',
  'bearer-only': 'is a resource server, which requests no tokens',
  'described-by-document':
    'is described by the document at its client_id, from which the service makes it anew: if it was suspended or refused, deny its URL in the registration policy',
  'not-used-since': 'was not used since the date',
} as const

type ImportRuleId = keyof typeof importRules
type ImportNoteId = keyof typeof importNotes
export type LeftOutId = keyof typeof leftOutTexts

/** The place (RFC 6901) in the metadata of the client, a rule, and a text that contains no value. */
export type ImportFinding = { readonly pointer: string; readonly rule: string; readonly description: string }

const finding = (rule: string, text: string, path: ReadonlyArray<Step>): ImportFinding => ({
  pointer: pointerOf(path),
  rule,
  description: path.length === 0 ? text : `${String(path[0])} ${text}`,
})

export const importFault =
  (rule: ImportRuleId) =>
  (...path: ReadonlyArray<Step>): ImportFinding =>
    finding(rule, importRules[rule].text, path)

export const importNote =
  (rule: ImportNoteId) =>
  (...path: ReadonlyArray<Step>): ImportFinding =>
    finding(rule, importNotes[rule], path)

// A client of another store, in the terms of this service. Its values are those of the record, not judged yet.

// In JSON, a member that is undefined is left out.
const Values = t.partial({
  client_id: t.unknown,
  client_secret: t.unknown,
  client_secret_expires_at: t.unknown,
  registration_access_token: t.unknown,
  client_id_issued_at: t.unknown,
  registered_by: t.unknown,
  privileges: t.unknown,
  provenance: t.unknown,
  suspended_at: t.unknown,
  approval: t.unknown,
  last_used_at: t.unknown,
})

/** The members that a draft has beside metadata. */
export const draftMembers: ReadonlyArray<string> = Object.keys(Values.props)

export const ClientDraft = t.readonly(t.intersection([t.type({ metadata: t.UnknownRecord }), Values]), 'ClientDraft')

export interface ClientDraft extends t.TypeOf<typeof ClientDraft> {}

/** What a format says of a record of its file. */
export type ReadRecord =
  | {
      readonly kind: 'client'
      readonly draft: ClientDraft
      /** What the record has, and the draft cannot say. */
      readonly notes: ReadonlyArray<ImportFinding>
    }
  | { readonly kind: 'left_out'; readonly client_id: string | undefined; readonly reason: LeftOutId }
  | { readonly kind: 'broken'; readonly client_id: string | undefined; readonly faults: ReadonlyArray<ImportFinding> }

/** Reads a record, which is any JSON value. Total. */
export type ReadClientRecord = (record: unknown) => ReadRecord

// The provenance of a client in the record of an export.

/** What an export says: that this store imported the client is of this store alone. */
export const earlierProvenance = (provenance: Provenance | undefined): Provenance | undefined =>
  recordedProvenance({ ...provenance })

/** Of a client that an import brings, with what its record says of an earlier registration. */
const importedProvenance = (drafted: unknown): Provenance => ({
  ...(isPlainObject(drafted) ? recordedProvenance(drafted) : {}),
  imported: true,
})

// The decision about one client of an import: the rules of a registration, with the authority of the operator.

/** A valid client of an import, and which parts of it the record had: the others were made or are defaults. */
export type JudgedImport = {
  readonly client: RegisteredClient
  /** The time of the import. */
  readonly at: EpochSeconds
  /** The last use, where the record says it. */
  readonly last_use?: EpochSeconds
  readonly given: {
    readonly secret: boolean
    readonly expiry: boolean
    readonly token: boolean
    readonly authority: boolean
  }
  readonly notes: ReadonlyArray<ImportFinding>
}

// RFC 6749 §A.2: VSCHAR
const isSecret = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7E]{1,256}$/.test(value)
// RFC 6750 §2.1: b64token
const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 16 && value.length <= 512 && /^[A-Za-z0-9._~+/-]+=*$/.test(value)

const clientId = valueThat('preferred-client-id', isNewClientId)

type Check = readonly [value: unknown, isValid: (value: unknown) => boolean, rule: ImportRuleId, member: string]

const times = ['client_secret_expires_at', 'client_id_issued_at', 'suspended_at', 'last_used_at'] as const

const credentialFaults = (draft: ClientDraft, now: EpochSeconds): ReadonlyArray<ImportFinding> => {
  const checks: ReadonlyArray<Check> = [
    [draft.client_secret, isSecret, 'import-secret', 'client_secret'],
    ...times.map((member): Check => [draft[member], EpochSeconds.is, 'import-time', member]),
    [draft.registration_access_token, isToken, 'import-token', 'registration_access_token'],
    [draft.registered_by, RegisteredBy.is, 'import-authority', 'registered_by'],
    [draft.privileges, Privileges.is, 'import-authority', 'privileges'],
    [draft.approval, Unapproved.is, 'import-approval', 'approval'],
  ]
  return [
    ...faultsAt('client_id', clientId.brokenRules(draft.client_id)),
    ...checks.flatMap(([value, isValid, rule, member]) =>
      value === undefined || isValid(value) ? [] : [importFault(rule)(member)],
    ),
    ...times
      .map((member) => ({ member, value: draft[member] }))
      .filter(({ value }) => EpochSeconds.is(value) && value > now + century)
      .map(({ member }) => importFault('import-time-ahead')(member)),
  ]
}

const secretOf = (settings: RegistrationSettings, issued: GeneratedCredentials, draft: ClientDraft): ClientSecret => {
  const { client_secret: given, client_secret_expires_at: expiry } = draft
  const lifetime = settings.credentials.clientSecretLifetime
  if (!isSecret(given)) return clientSecret(issued.client_secret, issued.at, lifetime)
  const kept = clientSecret(given, issued.at, lifetime)
  return EpochSeconds.is(expiry) ? { ...kept, client_secret_expires_at: expiry } : kept
}

const minSecret = 32

const secretNotes = (metadata: ClientMetadata, { client_secret }: ClientDraft): ReadonlyArray<ImportFinding> => {
  if (!isSecret(client_secret)) return needsSecret(metadata) ? [importNote('secret-made')('client_secret')] : []
  if (!needsSecret(metadata)) return [importNote('secret-unused')('client_secret')]
  return client_secret.length < minSecret ? [importNote('secret-short')('client_secret')] : []
}

// What is not metadata stands beside it in a record, and a record of a declared client has neither.
const misplaced: Readonly<Record<string, string>> = {
  registration_access_token:
    'was left out, because it is a credential and no metadata: whoever declares a client changes it by its file',
  client_secret: 'was left out, because it is a credential and no metadata: it stands beside client_id',
  client_id: 'was left out, because it is no metadata: it stands beside metadata',
}

const droppedNote = (name: string): ImportFinding => {
  const note = importNote('member-dropped')(name)
  const text = Object.hasOwn(misplaced, name) ? misplaced[name] : undefined
  if (text !== undefined) return { ...note, description: `${name} ${text}` }
  if (serverIssued.includes(name))
    return { ...note, description: `${name} was left out, because this service issues it itself` }
  const [meant] = /did you mean .*/.exec(droppedText(name)) ?? []
  return meant === undefined ? note : { ...note, description: `${note.description}: ${meant}` }
}

const notesOf = (
  settings: RegistrationSettings,
  metadata: ClientMetadata,
  draft: ClientDraft,
): ReadonlyArray<ImportFinding> => [
  ...secretNotes(metadata, draft),
  ...(isToken(draft.registration_access_token) ? [] : [importNote('token-made')('registration_access_token')]),
  ...(metadata.sector_identifier_uri === undefined
    ? []
    : [importNote('sector-identifier-unchecked')('sector_identifier_uri')]),
  ...(EpochSeconds.is(draft.last_used_at) &&
  EpochSeconds.is(draft.client_id_issued_at) &&
  draft.last_used_at < draft.client_id_issued_at
    ? [importNote('used-before-issued')('last_used_at')]
    : []),
  ...adjustmentsOf(draft.metadata, metadata),
  ...reportedNames(droppedMembers(draft.metadata, [])).map(droppedNote),
  ...warningsOf(settings)(metadata),
]

type JudgeDraftParts = {
  readonly settings: RegistrationSettings
  readonly hashToken: HashText
}

type Parts = JudgeDraftParts & { readonly operator: Operator; readonly issued: GeneratedCredentials }

// An import gives no client more than the importing operator's own registrations have. Its registrant may have the token by
// which it is changed, so that it has the operator's authority only where the record says so.
const authorityOf = ({ kind }: Operator, { registered_by }: ClientDraft): RegisteredBy => {
  if (registered_by === 'master') return authorityOfOperator(kind)
  return RegisteredBy.is(registered_by) ? registered_by : 'token'
}

const privilegesOf = (
  { privileges }: ClientDraft,
  registered_by: RegisteredBy,
  metadata: ClientMetadata,
): Privileges => {
  if (Privileges.is(privileges)) return privileges
  return isOperatorsClient({ registered_by }) ? allPrivileges : requestedPrivileges(metadata)
}

const clientOf = (
  { settings, hashToken, operator, issued }: Parts,
  draft: ClientDraft,
  client_id: ClientId,
  metadata: ClientMetadata,
): RegisteredClient => {
  const token = draft.registration_access_token
  const client_id_issued_at = EpochSeconds.is(draft.client_id_issued_at) ? draft.client_id_issued_at : issued.at
  const registered_by = authorityOf(operator, draft)
  return {
    client_id,
    registration_id: issued.registration_id,
    client_id_issued_at,
    secret: needsSecret(metadata) ? secretOf(settings, issued, draft) : undefined,
    registration_access_token: isToken(token) ? { token, hash: hashToken(token) } : issued.registration_access_token,
    registered_by,
    privileges: privilegesOf(draft, registered_by, metadata),
    metadata: permittedByOperator(operator, metadata),
    version: 1,
    // No use before the import can have been recorded here.
    ...(client_id_issued_at < issued.at ? { waits_since: issued.at } : {}),
    provenance: importedProvenance(draft.provenance),
    ...(EpochSeconds.is(draft.suspended_at) ? { suspended_at: draft.suspended_at } : {}),
    ...(Unapproved.is(draft.approval) ? { approval: draft.approval } : {}),
  }
}

const givenOf = (draft: ClientDraft): JudgedImport['given'] => ({
  secret: isSecret(draft.client_secret),
  expiry: EpochSeconds.is(draft.client_secret_expires_at),
  token: isToken(draft.registration_access_token),
  authority: RegisteredBy.is(draft.registered_by) && Privileges.is(draft.privileges),
})

/**
 * The client that a draft results in, or all of its faults. `stored` is the client that is registered under its client_id: where
 * the draft has no secret, the client keeps that one. Total for any draft.
 */
export const judgeDraft = (
  parts: JudgeDraftParts,
): ((
  operator: Operator,
  draft: ClientDraft,
  issued: GeneratedCredentials,
  stored?: Pick<RegisteredClient, 'secret'>,
) => E.Either<ReadonlyArray<ImportFinding>, JudgedImport>) => {
  const validate = validateStoredMetadata(parts.settings)
  return (operator, draft, issued, stored) => {
    const kept = stored?.secret?.client_secret ?? issued.client_secret
    const secret = isSecret(draft.client_secret) ? draft.client_secret : kept
    const { metadata, faults } = validate(draft.metadata, secret.length, authorityOf(operator, draft))
    const refused = refuseFaults(faults)
    const ofMetadata = E.isLeft(refused) ? refused.left.errors : []
    const all = [...credentialFaults(draft, issued.at), ...ofMetadata]
    if (all.length > 0 || !isNewClientId(draft.client_id)) return E.left(all)
    const client = clientOf(Object.assign({ operator, issued }, parts), draft, draft.client_id, metadata)
    const use = EpochSeconds.is(draft.last_used_at) ? { last_use: draft.last_used_at } : {}
    return E.right({
      client,
      at: issued.at,
      ...use,
      given: givenOf(draft),
      notes: notesOf(parts.settings, metadata, draft),
    })
  }
}

/** In a file, nobody sees that an unknown member was left out: a declared client has none, beside those of an export. */
export const refuseUndeclared =
  ({ metadata }: ClientDraft) =>
  <A>(judged: E.Either<ReadonlyArray<ImportFinding>, A>): E.Either<ReadonlyArray<ImportFinding>, A> => {
    const names = Object.entries(metadata).filter(([name]) => !draftMembers.includes(name))
    const unknown = unknownMembers(Object.fromEntries(names))
    if (unknown.length === 0) return judged
    // Those that are spelt nearly as a member is are told with other faults already.
    const told = E.isLeft(judged) ? judged.left.filter(({ rule }) => rule !== 'unknown-member') : []
    return E.left([...told, ...unknown])
  }
