// Two instances over one store, with real keys: changes by an operator at one of them take effect at the other.
import { exampleOrigin } from '@clientele/testing'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { epochSeconds, secondsAfter, unavailable } from '@clientele/domain/kernel'
import { type KeySettings, maxReadAge, maxSkew } from '@clientele/domain/keys'
import { type KeyManagement, createTurns, unaudited } from '@clientele/domain/operations'
import type { ForeignKeys, KeyRings, Leases, Pauses } from '@clientele/domain/ports'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import { openStore } from '@clientele/adapters-sqlite'
import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { decodeProtectedHeader } from 'jose'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { left, privateJwk, right } from '../../adapters-http/test/support/keys.js'
import {
  type KeyRotationScheduler,
  createIdTokenHints,
  createKeyMaker,
  createKeyRotationScheduler,
  createTokenSigner,
  reconcileInterval,
  readPrivateJwkSet,
} from '../src/index.js'
import { createEncryption } from '../src/node/index.js'

const issuer = 'https://op.example'
const policy = { lifetime: 100_000, publishAhead: 10_000, retention: 5_000, maxAge: 4_000 }
const settingsOf = (...signingAlgorithms: ReadonlyArray<string>): KeySettings => ({ policy, signingAlgorithms })
const clock = { at: epochSeconds(1_700_000_000_000) }
const now = () => clock.at

// Just long enough for the other instance to continue.
const briefPauses: Pauses = { drawFraction: () => 0, pause: () => () => setTimeout(1) }

type Stored = { readonly keyRings: KeyRings; readonly foreignKeys: ForeignKeys; readonly leases: Leases }
type Opened = { readonly one: Stored; readonly other: Stored; readonly close: () => Promise<void> }

const openInMemory = async (): Promise<Opened> => {
  const state = emptyState()
  return { one: inMemoryStore(state, now), other: inMemoryStore(state, now), close: async () => undefined }
}

const openOnSqlite = async (): Promise<Opened> => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-jose-'))
  const options = {
    file: join(folder, 'clientele.db'),
    encryption: createEncryption(Buffer.alloc(32, 7), []),
    generateKey: () => randomBytes(32).toString('base64url'),
    onFatal: (reason: unknown) => assert.unreachable(String(reason)),
    now,
    shared: true,
  }
  const one = right(await openStore(options)())
  const other = right(await openStore(options)())
  const close = async (): Promise<void> => {
    await one.close()
    await other.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { one, other, close }
}

type Instance = KeyRotationScheduler & {
  readonly signs: (alg: string) => Promise<string>
  readonly reads: ReturnType<typeof createIdTokenHints>['readIdTokenHint']
  readonly management: KeyManagement
}

const begin = (
  { keyRings, foreignKeys, leases }: Stored,
  settings: KeySettings,
  readStoreTime = keyRings.readStoreTime,
): Instance => {
  const turns = createTurns(briefPauses)
  const stored = { ...keyRings, ...foreignKeys, ...leases, readStoreTime }
  const ports = { ...stored, ...turns, ...createKeyMaker(), now, identifier: randomUUID }
  const scheduler = createKeyRotationScheduler({ settings, ports: { ...unaudited, ...ports } })
  const { signToken } = createTokenSigner({ issuer, policy }, { ...scheduler, now })
  const signs = async (alg: string): Promise<string> =>
    right(await signToken({ alg, typ: 'JWT', claims: { sub: 'end-user' }, expiresAt: secondsAfter(now(), 60) })())
  return {
    ...scheduler,
    signs,
    reads: createIdTokenHints(scheduler).readIdTokenHint,
    management: scheduler.keys(operatorOfTheStore(), { origin: exampleOrigin }),
  }
}

const kidsOf = ({ publishedJwkSet }: KeyRotationScheduler): ReadonlyArray<string> =>
  right(publishedJwkSet()).jwkSet.keys.map(({ kid }) => kid)

const signerOf = (token: string): string => String(decodeProtectedHeader(token).kid)

const algorithmsOf = ({ keyRings }: KeyRotationScheduler): ReadonlyArray<string> =>
  keyRings()
    .filter(({ use, closedAt }) => use === 'sig' && closedAt === undefined)
    .map(({ alg }) => alg)

const noSecret = () => T.of([])

const passes = (seconds: number): void => {
  clock.at = secondsAfter(clock.at, seconds)
}

