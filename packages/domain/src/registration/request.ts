// What was sent to register, and what becomes of it.
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { RegisteredBy } from '../authorization/credential.js'
import { type ClientId, isNewClientId, isRegisteredId } from '../client/ids.js'
import {
  type ClientMetadata,
  type InvalidMembers,
  type RefusedMetadata,
  needsSecret,
  refuseFaults,
} from '../client/metadata.js'
import { type RuleBook, type ValidatedMetadata, validateClientMetadata } from '../client/rules.js'
import { type ReadStatement, withStatement, withoutStatement } from '../client/statement.js'
import { type Fault, fault, faultsAt, memberOfFault, optional, valueThat } from '../kernel/faults.js'
import { isPlainObject, ownMember } from '../kernel/json-object.js'
import { type InvalidRequest, notAnObject } from '../kernel/refusals.js'

// RFC 7591 §2, §3.2.1: what registration sets or leaves out although the client did not ask for it, with the reason.

/** Adjustments by id: the member, and the text that follows its name. */
export const adjustmentTexts = {
  'application-type-inferred': [
    'application_type',
    'is native, because it was left out and redirect_uris are those of an installed application: send application_type to choose',
  ],
  'application-type-replaced': [
    'application_type',
    'is native in place of web, because redirect_uris have private-use schemes: send native',
  ],
  'response-types-narrowed': [
    'response_types',
    'has those that the authorization server does, and the others were left out: see response_types_supported',
  ],
  'scope-empty': ['scope', 'was left out, because it names no scope value: send at least one, or leave it out'],
} as const

type AdjustmentId = keyof typeof adjustmentTexts

export type Adjustment = {
  /** RFC 6901 */
  readonly pointer: string
  readonly rule: AdjustmentId
  readonly description: string
}

const adjustment = (rule: AdjustmentId): Adjustment => {
  const [member, text] = adjustmentTexts[rule]
  return { pointer: `/${member}`, rule, description: `${member} ${text}` }
}

const typeRules: ReadonlyMap<unknown, AdjustmentId> = new Map([
  [undefined, 'application-type-inferred'],
  ['web', 'application-type-replaced'],
])

// The claims of a software statement set members as well, so that nothing is said about these members of such a client.
const hasStatement = (body: Body): boolean => ownMember(body, 'software_statement') !== undefined

const typeRule = (body: Body, { application_type }: ClientMetadata) =>
  application_type === 'native' && !hasStatement(body) ? typeRules.get(ownMember(body, 'application_type')) : undefined

const isNarrowed = (body: Body, { response_types }: ClientMetadata): boolean => {
  const sent = ownMember(body, 'response_types')
  return Array.isArray(sent) && sent.length > response_types.length && !hasStatement(body)
}

/** The adjustments of a body that was registered as this metadata. */
export const adjustmentsOf = (body: unknown, metadata: ClientMetadata): ReadonlyArray<Adjustment> => {
  if (!isPlainObject(body)) return []
  const type = typeRule(body, metadata)
  return [
    ...(type === undefined ? [] : [adjustment(type)]),
    ...(isNarrowed(body, metadata) ? [adjustment('response-types-narrowed')] : []),
    ...(ownMember(body, 'scope') === '' ? [adjustment('scope-empty')] : []),
  ]
}

type Body = Readonly<Record<string, unknown>>

// The members of a registration that preset the identifier and the secret of an imported client.

export type PresetCredentials = {
  readonly preferred_client_id: ClientId | undefined
  readonly preferred_client_secret: string | undefined
}

// RFC 6749 §A.2: VSCHAR
const secretPattern = /^[\x20-\x7E]{32,256}$/

const isSecret = (value: unknown): value is string => typeof value === 'string' && secretPattern.test(value)

const presetId = optional(
  valueThat('preferred-client-id', (value): value is ClientId => isRegisteredId(value) && isNewClientId(value)),
)
const presetSecret = optional(valueThat('preferred-client-secret', isSecret))

/** The valid ones of the preset credentials. */
export const presetCredentials = (body: Body): PresetCredentials => {
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
export const presetFaults = (body: Body, { metadata, faults }: ValidatedMetadata): ReadonlyArray<Fault> => {
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
    const statement = withStatement(sent.body, sent.statement)
    const { body, asserted, statementFacts } = E.isLeft(statement) ? withoutStatement(sent.body) : statement.right
    const presets = presetCredentials(body)
    const secretLength = presets.preferred_client_secret?.length ?? sent.secretLength
    const { registeredBy } = sent
    const validated = validateClientMetadata(book.rules, { secretLength, registeredBy, statementFacts, ...book })(body)
    const refused = E.isLeft(statement)
      ? refuseFaults(statement.left)
      : refuseFaults([...validated.faults, ...presetFaults(body, validated)], asserted)
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
