// The operator lists clients by filters, and reads one of them: docs/managing-clients.md.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ForOperator } from '../authorization/operator.js'
import { ClientId } from '../client/client-id.js'
import { type InvalidRequest, type Unavailable, type UnknownClient, unknownClient } from '../errors.js'
import type { LifeCyclePolicy } from '../life-cycle/client-state.js'
import { type Parameters, decodeClientQuery } from '../managing/decode-query.js'
import { type DescribedClient, describeClient } from '../managing/described-client.js'
import { positionText } from '../managing/list-position.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { ClientSearch } from '../ports/client-search.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import { type Representation, entityTagOf } from '../registration/entity-tag.js'
import { type AuditWriting, type ByRequest, auditedBy, writeAudited } from './steps/audited.js'

export type SearchClientsPorts = Pick<ClientSearch, 'searchClients' | 'findListedClient'> &
  Pick<CredentialGenerator, 'now'> & { readonly lifeCycle: LifeCyclePolicy }

/** A page may have fewer clients than asked for, also none: the list ends where there is no `next`. */
export type ClientPage = { readonly clients: ReadonlyArray<DescribedClient>; readonly next?: string }

export const searchClients =
  ({
    searchClients: search,
    now,
    lifeCycle,
  }: SearchClientsPorts): ForOperator<
    'clients:read',
    (query: Parameters) => TE.TaskEither<InvalidRequest | Unavailable, ClientPage>
  > =>
  () =>
  (query) =>
    pipe(
      TE.fromEither(decodeClientQuery(query)),
      TE.flatMap(({ filter, after, limit, fields }) => {
        const facts = { now: now(), lifeCycle }
        return pipe(
          search(filter, facts, { after, limit }),
          TE.map(({ clients, next }): ClientPage => {
            const described = clients.map(describeClient(facts, fields))
            return next === undefined ? { clients: described } : { clients: described, next: positionText(next) }
          }),
        )
      }),
    )

/** One client as the list describes it. */
export const readListedClient =
  ({
    findListedClient,
    now,
    lifeCycle,
  }: SearchClientsPorts): ForOperator<
    'clients:read',
    (id: string) => TE.TaskEither<UnknownClient | Unavailable, Representation<DescribedClient>>
  > =>
  () =>
  (id) =>
    pipe(
      ClientId.is(id) ? findListedClient(id) : TE.right(O.none),
      TE.flatMapEither(E.fromOption(() => unknownClient)),
      TE.map((client) => ({
        body: describeClient({ now: now(), lifeCycle })(client),
        entityTag: entityTagOf(client),
      })),
    )

/** The credentials of a client, as they are stored. */
export type ClientSecrets = {
  readonly client_id: string
  readonly client_secret?: string
  readonly client_secret_expires_at?: number
  readonly registration_access_token: string
}

export type ReadClientSecretsPorts = Pick<ClientRegistry, 'findClient'> &
  Pick<CredentialGenerator, 'now'> &
  AuditWriting

/** The one request of management that shows credentials; each has an audit row. */
export const readClientSecrets =
  (
    ports: ReadClientSecretsPorts,
  ): ByRequest<
    'clients:read' | 'clients:secrets',
    (id: string) => TE.TaskEither<UnknownClient | Unavailable, ClientSecrets>
  > =>
  (operator, request) =>
  (id) =>
    pipe(
      ClientId.is(id) ? ports.findClient(id) : TE.right(O.none),
      TE.flatMapEither(E.fromOption(() => unknownClient)),
      TE.tap(({ client_id }) =>
        writeAudited(ports, auditedBy(ports, operator, request)(ports.now(), 'client_credentials_read', { client_id })),
      ),
      TE.map(({ client_id, secret, registration_access_token: { token } }) => ({
        client_id,
        ...secret,
        registration_access_token: token,
      })),
    )
