import type {
  Fresh,
  InitialAccessToken,
  Issued,
  LogoutDialogs,
  OfferedDialog,
  RegisteredClient,
  TokenHash as Hash,
} from '@clientele/domain'
import { ClientId, EpochSeconds, TokenHash, noPolicy } from '@clientele/domain'
import { inMemoryStore, shouldNotBeCalled } from '@clientele/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createHash } from 'node:crypto'
import { createIdTokenHints } from '../../src/jose/id-token-hints.js'
import { createSoftwareStatements } from '../../src/jose/software-statements.js'
import { createPageRenderer } from '../../src/logout/render-pages.js'
import type { ListenerPorts } from '../../src/index.js'
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
    policy: noPolicy,
    outboundFetches: false,
    credentials: {
      clientSecretLifetime: 0,
      rotateRegistrationAccessTokenOnUpdate: true,
      rotateClientSecretOnUpdate: true,
    },
    issuer: 'https://op.example',
    registrationEndpoint: 'https://op.example/clients',
    initialAccessTokenLifetime: 3600,
  },
  keyPolicy: { lifetime: 7_776_000, publishAhead: 86_400, retention: 86_400, maxAge: 3600 },
  providerMetadata: {},
  masterToken: hashToken(master),
  basePath: '',
  registrationStatus: 200,
  logout: {
    path: '/logout',
    policy: {
      issuer: 'https://op.example',
      backchannel: false,
      hintMaxAge: 0,
      dialogLifetime: 600,
      endsOfflineAccess: false,
    },
    sessions: { lifetime: 86_400, idleLifetime: 3_600 },
  },
  corsOrigins: [],
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
}

// What asks nothing of the keys.
const manageNothing: HttpPorts['keys'] = {
  listKeys: TE.right({ keys: [] }),
  rollOver: shouldNotBeCalled,
  compromise: shouldNotBeCalled,
  importKeys: shouldNotBeCalled,
}

const fresh = (): Fresh => {
  let drawn = 0
  const token = (kind: string): { readonly token: string; readonly hash: Hash } => {
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

// Values that nobody could have made.
const keptDialogs = (): LogoutDialogs => {
  const dialogs = new Map<string, OfferedDialog>()
  return {
    sealDialog: (dialog) => () => {
      const value = `dialog${dialogs.size}`
      dialogs.set(value, dialog)
      return value
    },
    openDialog: (value) => () => O.fromNullable(dialogs.get(value)),
  }
}

/** All the ports in memory; what would be logged is kept. */
export const createWorld = (given: Partial<ListenerPorts> = {}): World => {
  const { registry, initialAccessTokens, endUserSessions, logouts, clients, tokens } = inMemoryStore()
  const [entries, unreadable]: [HttpLogEntry[], unknown[]] = [[], []]
  return {
    ...registry,
    ...initialAccessTokens,
    ...endUserSessions,
    ...logouts,
    ...keptDialogs(),
    ...createIdTokenHints({ keyRings: given.keyRings ?? (() => []) }),
    ...createSoftwareStatements([]),
    renderPage: decoded(createPageRenderer()),
    sessionEnded: () => undefined,
    fetchSectorIdentifier: shouldNotBeCalled,
    keyRings: () => [],
    keys: manageNothing,
    logoutNotices: { listNotices: shouldNotBeCalled, retry: shouldNotBeCalled },
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
