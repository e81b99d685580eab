// Registering decided: the request as it is read, the answer, and stored clients judged by the rules of today.
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { PresentedCredential, RegisteredBy, TokenHash } from '../authorization/credential.js'
import {
  type InitialAccessToken,
  type Privileges,
  type Registrant,
  type RegistrationMode,
  authorizeRegistrant,
  ceilingOf,
  isNothing,
  missingPrivileges,
  noPrivileges,
} from '../authorization/registrant.js'
import { isNewClientId } from '../client/ids.js'
import {
  type ClientMetadata,
  type InvalidMembers,
  type RefusedMetadata,
  needsSecret,
  refuseFaults,
} from '../client/metadata.js'
import { type RuleBook, type ValidatedMetadata, allRules, validateClientMetadata } from '../client/rules.js'
import { type ReadStatement, storedStatement, withStatement } from '../client/statement.js'
import { knownPrivateUseSchemes } from '../client/uris.js'
import { type Fault, fault, faultsAt, memberOfFault, optional, valueThat } from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import {
  type InsufficientScope,
  type InvalidRequest,
  type InvalidToken,
  type MissingToken,
  notAnObject,
} from '../kernel/refusals.js'
import { type Abilities, abilityRules, supportedValues } from '../policy/algorithms.js'
import { type RegistrationPolicy, beyondEntry, needsApproval } from '../policy/policy.js'
import { policyRules } from '../policy/rules.js'
import { type Adjustment, tidiedIf } from './adjustments.js'
import { judgePermission, requestedPrivileges } from './permit.js'
import {
  type CredentialPolicy,
  type GeneratedCredentials,
  type PresetCredentials,
  type RegisteredClient,
  pendingClient,
  registeredClient,
} from './registered-client.js'

type Body = Readonly<Record<string, unknown>>

// The members of a registration that preset the identifier and the secret of an imported client.

// RFC 6749 §A.2: VSCHAR
const secretPattern = /^[\x20-\x7E]{32,256}$/

/** Whether a client may have the client_secret, where it is not made here. */
export const isSecret = (value: unknown): value is string => typeof value === 'string' && secretPattern.test(value)

const presetId = optional(valueThat('preferred-client-id', isNewClientId))
const presetSecret = optional(valueThat('preferred-client-secret', isSecret))

/** The valid ones of the preset credentials. */
const presetCredentials = (body: Body): PresetCredentials => {
  const id = ownMember(body, 'preferred_client_id')
  const secret = ownMember(body, 'preferred_client_secret')
  return {
    preferred_client_id: presetId.is(id) ? id : undefined,
    preferred_client_secret: presetSecret.is(secret) ? secret : undefined,
  }
}

// While the members that decide it are invalid, it is unknown whether the client has a secret.
const isUndecided = (faults: ReadonlyArray<Fault>): boolean =>
  faults.some((each) => /^token_endpoint_auth_method|_alg$/.test(memberOfFault(each)))

/** A preset secret requires a client that uses one. */
const presetFaults = (body: Body, { metadata, faults }: ValidatedMetadata): ReadonlyArray<Fault> => {
  const secret = ownMember(body, 'preferred_client_secret')
  const isUnused = secret !== undefined && !isUndecided(faults) && !needsSecret(metadata)
  return [
    ...faultsAt('preferred_client_id', presetId.brokenRules(ownMember(body, 'preferred_client_id'))),
    ...faultsAt('preferred_client_secret', presetSecret.brokenRules(secret)),
    ...(isUnused ? [fault('preferred-client-secret-unused')('preferred_client_secret')] : []),
  ]
}

/** RFC 7591 §3.1, with the members that preset the identifier and the secret of an imported client. */
export type RegistrationRequest = PresetCredentials & { readonly metadata: ClientMetadata }

