/**
 * All ports of a handler of `@clientele/adapters-http/fetch`, or of a listener, in memory: for demonstrations, for
 * tests, and as a start for hosts with a store of their own.
 *
 * The state is lost at the end of the process: clients, tokens, sessions, private keys, and the key that seals the
 * values of logout confirmation pages. Tokens are stored as their SHA-256. There are no outgoing requests: sector
 * identifiers are refused, no software statement is approved, and no logout token is sent. Nothing is logged, and no
 * address is known, until a host sets its own `log` and `remoteAddress`.
 *
 * Runs in any JavaScript runtime with WebCrypto. No random value is drawn and no key is generated before the first
 * call. There are no keys before `reconcileKeys` has been awaited once, and they rotate only when it is called.
 */
import {
  type HttpPorts,
  type KeyPorts,
  type PageRenderer,
  type ShellPorts,
  defaultKeySettings,
} from '@clientele/adapters-http/fetch'
import {
  type KeyRotationScheduler,
  base64url,
  createIdTokenHints,
  createKeyMaker,
  createKeyRotationScheduler,
  createObjectDecrypter,
  createSealedConfirmations,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
  webConfirmationCiphers,
} from '@clientele/adapters-jose'
import { type TokenHash as Hash, TokenHash } from '@clientele/domain/authorization'
import { ClientId, RegistrationId } from '@clientele/domain/client'
import { type EpochSeconds, epochSeconds } from '@clientele/domain/kernel'
import type { KeySettings } from '@clientele/domain/keys'
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import { createTurns, manageNotifications, operationPorts, unaudited } from '@clientele/domain/operations'
import {
  type Clock,
  type CredentialGenerator,
  type LogoutConfirmations,
  sectorIdentifierUnavailable,
  unlimited,
} from '@clientele/domain/ports'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, randomBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { emptyState } from './state.js'
import { type InMemoryStore, inMemoryStore } from './store.js'

const of = <A>(codec: { readonly name: string; readonly is: (value: unknown) => value is A }, text: string): A => {
  if (!codec.is(text)) throw new Error(`hexadecimal digits, and a digest, must be a ${codec.name}`)
  return text
}

/** The SHA-256 of a token, which is unguessable; a digest key is only needed where a database could be copied. */
export const hashToken = (token: string): Hash => of(TokenHash, base64url.encode(sha256(utf8ToBytes(token))))

// 256 random bits, as many as its digest has.
const token = (): { readonly token: string; readonly hash: Hash } => {
  const made = bytesToHex(randomBytes(32))
  return { token: made, hash: hashToken(made) }
}

const now = (): EpochSeconds => epochSeconds(Date.now())

/** The system clock, and values of the platform's secure random source, in hexadecimal digits. */
export const webCredentialGenerator: CredentialGenerator = {
  now,
  issue: () => ({
    at: now(),
    client_id: of(ClientId, bytesToHex(randomBytes(16))),
    registration_id: of(RegistrationId, bytesToHex(randomBytes(16))),
    client_secret: bytesToHex(randomBytes(32)),
    // The secret is as long as any algorithm needs.
    client_secret_padding: '',
    registration_access_token: token(),
  }),
  initialAccessToken: token,
  cookie: token,
  identifier: () => bytesToHex(randomBytes(32)),
}

/** Sealed with a key of this process, generated for the first confirmation page. */
const processConfirmations = (now: () => EpochSeconds): LogoutConfirmations => {
  let key: Uint8Array<ArrayBuffer> | undefined
  return createSealedConfirmations(
    webConfirmationCiphers(() => (key ??= crypto.getRandomValues(new Uint8Array(32)))),
    now,
  )
}

const keyPorts = ({ policy }: KeySettings, rotation: KeyRotationScheduler, { now }: Clock): KeyPorts => {
  const decrypter = createObjectDecrypter(rotation)
  return {
    management: rotation.keys,
    readPrivateJwkSet,
    readPublicJwkSet,
    signerOf: (issuer) => {
      const signer = createTokenSigner({ issuer, policy }, { ...rotation, now })
      return () => signer
    },
    decrypter: () => decrypter,
  }
}

export type InMemoryOptions = {
  /** The key rings and the times of their rotation; `defaultKeySettings` by default. */
  readonly keySettings?: KeySettings
  /** Renders the logout pages. */
  readonly renderPage: PageRenderer
  /** The clock and unguessable values in place of those of the platform, for tests. */
  readonly generator?: CredentialGenerator
}

export type InMemoryPorts = HttpPorts &
  ShellPorts<unknown> &
  Pick<KeyRotationScheduler, 'keyRings' | 'foreignKeys' | 'lastRead' | 'refreshKeys'> &
  Clock & {
    /** Makes missing keys and due changes. Rejects when that fails. */
    readonly reconcileKeys: () => Promise<void>
    /** The state, with the ports that only a provider in the same process needs. */
    readonly store: InMemoryStore
  }

/** All ports of both shells; a host replaces some of them by spreading. */
export const inMemoryPorts = ({
  renderPage,
  keySettings = defaultKeySettings,
  generator = webCredentialGenerator,
}: InMemoryOptions): InMemoryPorts => {
  const store = inMemoryStore(emptyState(), generator.now)
  const turns = createTurns({
    drawFraction: Math.random,
    pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  })
  const operations = operationPorts({
    store,
    generator,
    hashToken,
    turns,
    audit: unaudited,
    lifeCycle: defaultLifeCycle,
    removes: false,
  })
  const storage = { ...store.keyRings, ...store.foreignKeys, ...store.leases }
  const rotation = createKeyRotationScheduler({
    settings: keySettings,
    ports: { ...storage, ...createKeyMaker(), ...turns, ...generator, ...unaudited },
  })
  const { keyRings, foreignKeys, lastRead, refreshKeys, publishedJwkSet } = rotation
  return {
    service: {
      ...operations,
      fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('nothing is fetched here')),
      logUnreadable: () => undefined,
      logWarnings: () => undefined,
      sessionEnded: () => undefined,
      ...unlimited,
      ...createSoftwareStatements([]),
      ...processConfirmations(generator.now),
      ...createIdTokenHints(rotation),
      renderPage,
    },
    notifications: manageNotifications({ delivers: false }, operations),
    jwkSet: { publishedJwkSet },
    keys: keyPorts(keySettings, rotation, generator),
    health: { checks: [], isDraining: () => false },
    requestId: () => crypto.randomUUID(),
    log: () => undefined,
    remoteAddress: () => undefined,
    reconcileKeys: async () => {
      const done = await rotation.reconcile()
      if (E.isLeft(done)) throw new Error(`the keys cannot be kept: ${done.left.error}`)
    },
    keyRings,
    foreignKeys,
    lastRead,
    refreshKeys,
    now: generator.now,
    store,
  }
}
