import * as E from 'fp-ts/lib/Either.js'
import { type Fault, fault } from '../codec/fault.js'
import { isPlainObject } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { InvalidRequest } from '../errors.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import { presetMembers, serverIssued } from '../client/dropped-members.js'
import { type RefusedMetadata, refuseFaults } from '../client/metadata-refusal.js'
import type { RegisteredClient } from './registered-client.js'
import type { SentMetadata } from './registration-request.js'
import { notAnObject } from '../decode-body.js'
import { withStatement, withoutStatement } from '../client/software-statement.js'
import type { RuleBook } from '../client/rules/rule.js'
import { validateClientMetadata } from '../client/validate-client-metadata.js'

const faultsOfPresent = (rule: RuleId, names: ReadonlyArray<string>, body: object): ReadonlyArray<Fault> =>
  names.filter((name) => Object.hasOwn(body, name)).map((name) => fault(rule)(name))

// RFC 7592 §2.2: client_id must be the registered one; client_secret, if included, the current one
const identityFaults = (body: Readonly<Record<string, unknown>>, client: RegisteredClient): ReadonlyArray<Fault> => [
  ...(Object.hasOwn(body, 'client_id') && body['client_id'] !== client.client_id
    ? [fault('client-id-mismatch')('client_id')]
    : []),
  ...(Object.hasOwn(body, 'client_secret') && body['client_secret'] !== client.secret?.client_secret
    ? [fault('client-secret-mismatch')('client_secret')]
    : []),
]

/** RFC 7592 §2.2: the metadata that replaces the registered one, or all of its faults. */
export const decodeUpdateRequest =
  (book: RuleBook, client: RegisteredClient) =>
  (sent: Omit<SentMetadata, 'registeredBy'>): E.Either<InvalidRequest | RefusedMetadata, ClientMetadata> => {
    if (!isPlainObject(sent.body)) return E.left(notAnObject)
    const statement = withStatement(sent.body, sent.statement)
    const { body, asserted, statementFacts } = E.isLeft(statement) ? withoutStatement(sent.body) : statement.right
    const facts = { secretLength: sent.secretLength, registeredBy: client.registered_by, statementFacts }
    const { metadata, faults } = validateClientMetadata(book.rules, { ...facts, ...book })(body)
    const refused = E.isLeft(statement)
      ? refuseFaults(statement.left)
      : refuseFaults(
          [
            ...faults,
            ...identityFaults(body, client),
            ...faultsOfPresent('server-issued', serverIssued, body),
            ...faultsOfPresent('create-only', presetMembers, body),
          ],
          asserted,
        )
    return E.isLeft(refused) ? refused : E.right(metadata)
  }