/** The body, the claims of its software statement, the length of a generated secret, and who registers the client. */
export type SentMetadata = {
  readonly body: unknown
  readonly statement: O.Option<ReadStatement>
  readonly secretLength: number
  readonly registeredBy: RegisteredBy
}

/** A decoded body: the valid part of an invalid one, and the refusal. */
export type ReadRegistration = {
  readonly body: Body
  readonly invalid: InvalidMembers
  readonly request: RegistrationRequest
  readonly refusal: RefusedMetadata | undefined
}

/** Decodes the valid part of any value as a registration request. */
export const readRegistrationRequest =
  (book: RuleBook) =>
  (sent: SentMetadata): E.Either<InvalidRequest, ReadRegistration> => {
    if (!isPlainObject(sent.body)) return E.left(notAnObject)
    const { body, asserted, statementFacts, refused: ofStatement } = withStatement(sent.body, sent.statement)
    const presets = presetCredentials(body)
    const secretLength = presets.preferred_client_secret?.length ?? sent.secretLength
    const { registeredBy } = sent
    const validated = validateClientMetadata(book.rules, { secretLength, registeredBy, statementFacts, ...book })(body)
    const refused = refuseFaults(
      ofStatement.length > 0 ? ofStatement : [...validated.faults, ...presetFaults(body, validated)],
      asserted,
    )
    const { metadata, invalid } = validated
    const refusal = E.isLeft(refused) ? refused.left : undefined
    return E.right({ body: sent.body, invalid, request: { metadata, ...presets }, refusal })
  }

/** Any value as a registration request, or all of its faults. */
export const decodeRegistrationRequest =
  (book: RuleBook) =>
  (sent: SentMetadata): E.Either<InvalidRequest | RefusedMetadata, RegistrationRequest> => {
    const read = readRegistrationRequest(book)(sent)
    if (E.isLeft(read)) return read
    const { refusal, request } = read.right
    return refusal === undefined ? E.right(request) : E.left(refusal)
  }

/** The operator's settings for registration. The endpoint is an absolute URL without a trailing slash. */
export type RegistrationSettings = {
  readonly mode: RegistrationMode
  readonly policy: RegistrationPolicy
  readonly credentials: CredentialPolicy
  readonly registrationEndpoint: string
  /** The identifier of this service, for the audience of software statements. */
  readonly issuer: string
  /** Whether the service sends requests. If not, sector identifier URIs are refused and no logout token is sent. */
  readonly outboundFetches: boolean
  /** Whether the base URL is on loopback, so that clients on the same machine may be notified by http; not, unless it is set. */
  readonly isOnLoopback?: boolean
  /** Whether an authorization server here uses the key sets at jwks_uri. Without this, they are not read here. */
  readonly readsKeySets?: boolean
  /**
   * Whether the service connects to the address. Without this function, registrations get no warnings about addresses.
   */
  readonly allowsAddress?: (address: string) => boolean
  /** The supported algorithms. Without them, every known algorithm is accepted. */
  readonly abilities?: Abilities
  /** Whether a registration may have members that are null or empty, and the same entry twice in a list; no, unless it is set. */
  readonly lenient?: boolean
  /** Whether PUT, PATCH and DELETE must name the version of the client that they change (RFC 6585 §3); no, unless it is set. */
  readonly requiresIfMatch?: boolean
  /** The default lifetime of initial access tokens, in seconds. */
  readonly initialAccessTokenLifetime: number
}

/** The defaults of registration, in seconds. */
export const defaultRegistration: Pick<RegistrationSettings, 'credentials' | 'initialAccessTokenLifetime'> = {
  credentials: {
    clientSecretLifetime: 0,
    rotateRegistrationAccessTokenOnUpdate: true,
    registrationAccessTokenGrace: 3600,
    rotateClientSecretOnUpdate: true,
    clientSecretOverlap: 0,
  },
  initialAccessTokenLifetime: 3600,
}

