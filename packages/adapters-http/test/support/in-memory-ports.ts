import type { Fresh, InitialAccessToken, Issued, MetadataWarning, RegisteredClient, TokenHash } from '@clientele/domain'
import { ClientId, EpochSeconds } from '@clientele/domain'
import { shouldNotBeCalled } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { usualSettings } from '../../src/fetch.js'
import { createIdTokenHints, createObjectDecrypter, createTokenSigner } from '@clientele/adapters-jose'
import { hashToken, inMemoryPorts } from '@clientele/web'
import type { ListenerPorts } from '../../src/index.js'
import { createPageRenderer } from '../../src/index.js'
import type { HttpLogEntry, HttpSettings } from '../../src/settings.js'

export { hashToken }

const decoded = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error('the test gives a value that is not well-formed')
  return result.right
}

export const master = 'master-token-of-the-test-0123456789'

export const at = decoded(EpochSeconds.decode(1_700_000_000))

const usual = usualSettings('https://op.example', hashToken(master))

export const httpSettings = (given: Partial<HttpSettings> = {}): HttpSettings => ({
  ...usual,
  logout: { ...usual.logout, sessions: { lifetime: 86_400, idleLifetime: 3_600 } },
  ...given,
})

export const openRegistration: Partial<HttpSettings> = {
  registration: { ...httpSettings().registration, mode: { kind: 'open', scope: [] } },
}

export type World = ListenerPorts & {
  readonly clients: ReadonlyMap<string, RegisteredClient>
  readonly tokens: ReadonlyMap<string, InitialAccessToken>
  readonly entries: ReadonlyArray<HttpLogEntry>
  readonly unreadable: ReadonlyArray<unknown>
  readonly warned: ReadonlyArray<readonly [string, ReadonlyArray<MetadataWarning>]>
}

// What asks nothing of the keys.
const manageNothing: ListenerPorts['keys'] = {
  listKeys: TE.right({ keys: [] }),
  rollOver: shouldNotBeCalled,
  compromise: shouldNotBeCalled,
  importKeys: shouldNotBeCalled,
  importForeignKeys: shouldNotBeCalled,
  removeForeignKey: shouldNotBeCalled,
}

// A clock that stands still, and values that tell what they are.
const fresh = (): Fresh => {
  let drawn = 0
  const token = (kind: string): { readonly token: string; readonly hash: TokenHash } => {
    const made = `${kind}${String(++drawn).padStart(20, '0')}`
    return { token: made, hash: hashToken(made) }
  }
  const issue = (): Issued => ({
    at,
    client_id: decoded(ClientId.decode(`client${++drawn}`)),
    client_secret: `secret${String(++drawn).padStart(32, '0')}`,
    client_secret_rest: 'r'.repeat(256),
    registration_access_token: token('rat'),
  })
  return {
    now: () => at,
    issue,
    initialAccessToken: () => token('iat'),
    cookie: () => token('cookie'),
    identifier: () => `id${String(++drawn).padStart(20, '0')}`,
  }
}

/** All the ports in memory; what would be logged is kept. */
export const createWorld = (given: Partial<ListenerPorts> = {}): World => {
  const renderPage = decoded(createPageRenderer())
  const keySettings = { policy: usual.keyPolicy, signingAlgorithms: [] }
  const { store, ...ports } = inMemoryPorts({ keySettings, renderPage, fresh: fresh() })
  const [entries, unreadable]: [HttpLogEntry[], unknown[]] = [[], []]
  const warned: Array<World['warned'][number]> = []
  const keys = { keyRings: given.keyRings ?? ports.keyRings, foreignKeys: given.foreignKeys ?? ports.foreignKeys }
  return {
    ...ports,
    ...createIdTokenHints(keys),
    ...createObjectDecrypter(keys),
    tokenSigner: (signing) => createTokenSigner(signing, { keyRings: keys.keyRings, now: ports.now }),
    fetchSectorIdentifier: shouldNotBeCalled,
    keys: manageNothing,
    logoutNotices: { listNotices: shouldNotBeCalled, retry: shouldNotBeCalled },
    checks: [{ name: 'store', check: TE.right(undefined) }],
    requestId: () => 'request-1',
    log: (entry) => void entries.push(entry),
    logUnreadable: (detail) => void unreadable.push(detail),
    logWarnings: (...told) => void warned.push(told),
    remoteAddress: (request) => request.socket.remoteAddress ?? 'unknown',
    ...given,
    clients: store.clients,
    tokens: store.tokens,
    entries,
    unreadable,
    warned,
  }
}
