// The ports of an engine on a store in memory, with keys that nothing in these tests signs by.
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import { TokenHash } from '@clientele/domain/authorization'
import { epochSeconds, unavailable } from '@clientele/domain/kernel'
import { PublicJwk } from '@clientele/domain/keys'
import { noConsentPolicy } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createHash, generateKeyPairSync } from 'node:crypto'
import type { EnginePorts, EngineSettings } from '../../src/ports.js'

export const settings: EngineSettings = {
  issuer: 'https://op.example/op',
  cookieKeys: ['a key of cookies'],
  pairwiseSalt: 'a salt',
  signingAlgorithms: ['RS256', 'ES256'],
  scopes: ['api:read'],
  accessTokenLifetime: 600,
  refreshTokenLifetime: 86_400,
  refreshTokenGrace: 0,
  rotateRefreshTokens: true,
  tokensEndWithSession: true,
  logoutEndsOfflineAccess: false,
  resources: undefined,
  offersImplicitTokens: false,
  requestUris: false,
  requirePkce: 'public',
  requirePar: false,
  requireDpop: false,
  assertionAudience: 'endpoints',
  claimsInIdToken: false,
  introspectionClients: [],
  consentPolicy: noConsentPolicy,
  corsOrigins: [],
}

const decoded = <Value>(read: E.Either<unknown, Value>): Value => {
  if (E.isLeft(read)) throw new Error('a value of the test is not of its type')
  return read.right
}

const keys = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
}

const hashToken = (text: string): TokenHash =>
  decoded(TokenHash.decode(createHash('sha256').update(text).digest('base64url')))

const never = TE.left(unavailable('nothing signs in this test'))

export const ports = (): EnginePorts => {
  const { artefacts, consents, registry, initialAccessTokens } = inMemoryStore(emptyState())
  const isKnown = (alg: string): alg is keyof typeof keys => alg in keys
  return {
    ...artefacts,
    ...consents,
    findClient: registry.findClient,
    confirmReads: registry.confirmReads,
    useSecret: () => undefined,
    resolveClient: () => TE.right(O.none),
    approveDocument: () => never,
    recordUse: () => TE.right(undefined),
    consumeBudget: () => TE.right(undefined),
    isRemembered: () => TE.right(false),
    ...initialAccessTokens,
    auditRow: () => undefined,
    signingKeyOf: (alg) =>
      isKnown(alg)
        ? { kid: alg, jwk: decoded(PublicJwk.decode(keys[alg].publicKey.export({ format: 'jwk' }))) }
        : undefined,
    discardRest: () => Promise.resolve(),
    readyToSign: () => Promise.resolve(),
    signInput: () => never,
    decryptObject: () => TE.left({ error: 'undecryptable_object', reason: 'no_key' }),
    listedAlgorithms: () => Object.keys(keys),
    allowsResponseType: () => true,
    clientEntries: () => [],
    hashToken,
    now: () => epochSeconds(Date.now()),
    sessions: {
      start: () => never,
      find: () => never,
      findById: () => never,
      recordClient: () => never,
      end: () => never,
    },
    sessionCookie: { read: () => undefined, write: (value) => value },
    readHint: () => () => Promise.resolve(undefined),
    errorPage: () => ({ headers: {}, html: '' }),
  }
}