/** The settings that the rules depend on. */
export type JudgingSettings = Pick<RegistrationSettings, 'policy' | 'outboundFetches' | 'abilities' | 'isOnLoopback'>

export const ruleBook = (settings: JudgingSettings): RuleBook => ({
  rules: [...allRules, ...abilityRules(settings), ...policyRules(settings.policy)],
  fetchesSectorIdentifiers: settings.outboundFetches,
  isOnLoopback: settings.isOnLoopback ?? false,
  privateUseSchemes: new Set(settings.policy.allowed_private_use_schemes ?? knownPrivateUseSchemes),
  isSupported: supportedValues(settings),
  replacesWebType: settings.policy.replace_contradicted_application_type ?? false,
  takesPrivateHttp: settings.policy.allow_http_on_private_networks ?? false,
})

// RFC 7591 §3.1: the decision about a registration, with the steps that led to it.

export type RegistrationRefusal = MissingToken | InvalidToken | InvalidRequest | RefusedMetadata | InsufficientScope

/** The facts about the body, for an authorized registrant. */
type BodyFacts = {
  readonly body: E.Either<InvalidRequest, unknown>
  readonly statement: O.Option<ReadStatement>
  readonly issued: GeneratedCredentials
}

export type RegistrationFacts = BodyFacts & {
  readonly credential: PresentedCredential
  readonly token: O.Option<InitialAccessToken>
}

export type DecidedRegistration = { readonly client: RegisteredClient; readonly consumedToken: O.Option<TokenHash> }

type AuthorizedRegistrant = E.Either<MissingToken | InvalidToken, Registrant>

/** Each step of the decision, also for a refused registration, and the answer that results from them. */
export type RegistrationTrace = {
  readonly registrant: AuthorizedRegistrant
  readonly read: E.Either<InvalidRequest, ReadRegistration>
  /** What a lenient service left out of the body before it was read. */
  readonly tidied: ReadonlyArray<Adjustment>
  readonly requested: Privileges
  readonly missing: Privileges
  readonly answer: E.Either<RegistrationRefusal, DecidedRegistration>
}

const unreadable = (registrant: AuthorizedRegistrant, read: E.Left<InvalidRequest>): RegistrationTrace => ({
  registrant,
  read,
  tidied: [],
  requested: noPrivileges,
  missing: noPrivileges,
  answer: E.isLeft(registrant) ? registrant : read,
})

/** Is the request well-formed (400)? Is it permitted (403)? Then it results in this client. */
export const traceFor = (
  settings: RegistrationSettings,
): ((registrant: AuthorizedRegistrant, facts: BodyFacts) => RegistrationTrace) => {
  const readRequest = readRegistrationRequest(ruleBook(settings))
  return (registrant, { body, statement, issued }) => {
    if (E.isLeft(body)) return unreadable(registrant, body)
    // Without an authorization, the faults are those that the bearer of a token would be told.
    const registeredBy = E.isRight(registrant) ? registrant.right.by : 'token'
    const secretLength = issued.client_secret.length
    const { body: tidy, adjustments: tidied } = tidiedIf(settings.lenient, body.right)
    const read = readRequest({ body: tidy, statement, secretLength, registeredBy })
    if (E.isLeft(read)) return unreadable(registrant, read)
    const { body: sent, request, refusal } = read.right
    const { requested, missing, answer } = judgePermission(E.isLeft(registrant) ? undefined : registrant.right, {
      metadata: request.metadata,
      preferred_client_id: ownMember(sent, 'preferred_client_id'),
      preferred_client_secret: ownMember(sent, 'preferred_client_secret'),
    })
    const steps = { registrant, read, tidied, requested, missing }
    if (E.isLeft(registrant)) return { answer: registrant, ...steps }
    if (refusal !== undefined) return { answer: E.left(refusal), ...steps }
    if (E.isLeft(answer)) return { answer, ...steps }
    const { by, consumedToken } = registrant.right
    const registered = registeredClient(settings.credentials, issued)(request, answer.right, registrant.right)
    const client = needsApproval(settings.policy, by) ? pendingClient(registered) : registered
    return { answer: E.right({ client, consumedToken }), ...steps }
  }
}

