// The HTTP adapter over the SQLite adapter on a real socket and a real file, with a clock that the test moves.
import { createPageRenderer, createPublicListener, type ListenerPorts } from '@clientele/adapters-http'
import {
  createIdTokenHints,
  createKeyMaker,
  createObjectDecrypter,
  createSealedDialogs,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
} from '@clientele/adapters-jose'
import {
  type Encryption,
  type KeySettings,
  type TokenSigner,
  manageLogouts,
  noPolicy,
  secondsAfter,
  sectorIdentifierUnavailable,
  usualNoticeLimits,
} from '@clientele/domain'
import { clientIdBeginning, openStore } from '@clientele/adapters-sqlite'
import { createTurns } from '@clientele/adapters-memory'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createEncryption, createFresh, hashToken, nodeDialogCiphers } from '@clientele/adapters-jose/node'
import { type KeyKeeper, startKeyKeeper } from '../../src/keys/key-keeper.js'
import { createLog } from '../../src/observing/log.js'
import { timedPauses } from '../../src/timed-pauses.js'
import { discard, freshDataDir } from './service.js'

export type TimedService = {
  readonly base: string
  readonly master: string
  readonly secretLifetime: number
  readonly pass: (seconds: number) => void
  readonly keeper: KeyKeeper
  readonly signToken: TokenSigner['signToken']
  /** How often the key set was asked for. */
  readonly keySetRequests: () => number
  readonly stop: () => Promise<void>
}

const lengths = { clientId: 20, clientSecret: 43, registrationAccessToken: 43 }
const secretLifetime = 1_000
const usualKeys: KeySettings = {
  policy: { lifetime: 7_776_000, publishAhead: 86_400, retention: 86_400, maxAge: 3600 },
  signingAlgorithms: ['ES256'],
}

const opened = (dataDir: string, encryption: Encryption): ReturnType<typeof openStore> =>
  openStore({
    file: join(dataDir, 'clientele.db'),
    encryption,
    freshKey: () => randomBytes(32).toString('base64url'),
    onFatal: (reason) => assertNever(reason),
  })

const assertNever = (reason: unknown): never => {
  throw new Error(`the store failed: ${String(reason)}`)
}

export const startTimedService = async (keys: KeySettings = usualKeys): Promise<TimedService> => {
  const dataDir = freshDataDir()
  const encryptionKey = randomBytes(32)
  const pages = createPageRenderer()
  const store = await opened(dataDir, createEncryption(encryptionKey, []))()
  if (E.isLeft(pages)) throw new Error('the theme is faulty')
  if (E.isLeft(store)) throw new Error(store.left.message)
  const { digestKey, registry, initialAccessTokens, keyRings, foreignKeys, endUserSessions, logouts, close } =
    store.right
  const hash = hashToken(digestKey)
  const master = randomBytes(32).toString('hex')
  let [elapsed, keySetRequests] = [0, 0]
  const fresh = createFresh(lengths, hash, clientIdBeginning)
  const start = fresh.now()
  const now = () => secondsAfter(start, elapsed)
  const keeper = await startKeyKeeper({
    settings: keys,
    ports: { ...keyRings, ...foreignKeys, ...createKeyMaker(), ...timedPauses, now },
    log: createLog('error', process.stderr),
  })()
  if (E.isLeft(keeper)) throw new Error(keeper.left)
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
        noticeLimits: usualNoticeLimits,
        hintMaxAge: 0,
        dialogLifetime: 600,
        endsOfflineAccess: false,
      },
      sessions: { lifetime: 86_400, idleLifetime: 3_600 },
    },
    corsOrigins: [],
  }
  const clock = { ...fresh, now, issue: () => ({ ...fresh.issue(), at: now() }) }
  const sessions = {
    ...registry,
    ...endUserSessions,
    ...logouts,
    ...clock,
    ...createTurns(timedPauses),
    hashToken: hash,
    sessionEnded: () => undefined,
  }
  const signing = { keyRings: keeper.right.keyRings, now }
  const ports: ListenerPorts = {
    clients: {
      ...registry,
      ...initialAccessTokens,
      ...createSoftwareStatements([]),
      ...clock,
      ...createTurns(timedPauses),
      fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('off')),
      logWarnings: () => undefined,
      logUnreadable: () => undefined,
    },
    tokens: { ...initialAccessTokens, ...clock },
    sessions,
    logout: {
      ...sessions,
      ...createSealedDialogs(nodeDialogCiphers(encryptionKey, []), now),
      ...createIdTokenHints(keeper.right),
      renderPage: pages.right,
    },
    notices: manageLogouts({ delivers: false }, { ...store.right.logoutOutbox, now }),
    jwkSet: keeper.right,
    keys: {
      management: keeper.right.keys,
      readPrivateJwkSet,
      readPublicJwkSet,
      signerOf: (issuer) => () => createTokenSigner({ issuer, policy: keys.policy }, signing),
      decrypter: () => createObjectDecrypter(keeper.right),
    },
    health: { checks: [], isDraining: () => false },
    operator: { ...registry, ...initialAccessTokens, now },
    hashToken: hash,
    renderPage: pages.right,
    requestId: randomUUID,
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
    keeper: keeper.right,
    signToken: createTokenSigner({ issuer: base, policy: keys.policy }, signing).signToken,
    keySetRequests: () => keySetRequests,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await keeper.right.stop()
      await close()
      discard(dataDir)
    },
  }
}
