// Finding clients, and changing all that a filter chooses.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type ForOperator, holds } from '../authorization/credential.js'
import { ClientId } from '../client/ids.js'
import { type ClientInForce, type InvalidRequest, type UnknownClient, unknownClient } from '../kernel/refusals.js'
import {
  type ClientFilter,
  type DescribedClient,
  type ListedClient,
  describeClient,
  filters,
  nextPage,
} from '../managing/filters.js'
import { type BulkChange, type Parameters, decodeClientQuery, tellsNothing, tellsReason } from '../managing/query.js'
import type { Answer, Clock, Hashing, LifeCycle, Turns } from '../ports/outside.js'
import type { ClientRegistry, ClientSearch, StreamedClient, Tombstones } from '../ports/store.js'
import { explainEntry } from '../policy/policy.js'
import { precedingInForce } from '../registration/client-secrets.js'
import type { RegistrationSettings } from '../registration/decide.js'
import { type ClientDescription, clientDescription, clientWithCredentials } from '../registration/information.js'
import { type RegisteredClient, type Representation, entityTagOf } from '../registration/registered-client.js'
import {
  type AuditPorts,
  type AuditWriting,
  type ByRequest,
  type OperatorRequest,
  auditedBy,
  writeAudited,
  writeAuditedIfPossible,
} from './audit.js'
import { type Bulk, type ChangeMany, type ChangedOne, changeMany } from './bulk.js'
import { type UnknownVersion, findForOperator } from './caller.js'
import {
  type ChangedState,
  type WarningsOf,
  approveClient,
  refuseClient,
  resumeClient,
  suspendClient,
} from './change.js'
import { removeListedClient } from './remove.js'

// The operator lists clients by filters, and reads one of them: docs/operate/operators.md#managing-clients.

/** A page may have fewer clients than asked for, also none: the list ends where there is no `next`. */
type ClientPage = { readonly clients: ReadonlyArray<DescribedClient>; readonly next?: string }

export const searchClients =
  ({
    searchClients: search,
    now,
    lifeCycle,
  }: ClientSearch & Clock & LifeCycle): ForOperator<
    'clients:read',
    (query: Parameters) => Answer<ClientPage, InvalidRequest>
  > =>
  () =>
  (query) =>
    pipe(
      TE.fromEither(decodeClientQuery(query)),
      TE.flatMap(({ filter, after, limit, fields }) => {
        const facts = { now: now(), lifeCycle }
        return pipe(
          search(filter, facts, { after, limit }),
          TE.map(({ clients, next }): ClientPage => ({
            clients: clients.map(describeClient(facts, fields)),
            ...nextPage(next),
          })),
        )
      }),
    )

/** One client as the list describes it, with the entry of the registration policy about it, if there is one. */
export const readListedClient =
  (
    { policy }: Pick<RegistrationSettings, 'policy'>,
    { findListedClient, now, lifeCycle }: ClientSearch & Clock & LifeCycle,
  ): ForOperator<'clients:read', (id: string) => Answer<Representation<DescribedClient>, UnknownClient>> =>
  () =>
  (id) =>
    pipe(
      ClientId.is(id) ? findListedClient(id) : TE.right(O.none),
      TE.flatMapEither(E.fromOption(() => unknownClient)),
      TE.map((client) => {
        const policy_entry = explainEntry(policy, client)
        return {
          body: {
            ...describeClient({ now: now(), lifeCycle })(client),
            ...(policy_entry === undefined ? {} : { policy_entry }),
          },
          entityTag: entityTagOf(client),
        }
      }),
    )

/** The credentials of a client, as they are stored. */
type ClientSecrets = {
  readonly client_id: string
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  /** The one before it, while it counts. */
  readonly preceding_client_secret?: string
  readonly registration_access_token: string
}

/** The one request of management that shows credentials; each has an audit row. */
export const readClientSecrets =
  (
    ports: ClientRegistry & Clock & AuditWriting,
  ): ByRequest<'clients:read' | 'clients:secrets', (id: string) => Answer<ClientSecrets, UnknownClient>> =>
  (operator, request) =>
  (id) =>
    pipe(
      findForOperator(ports, id),
      TE.tap(({ client_id }) =>
        writeAudited(ports, auditedBy(ports, operator, request)(ports.now(), 'client_credentials_read', { client_id })),
      ),
      TE.map((client) => {
        const preceding = precedingInForce(client, ports.now())
        return {
          client_id: client.client_id,
          ...client.secret,
          ...(preceding === undefined ? {} : { preceding_client_secret: preceding.client_secret }),
          registration_access_token: client.registration_access_token.token,
        }
      }),
    )

