// RFC 7592 §2: who may read, update and delete a registration, and what an update may hold.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type PresentedCredential, isOperators } from '../authorization/credential.js'
import { type Privileges, addableBy, allPrivileges, ceilingOf } from '../authorization/registrant.js'
import { type ClientMetadata, type RefusedMetadata, refuseFaults } from '../client/metadata.js'
import { type RuleBook, validateClientMetadata } from '../client/rules.js'
import { presetMembers, serverIssued } from '../client/schema.js'
import { withStatement } from '../client/statement.js'
import { type Fault, fault } from '../kernel/faults.js'
import { isPlainObject } from '../kernel/json-object.js'
import {
  type InsufficientScope,
  type InvalidRequest,
  type InvalidToken,
  type MissingToken,
  type UnknownClient,
  insufficientScope,
  invalidToken,
  missingToken,
  notAnObject,
  unknownClient,
  unusableToken,
} from '../kernel/refusals.js'
import type { MetadataRuleId } from '../kernel/rule-texts.js'
import type { EpochSeconds } from '../kernel/time.js'
import { isSuspended, withdrawnTexts } from '../life-cycle/states.js'
import type { RegistrationSettings, SentMetadata } from './decide.js'
import { type RegisteredClient, opensClient } from './registered-client.js'

/** A client that the credential may read, update and delete, and the privileges that its update may add. */
export type AuthorizedClient = { readonly client: RegisteredClient; readonly granted: Privileges }

export type ConfigurationRefusal = MissingToken | InvalidToken | InsufficientScope | UnknownClient

const tokenOfClient = missingToken(
  'This needs the registration access token of the client, or the token of an operator',
)

// RFC 7592 §2: without the token of an operator an unknown client is 401, as is a client of another token.
/** The refusal where the credential authorizes no client. */
export const refusalWithoutClient = ({ kind }: PresentedCredential): ConfigurationRefusal => {
  switch (kind) {
    case 'none':
      return tokenOfClient
    case 'store':
    case 'master':
    case 'operator_token':
      return unknownClient
    case 'unusable':
      return unusableToken
    case 'token':
      return invalidToken
  }
}

const opens = (credential: PresentedCredential, client: RegisteredClient, at: EpochSeconds): boolean =>
  isOperators(credential) || (credential.kind === 'token' && opensClient(client, credential.hash, at))

/** RFC 7592 §2.1 to §2.3: the client has no permission to read, update or delete its record. The operator has. */
export const suspended = insufficientScope(withdrawnTexts.suspended)

export const authorizeConfiguration = (
  credential: PresentedCredential,
  found: O.Option<RegisteredClient>,
  at: EpochSeconds,
): E.Either<ConfigurationRefusal, AuthorizedClient> => {
  if (O.isNone(found) || !opens(credential, found.value, at)) return E.left(refusalWithoutClient(credential))
  const client = found.value
  if (!isOperators(credential) && isSuspended(client)) return E.left(suspended)
  return E.right({ client, granted: isOperators(credential) ? allPrivileges : client.privileges })
}

const faultsOfPresent = (rule: MetadataRuleId, names: ReadonlyArray<string>, body: object): ReadonlyArray<Fault> =>
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
    const { body, asserted, statementFacts, refused: ofStatement } = withStatement(sent.body, sent.statement)
    const facts = { secretLength: sent.secretLength, registeredBy: client.registered_by, statementFacts }
    const { metadata, faults } = validateClientMetadata(book.rules, { ...facts, ...book })(body)
    const all = [
      ...faults,
      ...identityFaults(body, client),
      ...faultsOfPresent('server-issued', serverIssued, body),
      ...faultsOfPresent('create-only', presetMembers, body),
    ]
    const refused = refuseFaults(ofStatement.length > 0 ? ofStatement : all, asserted)
    return E.isLeft(refused) ? refused : E.right(metadata)
  }

// What an update of a client may add: RFC 7592 §2.2.

type Bounds = { readonly addable: Privileges; readonly ceiling: Privileges }

// The privileges that the update may add by its credential, and the ceiling of the client; an operator has no ceiling.
export const boundsOfUpdate = ({
  mode,
  policy,
}: RegistrationSettings): ((credential: PresentedCredential, authorized: AuthorizedClient) => Bounds) => {
  const addable = addableBy(mode)
  return (credential, { client: { registered_by: by }, granted }) =>
    isOperators(credential)
      ? { addable: granted, ceiling: allPrivileges }
      : { addable: addable(by, granted), ceiling: ceilingOf(mode, policy.ceilings, by) }
}
