import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { type Fault, fault, faultsAt, memberOfFault } from '../codec/fault.js'
import { ownMember } from '../codec/json-object.js'
import { optional, valueThat } from '../codec/rule-codec.js'
import type { InvalidRequest } from '../errors.js'
import { bodyObject } from '../request-body.js'
import { ClientId } from '../client/client-id.js'
import { type ClientMetadata, needsSecret } from '../client/client-metadata.js'
import type { InvalidMembers } from '../client/read-members.js'
import { type RefusedMetadata, refuseFaults } from '../client/metadata-refusal.js'
import type { RuleBook } from '../client/rules/rule.js'
import { type ReadStatement, withStatement } from '../client/software-statement.js'
import { type ValidatedMetadata, validateClientMetadata } from '../client/validate-client-metadata.js'

/** RFC 7591 §3.1, with the members that preset the identifier and the secret of an imported client. */
export type RegistrationRequest = {
  readonly metadata: ClientMetadata
  readonly preferred_client_id: ClientId | undefined
  readonly preferred_client_secret: string | undefined
}

/** The body, the claims of its software statement, and the length of a generated secret. */
export type SentMetadata = {
  readonly body: unknown
  readonly statement: O.Option<ReadStatement>
  readonly secretLength: number
}

// RFC 6749 §A.2: VSCHAR
const secretPattern = /^[\x20-\x7E]{32,256}$/

const isSecret = (value: unknown): value is string => typeof value === 'string' && secretPattern.test(value)

const presetId = optional(valueThat('preferred-client-id', ClientId.is))
const presetSecret = optional(valueThat('preferred-client-secret', isSecret))

// While the members that decide it are invalid, it is unknown whether the client has a secret.
const isUndecided = (faults: ReadonlyArray<Fault>): boolean =>
  faults.some((each) => /^token_endpoint_auth_method|_alg$/.test(memberOfFault(each)))

type Body = Readonly<Record<string, unknown>>

/** A decoded body: the valid part of an invalid one, and the refusal. */
export type ReadRegistration = {
  readonly body: Body
  readonly invalid: InvalidMembers
  readonly request: RegistrationRequest
  readonly refusal: RefusedMetadata | undefined
}

const refusalOf = (faults: ReadonlyArray<Fault>, asserted: ReadonlyArray<string>): RefusedMetadata | undefined => {
  const refused = refuseFaults(faults, asserted)
  return E.isLeft(refused) ? refused.left : undefined
}

const presetFaults = (body: Body): ReadonlyArray<Fault> => [
  ...faultsAt('preferred_client_id', presetId.brokenRules(ownMember(body, 'preferred_client_id'))),
  ...faultsAt('preferred_client_secret', presetSecret.brokenRules(ownMember(body, 'preferred_client_secret'))),
]

// A preset secret requires a client that uses one.
const unusedSecret = (body: Body, { metadata, faults }: ValidatedMetadata): ReadonlyArray<Fault> =>
  ownMember(body, 'preferred_client_secret') === undefined || isUndecided(faults) || needsSecret(metadata)
    ? []
    : [fault('preferred-client-secret-unused')('preferred_client_secret')]

const presetsOf = (body: Body): Omit<RegistrationRequest, 'metadata'> => {
  const id = ownMember(body, 'preferred_client_id')
  const secret = ownMember(body, 'preferred_client_secret')
  return {
    preferred_client_id: presetId.is(id) ? id : undefined,
    preferred_client_secret: presetSecret.is(secret) ? secret : undefined,
  }
}

/** Decodes the valid part of any value as a registration request. */
export const readRegistrationRequest =
  (book: RuleBook) =>
  (sent: SentMetadata): E.Either<InvalidRequest, ReadRegistration> => {
    const object = bodyObject(sent.body)
    if (E.isLeft(object)) return object
    const statement = withStatement(object.right, sent.statement)
    const { body, asserted } = E.isLeft(statement) ? { body: object.right, asserted: [] } : statement.right
    const { preferred_client_id, preferred_client_secret } = presetsOf(body)
    const secretLength = preferred_client_secret?.length ?? sent.secretLength
    const validated = validateClientMetadata(book.rules, { secretLength, ...book })(body)
    const { metadata, invalid, faults } = validated
    const refusal = E.isLeft(statement)
      ? refusalOf(statement.left, [])
      : refusalOf([...faults, ...presetFaults(body), ...unusedSecret(body, validated)], asserted)
    const request = { metadata, preferred_client_id, preferred_client_secret }
    return E.right({ body: object.right, invalid, request, refusal })
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