/** The clients as a stream, and the projection for each; a Left is an unreadable client, or the end after a failure. */
export type ClientList<Reported = ClientDescription, Listed = RegisteredClient> = {
  readonly clients: AsyncIterable<StreamedClient<Listed>>
  readonly informationOf: (client: Listed) => Reported
}

/** The clients; with their credentials where the operator may see them. */
export const listClients =
  (
    settings: Pick<RegistrationSettings, 'registrationEndpoint'>,
    ports: ClientRegistry & Clock & AuditWriting,
  ): ByRequest<'clients:read', Answer<ClientList>> =>
  (operator, request) => {
    const showsCredentials = holds(operator, 'clients:secrets')
    const describe = showsCredentials ? clientWithCredentials : clientDescription
    const row = auditedBy(ports, operator, request)
    return pipe(
      writeAuditedIfPossible(ports, showsCredentials ? row(ports.now(), 'all_credentials_read') : undefined),
      TE.map(() => ({ clients: ports.streamClients(), informationOf: describe(settings.registrationEndpoint) })),
    )
  }

// The operator suspends, resumes, approves, refuses or removes all clients that a filter selects: docs/operate/operators.md#managing-clients.

type ChangeClientsPorts = ClientRegistry & ClientSearch & Clock & Hashing & Turns & AuditPorts & Tombstones & LifeCycle

type Requested = OperatorRequest<'clients:read' | 'clients:write'>

type Changing = Answer<Pick<ChangedState, 'unchanged' | 'warnings'>, UnknownVersion | ClientInForce>

const Unreadable = t.type({ error: t.literal('unreadable_client') })

/**
 * Whether the client was changed. One that is gone meanwhile, or cannot be changed so, is as requested. One that cannot be
 * read would be met again by each request that goes on: the change passes it, and names it.
 */
const changedOne = (client_id: ClientId, done: Changing): Answer<ChangedOne> =>
  pipe(
    done,
    TE.map(({ unchanged, warnings }) => ({
      changed: !unchanged,
      ...(warnings === undefined ? {} : { warned: { client_id, warnings } }),
    })),
    TE.orElse((refusal) => {
      if (refusal.error !== 'unavailable') return TE.right({ changed: false })
      return Unreadable.is(refusal.detail) ? TE.right({ changed: false, unreadable: client_id }) : TE.left(refusal)
    }),
  )

type Change = (request: Requested & { readonly clientId: ClientId }) => Changing

const changeBy = (
  change: Exclude<BulkChange, 'refusal'>,
  ports: ChangeClientsPorts,
  warningsOf: WarningsOf,
): Change => {
  switch (change) {
    case 'suspension':
      return suspendClient(ports)
    case 'resumption':
      return resumeClient(ports)
    case 'approval':
      return approveClient(ports, warningsOf)
    case 'removal':
      // The request names a filter and a count, and no version.
      return (request) =>
        pipe(
          removeListedClient({}, ports)(request),
          TE.map(() => ({ unchanged: false })),
        )
  }
}

/** `warningsOf` says what of an approved client the service does not do. */
export const changeClients = (
  change: BulkChange,
  ports: ChangeClientsPorts,
  warningsOf: WarningsOf = () => [],
): ChangeMany<Requested> => {
  const clients: Pick<
    Bulk<ClientFilter, ListedClient, Requested, unknown>,
    'change' | 'things' | 'parameters' | 'search' | 'lastPosition'
  > = {
    change,
    things: 'clients',
    parameters: filters,
    search: (now) => (filter, range) =>
      pipe(
        ports.searchClients(filter, { now, lifeCycle: ports.lifeCycle }, range),
        TE.map(({ clients: found, ...rest }) => ({ found, ...rest })),
      ),
    lastPosition: ports.lastPosition,
  }
  if (change === 'refusal') {
    const refuse = refuseClient(ports)
    return changeMany(ports, {
      ...clients,
      tells: tellsReason,
      changeOne: ({ operator, origin }, { client_id: clientId }, reason) =>
        changedOne(clientId, refuse({ operator, origin, clientId, reason })),
    })
  }
  const changeOne = changeBy(change, ports, warningsOf)
  return changeMany(ports, {
    ...clients,
    tells: tellsNothing,
    changeOne: ({ operator, origin }, { client_id: clientId }) =>
      changedOne(clientId, changeOne({ operator, origin, clientId })),
  })
}