/**
 * Is the requester authorized (401)? Is the request well-formed (400)? Is it permitted (403)? Every step is judged,
 * also after a refusal.
 */
export const traceRegistration = (
  settings: RegistrationSettings,
): ((facts: RegistrationFacts) => RegistrationTrace) => {
  const authorized = authorizeRegistrant(settings.mode, settings.policy.ceilings)
  const trace = traceFor(settings)
  return (facts) => trace(authorized(facts.credential, facts.token, facts.issued.at), facts)
}

/** The answer alone. */
export const decideRegistration = (
  settings: RegistrationSettings,
): ((facts: RegistrationFacts) => RegistrationTrace['answer']) => {
  const trace = traceRegistration(settings)
  return (facts) => trace(facts).answer
}

/**
 * The faults and exceeding privileges of a stored client: an update with the same metadata would be refused for them.
 */
type ClientJudgement = {
  readonly faults: ReadonlyArray<Fault>
  readonly exceeding: Privileges
  /** The scope values that the entry about the client does not permit; left out where there are none. */
  readonly beyond_entry?: ReadonlyArray<string>
}

/** The settings that judge metadata, and the registration mode, which limits privileges. */
type JudgingClients = JudgingSettings & Pick<RegistrationSettings, 'mode'>

type StoredMetadata = Readonly<Record<string, unknown>>

type ByStored<Judged> = (metadata: StoredMetadata, secretLength: number, registeredBy: RegisteredBy) => Judged

/** Metadata that was registered already, by the rules of today. A client without a secret has one of length 0. */
export const validateStoredMetadata = (settings: JudgingSettings): ByStored<ValidatedMetadata> => {
  const book = ruleBook(settings)
  return (metadata, secretLength, registeredBy) => {
    const facts = { secretLength, registeredBy, statementFacts: storedStatement(metadata) }
    return validateClientMetadata(book.rules, { ...book, ...facts })(metadata)
  }
}

/** All of its faults. */
export const judgeStoredMetadata = (settings: JudgingSettings): ByStored<ReadonlyArray<Fault>> => {
  const validate = validateStoredMetadata(settings)
  return (...stored) => validate(...stored).faults
}

/** Judges the metadata by the rules, and the privileges by the ceiling and the entry; MASTER has no ceiling. */
export const judgeStoredClient = (settings: JudgingClients): ((client: RegisteredClient) => ClientJudgement) => {
  const faultsOf = judgeStoredMetadata(settings)
  const { mode, policy } = settings
  return ({ client_id, metadata, secret, registered_by }) => {
    const requested = requestedPrivileges(metadata)
    const beyond_entry = beyondEntry(policy.clients, client_id, requested)
    return {
      faults: faultsOf({ ...metadata }, secret?.client_secret.length ?? 0, registered_by),
      exceeding: missingPrivileges(ceilingOf(mode, policy.ceilings, registered_by))(requested),
      ...(beyond_entry === 'any' || beyond_entry.length === 0 ? {} : { beyond_entry }),
    }
  }
}

/** The reported result of a judged client. */
export type JudgedClient = ClientJudgement & { readonly client_id: string; readonly client_name?: string | undefined }

export const judgedClient = (settings: JudgingClients): ((client: RegisteredClient) => JudgedClient) => {
  const judge = judgeStoredClient(settings)
  return (client) => ({ client_id: client.client_id, client_name: client.metadata.client_name, ...judge(client) })
}

/** Whether the client violates the policy. */
export const violatesPolicy = ({ faults, exceeding, beyond_entry = [] }: ClientJudgement): boolean =>
  faults.length > 0 || !isNothing(exceeding) || beyond_entry.length > 0
