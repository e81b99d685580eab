// The decision about a registration, and about a stored client by the rules of today.
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
import type { RefusedMetadata } from '../client/metadata.js'
import { type RuleBook, allRules, validateClientMetadata } from '../client/rules.js'
import { type ReadStatement, storedStatement } from '../client/statement.js'
import { knownPrivateUseSchemes } from '../client/uris.js'
import type { Fault } from '../kernel/faults.js'
import { ownMember } from '../kernel/json-object.js'
import type { InsufficientScope, InvalidRequest, InvalidToken, MissingToken } from '../kernel/refusals.js'
import { type Abilities, abilityRules, supportedValues } from '../policy/algorithms.js'
import type { RegistrationPolicy } from '../policy/policy.js'
import { policyRules } from '../policy/rules.js'
import { judgePermission, requestedPrivileges } from './permit.js'
import {
  type CredentialPolicy,
  type GeneratedCredentials,
  type RegisteredClient,
  registeredClient,
} from './registered-client.js'
import { type ReadRegistration, readRegistrationRequest } from './request.js'

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
  /** Whether an authorization server here uses the key sets at jwks_uri. Without this, they are not read here. */
  readonly readsKeySets?: boolean
  /**
   * Whether the service connects to the address. Without this function, registrations get no warnings about addresses.
   */
  readonly allowsAddress?: (address: string) => boolean
  /** The supported algorithms. Without them, every known algorithm is accepted. */
  readonly abilities?: Abilities
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
  },
  initialAccessTokenLifetime: 3600,
}

/** The settings that the rules depend on. */
export type JudgingSettings = Pick<RegistrationSettings, 'policy' | 'outboundFetches' | 'abilities'>

export const ruleBook = (settings: JudgingSettings): RuleBook => ({
  rules: [...allRules, ...abilityRules(settings), ...policyRules(settings.policy)],
  fetchesSectorIdentifiers: settings.outboundFetches,
  privateUseSchemes: new Set(settings.policy.allowed_private_use_schemes ?? knownPrivateUseSchemes),
  isSupported: supportedValues(settings),
  replacesWebType: settings.policy.replace_contradicted_application_type ?? false,
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
  /** The address of the requester, if known. */
  readonly remoteAddress?: string | undefined
}

export type DecidedRegistration = { readonly client: RegisteredClient; readonly consumedToken: O.Option<TokenHash> }

type AuthorizedRegistrant = E.Either<MissingToken | InvalidToken, Registrant>

/** Each step of the decision, also for a refused registration, and the answer that results from them. */
export type RegistrationTrace = {
  readonly registrant: AuthorizedRegistrant
  readonly read: E.Either<InvalidRequest, ReadRegistration>
  readonly requested: Privileges
  readonly missing: Privileges
  readonly answer: E.Either<RegistrationRefusal, DecidedRegistration>
}

const unreadable = (registrant: AuthorizedRegistrant, read: E.Left<InvalidRequest>): RegistrationTrace => ({
  registrant,
  read,
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
    const read = readRequest({ body: body.right, statement, secretLength, registeredBy })
    if (E.isLeft(read)) return unreadable(registrant, read)
    const { body: sent, request, refusal } = read.right
    const { requested, missing, answer } = judgePermission(E.isLeft(registrant) ? undefined : registrant.right, {
      metadata: request.metadata,
      preferred_client_id: ownMember(sent, 'preferred_client_id'),
      preferred_client_secret: ownMember(sent, 'preferred_client_secret'),
    })
    const steps = { registrant, read, requested, missing }
    if (E.isLeft(registrant)) return { answer: registrant, ...steps }
    if (refusal !== undefined) return { answer: E.left(refusal), ...steps }
    if (E.isLeft(answer)) return { answer, ...steps }
    const { consumedToken } = registrant.right
    const client = registeredClient(settings.credentials, issued)(request, answer.right, registrant.right)
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
type ClientJudgement = { readonly faults: ReadonlyArray<Fault>; readonly exceeding: Privileges }

/** The settings that judge metadata, and the registration mode, which limits privileges. */
type JudgingClients = JudgingSettings & Pick<RegistrationSettings, 'mode'>

type StoredMetadata = Readonly<Record<string, unknown>>

/** All faults of stored metadata; a client without a secret has one of length 0. */
export const judgeStoredMetadata = (
  settings: JudgingSettings,
): ((metadata: StoredMetadata, secretLength: number, registeredBy: RegisteredBy) => ReadonlyArray<Fault>) => {
  const book = ruleBook(settings)
  return (metadata, secretLength, registeredBy) => {
    const facts = { secretLength, registeredBy, statementFacts: storedStatement(metadata) }
    return validateClientMetadata(book.rules, { ...book, ...facts })(metadata).faults
  }
}

/** Judges the metadata by the rules, and the privileges by the ceiling; MASTER has no ceiling. */
export const judgeStoredClient = (settings: JudgingClients): ((client: RegisteredClient) => ClientJudgement) => {
  const faultsOf = judgeStoredMetadata(settings)
  return ({ metadata, secret, registered_by }) => ({
    faults: faultsOf({ ...metadata }, secret?.client_secret.length ?? 0, registered_by),
    exceeding: missingPrivileges(ceilingOf(settings.mode, settings.policy.ceilings, registered_by))(
      requestedPrivileges(metadata),
    ),
  })
}

/** The reported result of a judged client. */
export type JudgedClient = ClientJudgement & { readonly client_id: string; readonly client_name?: string | undefined }

export const judgedClient = (settings: JudgingClients): ((client: RegisteredClient) => JudgedClient) => {
  const judge = judgeStoredClient(settings)
  return (client) => ({ client_id: client.client_id, client_name: client.metadata.client_name, ...judge(client) })
}

/** Whether the client violates the policy. */
export const violatesPolicy = ({ faults, exceeding }: ClientJudgement): boolean =>
  faults.length > 0 || !isNothing(exceeding)
