import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditRow, actorOf } from '../audit/audit-entry.js'
import { changedMembers } from '../audit/changed-members.js'
import { neededPrivileges } from '../authorization/needed-privileges.js'
import { type ConfigurationRefusal, authorizeConfiguration } from '../registration/authorize-configuration.js'
import { type ClientDescription, clientDescription, clientWithCredentials } from '../registration/client-information.js'
import { endsPrecedingToken } from '../registration/preceding-token.js'
import {
  type RegisteredClient,
  hasExpiredSecret,
  withGeneratedSecret,
  withoutPrecedingToken,
} from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { InsufficientScope, TooManyRequests, Unavailable } from '../errors.js'
import { type Operator, holds } from '../authorization/operator.js'
import type { BudgetConsumption } from '../ports/budget-consumption.js'
import type { ClientChanged, ClientRegistry } from '../ports/client-registry.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { Turns } from '../ports/turns.js'
import { type Representation, representing } from '../registration/entity-tag.js'
import type { RegistrationSettings } from '../registration/registration-settings.js'
import { type AuditWriting, type WithOrigin, audited, auditedBy, writeAuditedIfPossible } from './steps/audited.js'
import { serializeOnConflict } from './steps/serialize-on-conflict.js'
import { type RecognizeOperatorPorts, type RequestOfActor, orAsOperator } from './steps/recognize-operator.js'
import { consumeForRegistrant } from './steps/consume-for-registrant.js'
import { type FindNamedPorts, findNamedClient } from './steps/find-named-client.js'

/** RFC 7592 §2.1. The identifier is any string, as in the path. */
export type ReadClientRequest = RequestOfActor &
  WithOrigin & {
    readonly clientId: string
    /** RFC 9110 §9.2.1: a safe request whose answer cannot show a secret, such as HEAD, renews no expired secret. */
    readonly isSafe?: boolean
    /** The address of the requester, if known. */
    readonly remoteAddress?: string | undefined
  }

export type ReadClientError = ConfigurationRefusal | InsufficientScope | TooManyRequests | Unavailable

export type ReadClientPorts = FindNamedPorts &
  Pick<ClientRegistry, 'replaceClient' | 'confirmReads'> &
  Pick<CredentialGenerator, 'issue'> &
  RecognizeOperatorPorts &
  AuditWriting &
  Partial<BudgetConsumption> &
  Turns

export type ReadFacts = Pick<ReadClientRequest, 'credential' | 'isSafe'> & {
  readonly found: O.Option<RegisteredClient>
  readonly at: EpochSeconds
}

/** The client, whether its secret is renewed before it is returned, and what the store has, if the read changes it. */
export type DecidedRead = {
  readonly client: RegisteredClient
  readonly renewsSecret: boolean
  readonly replacing: RegisteredClient | undefined
}

/** The first read with the newest registration access token ends the one before it. */
export const decideRead = ({
  credential,
  found,
  at,
  isSafe = false,
}: ReadFacts): E.Either<ConfigurationRefusal, DecidedRead> =>
  pipe(
    authorizeConfiguration(credential, found, at),
    E.map(({ client }) => {
      const endsPreceding = endsPrecedingToken(credential, client)
      const renewsSecret = !isSafe && hasExpiredSecret(client, at)
      return {
        client: endsPreceding ? withoutPrecedingToken(client) : client,
        renewsSecret,
        replacing: endsPreceding || renewsSecret ? client : undefined,
      }
    }),
  )

/** Before an operator sees the credentials of a client, there is an audit row, unless the store cannot write now. */
const seenBy = (
  ports: ReadClientPorts,
  request: ReadClientRequest,
  operator: Operator,
  { client_id }: RegisteredClient,
): TE.TaskEither<never, void> =>
  writeAuditedIfPossible(
    ports,
    auditedBy(ports, operator, request)(ports.now(), 'client_credentials_read', { client_id }),
  )

const renewal = (
  ports: ReadClientPorts,
  request: ReadClientRequest,
  before: RegisteredClient,
  after: RegisteredClient,
): AuditRow | undefined =>
  audited(ports, request, () => ({
    at: ports.now(),
    action: 'client_renewed',
    client_id: after.client_id,
    actor: actorOf(request.credential, 'registration_access_token'),
    members: changedMembers(before, after),
  }))

/** Of concurrent reads of an expired secret one renews it, and the others return the stored result. */
export const readClient = (
  settings: RegistrationSettings,
  ports: ReadClientPorts,
): ((request: ReadClientRequest) => TE.TaskEither<ReadClientError, Representation<ClientDescription>>) => {
  const find = findNamedClient(ports)
  const consume = consumeForRegistrant(ports)
  const informationOf = representing(clientWithCredentials(settings.registrationEndpoint))
  const descriptionOf = representing(clientDescription(settings.registrationEndpoint))
  return orAsOperator(
    ports,
    neededPrivileges['GET /clients/:id'],
  )((request, operator) => {
    const { credential, clientId } = request
    const showsCredentials = operator === undefined || holds(operator, 'clients:secrets')
    const isSafe = request.isSafe === true || !showsCredentials
    const reader = isSafe ? undefined : operator
    const shown = showsCredentials ? informationOf : descriptionOf
    const read: TE.TaskEither<ReadClientError | ClientChanged, Representation<ClientDescription>> = async () => {
      const found = await find(request)()
      if (E.isLeft(found)) return found
      const decided = decideRead({ credential, isSafe, found: found.right, at: ports.now() })
      if (E.isLeft(decided)) return decided
      const { client, renewsSecret, replacing } = decided.right
      if (replacing === undefined) {
        if (reader !== undefined) await seenBy(ports, request, reader, client)()
        return E.right(shown(client))
      }
      if (renewsSecret) {
        const consumed = await consume(credential, client, request.remoteAddress)()
        if (E.isLeft(consumed)) return consumed
      }
      const next = renewsSecret ? withGeneratedSecret(settings.credentials, ports.issue())(client) : client
      const row = renewsSecret ? renewal(ports, request, replacing, next) : undefined
      const replaced = await ports.replaceClient(next, replacing, row)()
      return E.isLeft(replaced) ? replaced : E.right(shown(next))
    }
    // Another read has renewed the secret that this one returns.
    const again = pipe(
      read,
      TE.tap(() => ports.confirmReads),
    )
    return serializeOnConflict(ports, `client ${clientId}`)(read, again)
  })
}
