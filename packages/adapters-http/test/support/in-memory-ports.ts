import type { TokenHash } from '@clientele/domain/authorization'
import { type DroppedWarning, ClientId, RegistrationId } from '@clientele/domain/client'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { ForeignKey, KeyRing } from '@clientele/domain/keys'
import { type ByRequest, type KeyManagement, publishJwkSet } from '@clientele/domain/operations'
import type { CredentialGenerator } from '@clientele/domain/ports'
import type { Adjustment, GeneratedCredentials, MetadataWarning } from '@clientele/domain/registration'
import { shouldNotBeCalled } from '@clientele/testing'
import type { InMemoryStore } from '@clientele/adapters-memory'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { settingsWithDefaults } from '../../src/fetch.js'
import { createIdTokenHints, createObjectDecrypter, createTokenSigner } from '@clientele/adapters-jose'
import { hashToken, inMemoryPorts } from '@clientele/adapters-memory/host'
import { type ListenerPorts, createPageRenderer } from '../../src/index.js'
import type { HttpLogEntry, ServicePorts, HttpPorts, KeyPorts } from '../../src/ports.js'
import type { HttpSettings } from '../../src/settings.js'

export { hashToken }

const decoded = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error('the test gives a value that is not well-formed')
  return result.right
}

export const master = 'master-token-of-the-test-0123456789'

export const at = decoded(EpochSeconds.decode(1_700_000_000))

const usual = settingsWithDefaults('https://op.example', hashToken(master))

export const httpSettings = (given: Partial<HttpSettings> = {}): HttpSettings => ({
  ...usual,
  logout: { ...usual.logout, sessions: { lifetime: 86_400, idleLifetime: 3_600 } },
  ...given,
})

export const openRegistration: Partial<HttpSettings> = {
  registration: { ...httpSettings().registration, mode: { kind: 'open', scope: [] } },
}

export type Given = Partial<ServicePorts> &
  Partial<Omit<ListenerPorts, 'service' | 'keys' | 'jwkSet' | 'requestId' | 'trace'>> & {
    readonly requestId?: () => string
    readonly management?: ByRequest<'keys', KeyManagement>
    readonly keyRings?: () => ReadonlyArray<KeyRing>
    readonly foreignKeys?: () => ReadonlyArray<ForeignKey>
  }

export type World = Omit<ListenerPorts, 'requestId' | 'trace'> & {
  readonly requestId: () => string
  readonly store: InMemoryStore
  readonly entries: ReadonlyArray<HttpLogEntry>
  readonly unreadable: ReadonlyArray<unknown>
  readonly warned: ReadonlyArray<readonly [string, ReadonlyArray<MetadataWarning | DroppedWarning | Adjustment>]>
}

// For tests without key management.
const manageNothing: ByRequest<'keys', KeyManagement> = () => ({
  listKeys: TE.right({ keys: [] }),
  rollOver: shouldNotBeCalled,
  revoke: shouldNotBeCalled,
  importKeys: shouldNotBeCalled,
  importForeignKeys: shouldNotBeCalled,
  removeForeignKey: shouldNotBeCalled,
})

// A stopped clock, and generated values with recognizable texts.
const generator = (): CredentialGenerator => {
  let drawn = 0
  const token = (kind: string): { readonly token: string; readonly hash: TokenHash } => {
    const made = `${kind}${String(++drawn).padStart(20, '0')}`
    return { token: made, hash: hashToken(made) }
  }
  const issue = (): GeneratedCredentials => ({
    at,
    client_id: decoded(ClientId.decode(`client${++drawn}`)),
    registration_id: decoded(RegistrationId.decode(`registration${String(++drawn).padStart(20, '0')}`)),
    client_secret: `secret${String(++drawn).padStart(32, '0')}`,
    client_secret_padding: 'r'.repeat(256),
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

/** The same ports, with the given ones in place of those of the same names. */
const withOwn = <Family extends object>(family: Family, given: object): Family => ({
  ...family,
  ...Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(family, name))),
})

/** The same, with the given ports in place of those of the same names. */
export const replacing = <Ports extends HttpPorts>(ports: Ports, given: Partial<ServicePorts>): Ports => ({
  ...ports,
  service: withOwn(ports.service, given),
})

/** No other instance changes the keys. */
const unchanged = T.of(undefined)
const lastRead = () => ({ at, age: 0 })

const keysOf = (own: KeyPorts, { management = manageNothing, keyRings }: Given): KeyPorts => ({
  ...own,
  management,
  ...(keyRings === undefined
    ? {}
    : {
        signerOf: (issuer) => () =>
          createTokenSigner(
            { issuer, policy: usual.keyPolicy },
            { keyRings, lastRead, refreshKeys: unchanged, now: () => at },
          ),
        decrypter: () => createObjectDecrypter({ keyRings, refreshKeys: unchanged }),
      }),
})

/** All ports in memory; log entries are collected. */
export const createWorld = (given: Given = {}): World => {
  const renderPage = decoded(createPageRenderer())
  const keySettings = { policy: usual.keyPolicy, signingAlgorithms: [] }
  const { keyRings: own, ...ports } = inMemoryPorts({ keySettings, renderPage, generator: generator() })
  const entries: HttpLogEntry[] = []
  const unreadable: unknown[] = []
  const warned: Array<World['warned'][number]> = []
  const { keyRings = own, foreignKeys = () => [] } = given
  const publish = publishJwkSet(usual.keyPolicy)
  const parts = {
    ...createIdTokenHints({ keyRings, foreignKeys, lastRead, refreshKeys: unchanged }),
    fetchSectorIdentifier: shouldNotBeCalled,
    logUnreadable: (detail: unknown) => void unreadable.push(detail),
    logWarnings: (...reported: World['warned'][number]) => void warned.push(reported),
    ...given,
  }
  return {
    ...replacing(ports, parts),
    notifications: () => ({ listNotifications: shouldNotBeCalled, retry: shouldNotBeCalled }),
    health: { checks: [{ name: 'store', check: TE.right(undefined) }], isDraining: () => false },
    requestId: () => 'request-1',
    log: (entry) => void entries.push(entry),
    remoteAddress: (request) => request.socket.remoteAddress ?? 'unknown',
    ...given,
    jwkSet: { publishedJwkSet: () => publish(keyRings(), foreignKeys())(lastRead()) },
    keys: keysOf(ports.keys, given),
    entries,
    unreadable,
    warned,
  }
}
