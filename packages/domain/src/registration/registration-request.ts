import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Fault } from '../codec/fault.js'
import { fault, faultsAt, memberOfFault } from '../codec/fault.js'
import { ownMember } from '../codec/json-object.js'
import { optional, valueThat } from '../codec/rule-codec.js'
import type { InvalidRequest } from '../errors.js'
import { bodyObject } from '../request-body.js'
import { ClientId } from '../client/client-id.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { needsSecret } from '../client/client-metadata.js'
import type { RefusedMetadata } from '../client/metadata-refusal.js'
import { refuseFaults } from '../client/metadata-refusal.js'
import type { RuleBook } from '../client/rules/rule.js'
import type { ReadStatement, StatedBody } from '../client/software-statement.js'
import { withStatement } from '../client/software-statement.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'

/** RFC 7591 §3.1, with the members that preset the identifier and the secret of an imported client. */
export type RegistrationRequest = {
  readonly metadata: ClientMetadata
  readonly preferred_client_id: ClientId | undefined
  readonly preferred_client_secret: string | undefined
}

/** What was sent: the body, what its software statement says, and how long a secret that is made for it would be. */
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

// Whether there is a secret cannot be told while the members that decide it are faulty themselves.
const isUndecided = (faults: ReadonlyArray<Fault>): boolean =>
  faults.some((each) => /^token_endpoint_auth_method|_alg$/.test(memberOfFault(each)))

const readRegistration = (
  book: RuleBook,
  sent: SentMetadata,
  { body, stated }: StatedBody,
): E.Either<RefusedMetadata, RegistrationRequest> => {
  const id = ownMember(body, 'preferred_client_id')
  const secret = ownMember(body, 'preferred_client_secret')
  const preferred_client_id = presetId.is(id) ? id : undefined
  const preferred_client_secret = presetSecret.is(secret) ? secret : undefined
  const secretLength = preferred_client_secret?.length ?? sent.secretLength
  const { metadata, faults } = validateClientMetadata(book.rules, { secretLength, ...book })(body)
  const isUnused = secret !== undefined && !isUndecided(faults) && !needsSecret(metadata)
  const all = [
    ...faults,
    ...faultsAt('preferred_client_id', presetId.brokenRules(id)),
    ...faultsAt('preferred_client_secret', presetSecret.brokenRules(secret)),
    ...(isUnused ? [fault('preferred-client-secret-unused')('preferred_client_secret')] : []),
  ]
  return pipe(
    refuseFaults(all, stated),
    E.map(() => ({ metadata, preferred_client_id, preferred_client_secret })),
  )
}

const statedBody = (
  body: Readonly<Record<string, unknown>>,
  statement: O.Option<ReadStatement>,
): E.Either<RefusedMetadata, StatedBody> =>
  pipe(
    withStatement(body, statement),
    E.orElse((faults): E.Either<RefusedMetadata, StatedBody> =>
      pipe(
        refuseFaults(faults),
        E.map(() => ({ body, stated: [] })),
      ),
    ),
  )

/** The body with what its software statement says, or why the statement does not count. */
export const readBody = (sent: SentMetadata): E.Either<InvalidRequest | RefusedMetadata, StatedBody> => {
  const body = bodyObject(sent.body)
  return E.isLeft(body) ? body : statedBody(body.right, sent.statement)
}

/** Any value whatever as a registration request, or everything that is wrong with it. */
export const decodeRegistrationRequest =
  (book: RuleBook) =>
  (sent: SentMetadata): E.Either<InvalidRequest | RefusedMetadata, RegistrationRequest> => {
    const stated = readBody(sent)
    return E.isLeft(stated) ? stated : readRegistration(book, sent, stated.right)
  }
