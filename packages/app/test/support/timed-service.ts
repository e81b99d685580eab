// The HTTP adapter over the SQLite adapter on a real socket and a real file, with a clock that the test sets.
import { createPageRenderer, createPublicListener, type ListenerPorts } from '@clientele/adapters-http'
import {
  type KeyRotationScheduler,
  createIdTokenHints,
  createKeyMaker,
  createObjectDecrypter,
  createSealedConfirmations,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
} from '@clientele/adapters-jose'
import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { KeySettings } from '@clientele/domain/keys'
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import { defaultNotificationLimits } from '@clientele/domain/logout'
import { manageNotifications, operationPorts, unaudited } from '@clientele/domain/operations'
import { noPolicy } from '@clientele/domain/policy'
import { type Encryption, type TokenSigner, sectorIdentifierUnavailable, unlimited } from '@clientele/domain/ports'
import { openStore } from '@clientele/adapters-sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import {
  createEncryption,
  createCredentialGenerator,
  hashToken,
  nodeConfirmationCiphers,
} from '@clientele/adapters-jose/node'
import { startKeyRotation } from '../../src/keys/key-rotation.js'
import { createLog } from '../../src/observing/log.js'
import { discard, newDataDir } from './service.js'
import { timedTurns } from '../../src/data/operation-ports.js'

export type TimedService = {
  readonly base: string
  readonly master: string
  readonly secretLifetime: number
  readonly pass: (seconds: number) => void
  readonly rotation: KeyRotationScheduler
  readonly signToken: TokenSigner['signToken']
  /** The number of requests for the key set. */
  readonly keySetRequests: () => number
  readonly stop: () => Promise<void>
}

const lengths = { clientId: 20, clientSecret: 43, registrationAccessToken: 43 }
const secretLifetime = 1_000
const defaultKeys: KeySettings = {
  policy: { lifetime: 7_776_000, publishAhead: 86_400, retention: 86_400, maxAge: 3600 },
  signingAlgorithms: ['ES256'],
}

const opened = (dataDir: string, encryption: Encryption, now: () => EpochSeconds): ReturnType<typeof openStore> =>
  openStore({
    now,
    file: join(dataDir, 'clientele.db'),
    encryption,
    generateKey: () => randomBytes(32).toString('base64url'),
    onFatal: (reason) => assertNever(reason),
  })

const assertNever = (reason: unknown): never => {
  throw new Error(`the store failed: ${String(reason)}`)
}

export const startTimedService = async (keys: KeySettings = defaultKeys): Promise<TimedService> => {
  const dataDir = newDataDir()
  const encryptionKey = randomBytes(32)
  const pages = createPageRenderer()
  let elapsed = 0
  const start = epochSeconds(Date.now())
  const now = () => secondsAfter(start, elapsed)
  const store = await opened(dataDir, createEncryption(encryptionKey, []), now)()
  if (E.isLeft(pages)) throw new Error('the theme is faulty')
  if (E.isLeft(store)) throw new Error(store.left.message)
  const { digestKey, close } = store.right
  const hash = hashToken(digestKey)
  const master = randomBytes(32).toString('hex')
  let keySetRequests = 0
  const generator = createCredentialGenerator(lengths, hash)
  const stored = { ...store.right.keyRings, ...store.right.foreignKeys, ...store.right.leases }
  const turns = timedTurns()
  const started = await startKeyRotation({
    settings: keys,
    ports: { ...unaudited, ...stored, ...turns, ...createKeyMaker(), identifier: generator.identifier, now },
    log: createLog('error', process.stderr),
  })()
  if (E.isLeft(started)) throw new Error(started.left)
  const rotation = started.right
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const settings = {
    registration: {
      mode: { kind: 'managed' as const },
      credentials: {
        clientSecretLifetime: secretLifetime,
        rotateRegistrationAccessTokenOnUpdate: true,
        rotateClientSecretOnUpdate: true,
      },
      policy: noPolicy,
      outboundFetches: false,
      issuer: base,
      registrationEndpoint: `${base}/clients`,
      initialAccessTokenLifetime: 3_600,
    },
    keyPolicy: keys.policy,
    masterToken: hash(master),
    basePath: '',
    registrationStatus: 200 as const,
    logout: {
      path: undefined,
      policy: {
        issuer: base,
        backchannel: false,
        notificationLimits: defaultNotificationLimits,
        hintMaxAge: 0,
        confirmationLifetime: 600,
        endsOfflineAccess: false,
      },
      sessions: { lifetime: 86_400, idleLifetime: 3_600 },
    },
    corsOrigins: [],
  }
  const clock = { ...generator, now, issue: () => ({ ...generator.issue(), at: now() }) }
  const operations = operationPorts({
    store: store.right,
    generator: clock,
    hashToken: hash,
    turns,
    audit: unaudited,
    lifeCycle: defaultLifeCycle,
    removes: false,
  })
  const signing = { ...rotation, now }
  const ports: ListenerPorts = {
    service: {
      ...operations,
      ...unlimited,
      ...createSoftwareStatements([]),
      ...createSealedConfirmations(nodeConfirmationCiphers(encryptionKey, []), now),
      ...createIdTokenHints(rotation),
      fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('off')),
      logWarnings: () => undefined,
      logUnreadable: () => undefined,
      sessionEnded: () => undefined,
      renderPage: pages.right,
    },
    notifications: manageNotifications({ delivers: false }, operations),
    jwkSet: rotation,
    keys: {
      management: rotation.keys,
      readPrivateJwkSet,
      readPublicJwkSet,
      signerOf: (issuer) => () => createTokenSigner({ issuer, policy: keys.policy }, signing),
      decrypter: () => createObjectDecrypter(rotation),
    },
    health: { checks: [], isDraining: () => false },
    requestId: () => randomUUID(),
    log: ({ route }) => {
      keySetRequests += route === '/jwks.json' ? 1 : 0
    },
    remoteAddress: () => '127.0.0.1',
  }
  server.on('request', createPublicListener(settings, ports, { withOperators: false }))
  return {
    base,
    master,
    secretLifetime,
    pass: (seconds) => (elapsed += seconds),
    rotation,
    signToken: createTokenSigner({ issuer: base, policy: keys.policy }, signing).signToken,
    keySetRequests: () => keySetRequests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rotation.stop()
      await close()
      discard(dataDir)
    },
  }
}
