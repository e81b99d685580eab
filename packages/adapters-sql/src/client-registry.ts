// The registered clients: found by their id or their token, listed in the order of registration, and changed by verbs.
import { TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { type Unavailable, EpochSeconds, unavailable } from '@clientele/domain/kernel'
import { isOpenClient } from '@clientele/domain/life-cycle'
import {
  type ClientImport,
  type ClientRegistry,
  type Encryption,
  type StreamedClient,
  type UnreadableClient,
  unreadableClient,
} from '@clientele/domain/ports'
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { addClient, importClients, removeClient, replaceClient } from './change-clients.js'
import { clients, ordinalOf, readWithUse, sealClient } from './client-row.js'
import { select, together } from './statement.js'
import { type ReadRow, readRow } from './table.js'
import type { Engine } from './verb.js'

const byId = together(clients.select('client_id = :client_id', { client_id: 'text' }))
// By the indexes of tokens alone: another token takes the same look-up whether the client exists or not. One of them has the
// beginnings of the digests, so that each registration writes less of it.
const byToken = together(
  clients.select(
    `
substr(registration_access_token_hash, 1, 5) = substr(:token, 1, 5) AND registration_access_token_hash = :token
UNION ALL ${clients.rows} WHERE preceding_token_hash = :token`,
    { token: 'text' },
  ),
)
const page = clients.select('ordinal > :after ORDER BY ordinal LIMIT :max', { after: 'number', max: 'number' }, [
  'ordinal',
  'used_at',
  'unused_open',
])
/** Other operations wait for one page at most: some milliseconds. */
const pageSize = 20
// The row needs no proof: the domain compares its digest, which has all columns.
const byKey = select(
  {
    key: TokenHash,
    client_id: ClientId,
    registration_id: RegistrationId,
    request: TokenHash,
    expires_at: EpochSeconds,
  },
  'keyed_registrations JOIN clients ON clients.ordinal = client WHERE key = :key',
  { key: 'text' },
)

const Identified = t.type({ client_id: t.string })

/** A client, or the id of a stored client that cannot be read. */
type ReadableClient<Client = RegisteredClient> = E.Either<UnreadableClient, Client>

const idIn = (row: unknown): string => (Identified.is(row) ? row.client_id : '')

/** The client of a row; an unreadable one does not affect the others. */
const readableClient =
  <Client>(read: ReadRow<Client>) =>
  (row: unknown): TaskEither<Unavailable, ReadableClient<Client>> =>
  async () => {
    const client = await read(row)()
    if (E.isRight(client)) return E.right(client)
    const { left: failure } = client
    return failure.error === 'unreadable_row'
      ? E.right(E.left(unreadableClient(idIn(row), failure.detail)))
      : E.left(failure)
  }

/** Reads page by page, so that a slow reader keeps nothing open. A page is read when the previous one is consumed. */
async function* streamClients<Client>(engine: Engine, read: ReadRow<Client>): AsyncGenerator<StreamedClient<Client>> {
  let after = 0
  for (;;) {
    const selected = await pipe(
      engine.all(page, { after, max: pageSize }),
      TE.bindTo('rows'),
      TE.bind('clients', ({ rows }) => TE.traverseArray(readableClient(read))(rows)),
    )()
    if (E.isLeft(selected)) {
      yield selected
      return
    }
    const { rows, clients } = selected.right
    yield* clients
    if (rows.length < pageSize) return
    after = ordinalOf(rows.at(-1))
  }
}

export const createClientRegistry = (engine: Engine, encryption: Encryption): ClientRegistry => {
  const fromRow = clients.reading(encryption)
  const readable = readableClient(fromRow)
  // A client that cannot be read makes the store unavailable where it alone is asked for.
  const readOne: ReadRow<RegisteredClient> = (row) => async () => {
    const client = await readable(row)()
    return E.isLeft(client) ? client : E.mapLeft(unavailable)(client.right)
  }
  return {
    confirmReads: engine.confirmReads,
    addClient: ({ client, consumedToken, limits, fingerprint, keyed, audit }) =>
      pipe(
        sealClient(encryption, client),
        TE.flatMap((row) => {
          const token = O.toUndefined(consumedToken)
          const isRepeatable = token === undefined && isOpenClient(row)
          return addClient({ row, token, limits, fingerprint: isRepeatable ? fingerprint : undefined, keyed, audit })
        }),
        engine.write,
      ),
    findKeyedRegistration: (key) => pipe(engine.get(byKey, { key }), TE.map(O.fromNullable)),
    findClient: (client_id) => readRow(readOne)(engine.get(byId, { client_id })),
    findClients: (ids) =>
      pipe(
        [...new Set(ids)],
        TE.traverseArray((client_id) => engine.all(byId, { client_id })),
        TE.flatMap((rows) => TE.traverseArray(readable)(rows.flat())),
      ),
    findClientByToken: (id, token) =>
      readRow(readOne)(
        pipe(
          engine.all(byToken, { token }),
          TE.map((rows) => rows.filter(Identified.is).find(({ client_id }) => client_id === id)),
        ),
      ),
    isRegistrationAccessToken: (token) =>
      pipe(
        engine.get(byToken, { token }),
        TE.map((row) => row !== undefined),
      ),
    streamClients: () => streamClients(engine, fromRow),
    streamClientsWithUse: () => streamClients(engine, readWithUse(fromRow)),
    replaceClient: ({ next, replacing, audit }) =>
      pipe(
        sealClient(encryption, next),
        TE.flatMap((row) => replaceClient(row, replacing, audit)),
        engine.write,
      ),
    removeClient: ({ client_id, token, read, tombstone, audit }) =>
      engine.write(removeClient(client_id, O.toUndefined(token), { tombstone, audit }, read)),
    importClients: (clients) =>
      pipe(
        clients,
        TE.traverseArray(({ client, ...imported }: ClientImport) =>
          pipe(
            sealClient(encryption, client),
            TE.map((row) => ({ ...imported, row })),
          ),
        ),
        TE.flatMap(importClients),
        engine.write,
      ),
  }
}
