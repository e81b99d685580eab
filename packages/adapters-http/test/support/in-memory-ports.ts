import type { InitialAccessToken, Issued, RegisteredClient, TokenHash as Hash } from '@clientele/domain'
import {
  ClientId,
  EpochSeconds,
  TokenHash,
  clientChanged,
  clientIdTaken,
  initialAccessTokenSpent,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createHash } from 'node:crypto'
import type { HttpLogEntry, HttpPorts, HttpSettings } from '../../src/settings.js'

const decoded = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error('the test gives a value that is not well-formed')
  return result.right
}

export const hashToken = (token: string): Hash =>
  decoded(TokenHash.decode(createHash('sha256').update(token, 'latin1').digest('base64url')))

export const master = 'master-token-of-the-test-0123456789'

export const at = decoded(EpochSeconds.decode(1_700_000_000))

export const httpSettings = (given: Partial<HttpSettings> = {}): HttpSettings => ({
  registration: {
    mode: { kind: 'managed' },
    credentials: {
      clientSecretLifetime: 0,
      rotateRegistrationAccessTokenOnUpdate: true,
      rotateClientSecretOnUpdate: true,
    },
    registrationEndpoint: 'https://op.example/clients',
    initialAccessTokenLifetime: 3600,
  },
  masterToken: hashToken(master),
  basePath: '',
  issuer: 'https://op.example',
  registrationStatus: 200,
  corsOrigins: [],
  ...given,
})

export const openRegistration: Partial<HttpSettings> = {
  registration: { ...httpSettings().registration, mode: { kind: 'open', scope: [] } },
}

export type World = HttpPorts & {
  readonly clients: Map<string, RegisteredClient>
  readonly tokens: Map<string, InitialAccessToken>
  readonly entries: ReadonlyArray<HttpLogEntry>
  readonly unreadable: ReadonlyArray<unknown>
}

const registry = (clients: World['clients'], tokens: World['tokens']): Omit<HttpPorts, keyof Rest> => ({
  addClient: (client, spending) => () => {
    const token = O.isSome(spending) ? tokens.get(spending.value) : undefined
    if (O.isSome(spending) && (token === undefined || token.spent))
      return Promise.resolve(E.left(initialAccessTokenSpent))
    if (clients.has(client.client_id)) return Promise.resolve(E.left(clientIdTaken))
    if (token !== undefined) tokens.set(token.hash, { ...token, spent: true })
    clients.set(client.client_id, client)
    return Promise.resolve(E.right(undefined))
  },
  findClient: (id) => () => Promise.resolve(E.right(O.fromNullable(clients.get(id)))),
  streamClients: async function* () {
    for (const client of clients.values()) yield E.right(client)
  },
  replaceClient:
    (next, { version }) =>
    () => {
      if (clients.get(next.client_id)?.version !== version) return Promise.resolve(E.left(clientChanged))
      clients.set(next.client_id, next)
      return Promise.resolve(E.right(undefined))
    },
  removeClient:
    ({ client_id, version }) =>
    () => {
      if (clients.get(client_id)?.version !== version) return Promise.resolve(E.left(clientChanged))
      clients.delete(client_id)
      return Promise.resolve(E.right(undefined))
    },
  addInitialAccessToken: (token) => () => {
    tokens.set(token.hash, token)
    return Promise.resolve(E.right(undefined))
  },
  findInitialAccessToken: (hash) => () => Promise.resolve(E.right(O.fromNullable(tokens.get(hash)))),
})

type Rest = Pick<
  HttpPorts,
  | 'now'
  | 'issue'
  | 'initialAccessToken'
  | 'hashToken'
  | 'checks'
  | 'isDraining'
  | 'requestId'
  | 'log'
  | 'logUnreadable'
  | 'remoteAddress'
>

const fresh = (): Pick<HttpPorts, 'now' | 'issue' | 'initialAccessToken'> => {
  let drawn = 0
  const token = (kind: string): { readonly token: string; readonly hash: Hash } => {
    const made = `${kind}${String(++drawn).padStart(20, '0')}`
    return { token: made, hash: hashToken(made) }
  }
  const issue = (): Issued => ({
    at,
    client_id: decoded(ClientId.decode(`client${++drawn}`)),
    client_secret: `secret${String(++drawn).padStart(32, '0')}`,
    registration_access_token: token('rat'),
  })
  return { now: () => at, issue, initialAccessToken: () => token('iat') }
}

/** All the ports over two maps; what would be logged is kept. */
export const createWorld = (given: Partial<HttpPorts> = {}): World => {
  const [clients, tokens] = [new Map<string, RegisteredClient>(), new Map<string, InitialAccessToken>()]
  const [entries, unreadable]: [HttpLogEntry[], unknown[]] = [[], []]
  return {
    ...registry(clients, tokens),
    ...fresh(),
    hashToken,
    checks: [{ name: 'store', check: TE.right(undefined) }],
    isDraining: () => false,
    requestId: () => 'request-1',
    log: (entry) => void entries.push(entry),
    logUnreadable: (detail) => void unreadable.push(detail),
    remoteAddress: (request) => request.socket.remoteAddress ?? 'unknown',
    ...given,
    clients,
    tokens,
    entries,
    unreadable,
  }
}
