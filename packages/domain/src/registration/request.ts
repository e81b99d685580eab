// What was sent to register, and what becomes of it.
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import type { RegisteredBy } from '../authorization/credential.js'
import { type PresetCredentials, presetCredentials, presetFaults } from '../client/credentials.js'
import { type ClientMetadata, type InvalidMembers, type RefusedMetadata, refuseFaults } from '../client/metadata.js'
import { type ReadStatement, withStatement, withoutStatement } from '../client/statement.js'
import { type RuleBook, validateClientMetadata } from '../client/rules.js'
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
const hasStatement = (body: Readonly<Record<string, unknown>>): boolean =>
  ownMember(body, 'software_statement') !== undefined

const typeRule = (body: Readonly<Record<string, unknown>>, { application_type }: ClientMetadata) =>
  application_type === 'native' && !hasStatement(body) ? typeRules.get(ownMember(body, 'application_type')) : undefined

const isNarrowed = (body: Readonly<Record<string, unknown>>, { response_types }: ClientMetadata): boolean => {
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

/** RFC 7591 §3.1, with the members that preset the identifier and the secret of an imported client. */
export type RegistrationRequest = PresetCredentials & { readonly metadata: ClientMetadata }

/** The body, the claims of its software statement, the length of a generated secret, and who registers the client. */
export type SentMetadata = {
  readonly body: unknown
  readonly statement: O.Option<ReadStatement>
  readonly secretLength: number
  readonly registeredBy: RegisteredBy
}

type Body = Readonly<Record<string, unknown>>

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