const runSuite = (name: string, open: () => Promise<Opened>): void => {
  const both = suite(`two schedulers over one store ${name}`)

  const withBoth =
    (first: KeySettings, second: KeySettings, use: (one: Instance, other: Instance) => Promise<void>) =>
    async (): Promise<void> => {
      const { one, other, close } = await open()
      const instances = [begin(one, first), begin(other, second)] as const
      right(await instances[0].reconcile())
      right(await instances[1].reconcile())
      try {
        await use(...instances)
      } finally {
        await Promise.all(instances.map(({ stop }) => stop()))
        await close()
      }
    }

  const es256 = settingsOf('ES256')
  const eddsa = settingsOf('ES256', 'EdDSA')

  both(
    'the key that is revoked at one signs, verifies and is published at the other no more when it reconciles next',
    withBoth(es256, es256, async (one, other) => {
      const before = await other.signs('ES256')
      right(await other.reads(before, noSecret)())
      right(await one.management.revoke({ kid: signerOf(before), dryRun: false })())
      assert.not(kidsOf(one).includes(signerOf(before)), 'at once at the instance that was asked')
      right(await other.reconcile())
      assert.not(kidsOf(other).includes(signerOf(before)))
      assert.is(left(await other.reads(before, noSecret)()), 'hint_unknown_key')
      assert.is(signerOf(await other.signs('ES256')), signerOf(await one.signs('ES256')))
    }),
  )

  both(
    'a hint that is signed by a key of the other instance is read before it reconciles next, once a second at most',
    withBoth(es256, es256, async (one, other) => {
      passes(1)
      right(await one.management.revoke({ kid: signerOf(await one.signs('ES256')), dryRun: false })())
      const hint = await one.signs('ES256')
      assert.not(kidsOf(other).includes(signerOf(hint)))
      right(await other.reads(hint, noSecret)())
      assert.ok(kidsOf(other).includes(signerOf(hint)))
      right(await one.management.revoke({ kid: signerOf(hint), dryRun: false })())
      const later = await one.signs('ES256')
      assert.is(left(await other.reads(later, noSecret)()), 'hint_unknown_key')
      passes(1)
      right(await other.reads(later, noSecret)())
    }),
  )

  both(
    'an imported key signs at both, and an announced successor is published by both',
    withBoth(es256, es256, async (one, other) => {
      const made = right(await createKeyMaker().makeKey('ES256')())
      const jwk = { ...privateJwk(made), alg: 'ES256', use: 'sig', kid: 'imported' }
      const keys = right(await readPrivateJwkSet({ keys: [jwk] })())
      right(await other.management.importKeys({ keys, dryRun: false })())
      right(await one.reconcile())
      assert.is(signerOf(await one.signs('ES256')), 'imported')
      right(await one.management.rollOver({ alg: 'ES256', dryRun: false })())
      right(await other.reconcile())
      assert.equal(kidsOf(other), kidsOf(one))
      assert.is(kidsOf(one).length, 4)
      assert.equal([signerOf(await one.signs('ES256')), signerOf(await other.signs('ES256'))], ['imported', 'imported'])
    }),
  )

  both(
    'with different algorithms the rings stay as they are, until the keeper stops',
    withBoth(es256, eddsa, async (one, other) => {
      const versions = () => one.keyRings().map(({ version }) => version)
      for (let look = 0; look < 20; look += 1) {
        right(await one.reconcile())
        right(await other.reconcile())
        passes(reconcileInterval)
      }
      assert.equal([algorithmsOf(one), algorithmsOf(other), versions()], [['ES256'], ['ES256'], [1, 1]])
      await one.stop()
      right(await other.reconcile())
      assert.equal(algorithmsOf(other), ['ES256', 'EdDSA'])
    }),
  )

  both(
    'cut off from the store, an instance signs for some time, and publishes the set while it must be complete',
    async () => {
      const { one, other, close } = await open()
      let isCutOff = false
      const readStoreTime = TE.fromIOEither(() => (isCutOff ? E.left(unavailable('cut off')) : E.right(now())))
      const cut = begin(one, es256, readStoreTime)
      const connected = begin(other, es256)
      right(await cut.reconcile())
      right(await connected.reconcile())
      const before = signerOf(await cut.signs('ES256'))
      isCutOff = true
      right(await connected.management.rollOver({ alg: 'ES256', dryRun: false })())
      passes(maxReadAge - 1)
      left(await cut.reconcile())
      assert.is(signerOf(await cut.signs('ES256')), before)
      passes(2)
      assert.match(await cut.signs('ES256').catch(String), 'the key rings were not read since')
      passes(policy.publishAhead - maxSkew - maxReadAge - 2)
      assert.is(right(cut.publishedJwkSet()).maxAge, 1)
      passes(2)
      assert.is(left(cut.publishedJwkSet()).error, 'unavailable')
      isCutOff = false
      right(await connected.reconcile())
      right(await cut.reconcile())
      assert.equal(kidsOf(cut), kidsOf(connected))
      assert.type(await cut.signs('ES256'), 'string')
      await Promise.all([cut, connected].map(({ stop }) => stop()))
      await close()
    },
  )

  both('of two first starts at once, one makes the keys', async () => {
    const { one, other, close } = await open()
    const instances = [begin(one, eddsa), begin(other, eddsa)] as const
    await Promise.all(instances.map(({ start }) => start()))
    assert.is(kidsOf(instances[0]).length, 3)
    assert.equal(kidsOf(instances[1]), kidsOf(instances[0]))
    await Promise.all(instances.map(({ stop }) => stop()))
    await close()
  })

  both.run()
}

runSuite('in memory', openInMemory)
runSuite('on SQLite', openOnSqlite)
