// The decision about one client of an import: the rules of a registration, with the authority of the operator.
import * as E from 'fp-ts/lib/Either.js'
import { authorityOfOperator } from '../authorization/authorize-registrant.js'
import type { Operator } from '../authorization/operator.js'
import { allPrivileges, Privileges } from '../authorization/privileges.js'
import { RegisteredBy, type TokenHash } from '../authorization/credential.js'
import { storedStatement } from '../client/software-statement.js'
import { type ClientId, isNewClientId } from '../client/client-id.js'
import { type ClientMetadata, needsSecret } from '../client/client-metadata.js'
import { type ClientSecret, clientSecret } from '../client/client-secret.js'
import { droppedMembers, reportedNames } from '../client/dropped-members.js'
import { isOperatorsClient } from '../client/registered-by.js'
import { refuseFaults } from '../client/metadata-refusal.js'
import { type ValidatedMetadata, validateClientMetadata } from '../client/validate-client-metadata.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { faultsAt } from '../codec/fault.js'
import { valueThat } from '../codec/rule-codec.js'
import { adjustmentsOf } from '../registration/adjustments.js'
import { permittedByOperator, requestedPrivileges } from '../registration/permit-registration.js'
import { importedProvenance } from './imported-provenance.js'
import type { GeneratedCredentials, RegisteredClient } from '../registration/registered-client.js'
import { type RegistrationSettings, ruleBook } from '../registration/registration-settings.js'
import type { ClientDraft } from './client-draft.js'
import { type ImportFinding, findingOf, importFault, importNote } from './import-texts.js'

/** A valid client of an import, and which parts of it the record had: the others were made or are defaults. */
export type JudgedImport = {
  readonly client: RegisteredClient
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

type Check = readonly [value: unknown, isValid: (value: unknown) => boolean, ...fault: Parameters<typeof memberFault>]

const memberFault = (rule: Parameters<typeof importFault>[0], member: string): ImportFinding =>
  importFault(rule)(member)

const century = 36_525 * 86_400

const times = ['client_secret_expires_at', 'client_id_issued_at', 'suspended_at', 'last_used_at'] as const

const credentialFaults = (draft: ClientDraft, now: EpochSeconds): ReadonlyArray<ImportFinding> => {
  const checks: ReadonlyArray<Check> = [
    [draft.client_secret, isSecret, 'import-secret', 'client_secret'],
    ...times.map((member): Check => [draft[member], EpochSeconds.is, 'import-time', member]),
    [draft.registration_access_token, isToken, 'import-token', 'registration_access_token'],
    [draft.registered_by, RegisteredBy.is, 'import-authority', 'registered_by'],
    [draft.privileges, Privileges.is, 'import-authority', 'privileges'],
  ]
  return [
    ...faultsAt('client_id', clientId.brokenRules(draft.client_id)).map(findingOf),
    ...checks.flatMap(([value, isValid, rule, member]) =>
      value === undefined || isValid(value) ? [] : [memberFault(rule, member)],
    ),
    ...times
      .map((member) => ({ member, value: draft[member] }))
      .filter(({ value }) => EpochSeconds.is(value) && value > now + century)
      .map(({ member }) => memberFault('import-time-ahead', member)),
  ]
}

const secretOf = (settings: RegistrationSettings, issued: GeneratedCredentials, draft: ClientDraft): ClientSecret => {
  const expiry = draft.client_secret_expires_at
  if (!isSecret(draft.client_secret))
    return clientSecret(issued.client_secret, issued.at, settings.credentials.clientSecretLifetime)
  return EpochSeconds.is(expiry)
    ? { client_secret: draft.client_secret, client_secret_expires_at: expiry }
    : clientSecret(draft.client_secret, issued.at, settings.credentials.clientSecretLifetime)
}

const minSecret = 32

const secretNotes = (metadata: ClientMetadata, { client_secret }: ClientDraft): ReadonlyArray<ImportFinding> => {
  if (!isSecret(client_secret)) return needsSecret(metadata) ? [importNote('secret-made')('client_secret')] : []
  if (!needsSecret(metadata)) return [importNote('secret-unused')('client_secret')]
  return client_secret.length < minSecret ? [importNote('secret-short')('client_secret')] : []
}

const notesOf = (metadata: ClientMetadata, draft: ClientDraft): ReadonlyArray<ImportFinding> => [
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
  ...reportedNames(droppedMembers(draft.metadata, [])).map((name) => importNote('member-dropped')(name)),
]

export type JudgeDraftParts = {
  readonly settings: RegistrationSettings
  readonly hashToken: (token: string) => TokenHash
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
  }
}

const givenOf = (draft: ClientDraft): JudgedImport['given'] => ({
  secret: isSecret(draft.client_secret),
  expiry: EpochSeconds.is(draft.client_secret_expires_at),
  token: isToken(draft.registration_access_token),
  authority: RegisteredBy.is(draft.registered_by) && Privileges.is(draft.privileges),
})

/** The client that a draft results in, or all of its faults. Total for any draft. */
export const judgeDraft = (
  parts: JudgeDraftParts,
): ((
  operator: Operator,
  draft: ClientDraft,
  issued: GeneratedCredentials,
) => E.Either<ReadonlyArray<ImportFinding>, JudgedImport>) => {
  const book = ruleBook(parts.settings)
  const validated = (operator: Operator, draft: ClientDraft, secretLength: number): ValidatedMetadata => {
    const registeredBy = authorityOf(operator, draft)
    const facts = { secretLength, registeredBy, statementFacts: storedStatement(draft.metadata) }
    return validateClientMetadata(book.rules, Object.assign({}, book, facts))(draft.metadata)
  }
  return (operator, draft, issued) => {
    const secret = isSecret(draft.client_secret) ? draft.client_secret : issued.client_secret
    const { metadata, faults } = validated(operator, draft, secret.length)
    const refused = refuseFaults(faults)
    const ofMetadata = E.isLeft(refused) ? refused.left.errors : []
    const all = [...credentialFaults(draft, issued.at), ...ofMetadata.map(findingOf)]
    if (all.length > 0 || !isNewClientId(draft.client_id)) return E.left(all)
    const client = clientOf(Object.assign({ operator, issued }, parts), draft, draft.client_id, metadata)
    const use = EpochSeconds.is(draft.last_used_at) ? { last_use: draft.last_used_at } : {}
    return E.right({ client, ...use, given: givenOf(draft), notes: notesOf(metadata, draft) })
  }
}
