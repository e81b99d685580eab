import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { isPlainObject } from '../codec/json-object.js'
import type { RegisteredBy } from '../authorization/credential.js'
import type { InvalidRequest } from '../errors.js'
import { notAnObject } from '../decode-body.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import type { InvalidMembers } from '../client/read-members.js'
import { type RefusedMetadata, refuseFaults } from '../client/metadata-refusal.js'
import { type PresetCredentials, presetCredentials, presetFaults } from '../client/preset-credentials.js'
import type { RuleBook } from '../client/rules/rule.js'
import { type ReadStatement, withStatement, withoutStatement } from '../client/software-statement.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'

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
