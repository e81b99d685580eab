import { replaceRings } from '@clientele/testing'
import Database from 'better-sqlite3'
import { secondsAfter } from '@clientele/domain/kernel'
import type { KeyRing } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load-config.js'
import { permitCommand } from '../../src/running/presence.js'
import { openData } from '../../src/data/open-data.js'
import { discard, newDataDir, launch, startService } from '../support/service.js'

const refusing = suite<{ dataDir: string }>('start refuses')

refusing.before.each(async (context) => {
  context.dataDir = newDataDir()
  const service = await startService({ CLIENTELE_SIGNING_ALGORITHMS: 'ES256' }, context.dataDir)
  await service.stop()
})
refusing.after.each(({ dataDir }) => discard(dataDir))

const digestOf = (dataDir: string): string =>
  createHash('sha256')
    .update(readFileSync(join(dataDir, 'clientele.db')))
    .digest('hex')

/** The line that a refused start prints before it exits with 1, without changes. */
const refusal = async (dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<string> => {
  const before = digestOf(dataDir)
  const given = { CLIENTELE_DATA_DIR: dataDir, CLIENTELE_PORT: '0', CLIENTELE_SIGNING_ALGORITHMS: 'ES256' }
  const { exited, output } = launch([], { ...given, ...settings })
  assert.is(await exited, 1)
  const { stdout, stderr } = output()
  assert.is(stdout, '')
  assert.match(stderr, /^clientele: [^\n]+\n$/)
  assert.is(digestOf(dataDir), before)
  return stderr
}

const inDatabase = (dataDir: string, sql: string): void => {
  const db = new Database(join(dataDir, 'clientele.db'))
  db.exec(sql)
  db.close()
}

/** Replaces a stored ring by the changed one, sealed as by the service. */
const changeRing = async (dataDir: string, change: (ring: KeyRing) => KeyRing): Promise<void> => {
  const loaded = loadConfig({ flags: { 'data-dir': dataDir }, environment: {}, readFile: () => E.left('ENOENT') })
  if (E.isLeft(loaded)) throw new Error('the settings are faulty')
  const data = await openData(loaded.right.config, {
    onFatal: () => undefined,
    expectExisting: true,
    admit: permitCommand,
  })()
  if (E.isLeft(data)) throw new Error(data.left.message)
  const { keyRings, close } = { ...data.right.store.keyRings, ...data.right.store }
  const rings = await keyRings.readKeyRings()
  const ring = E.isRight(rings) ? rings.right.find(({ use }) => use === 'sig') : undefined
  if (ring === undefined) throw new Error('there is no ring')
  const next = { ...change(ring), version: ring.version + 1 }
  await replaceRings(keyRings)([{ next, replacing: O.some(ring) }])()
  await close()
}

refusing('a ring that does not open, and names it and the likely cause', async ({ dataDir }) => {
  inDatabase(dataDir, `UPDATE key_rings SET sealed = replace(sealed, 'v2.', 'v2.x') WHERE alg = 'ES256'`)
  const line = await refusal(dataDir)
  assert.match(line, 'ES256')
  assert.match(line, 'encryption-key')
})

refusing('rings that changed places', async ({ dataDir }) => {
  inDatabase(
    dataDir,
    `UPDATE key_rings SET sealed = (SELECT sealed FROM key_rings WHERE use = 'enc') WHERE alg = 'ES256'`,
  )
  assert.match(await refusal(dataDir), 'ES256')
})

refusing('clients without any key, and says how they can come to be and what makes new ones', async ({ dataDir }) => {
  const service = await startService({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' }, dataDir)
  const registered = await fetch(`${service.base}/clients`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://rp.example/cb'] }),
  })
  assert.is(registered.status, 200)
  await service.stop()
  inDatabase(dataDir, 'DELETE FROM key_rings')
  const line = await refusal(dataDir)
  assert.match(line, /has clients, but no keys.*clientele\.db-wal/)
  assert.match(line, /clientele keys create/)
  const created = launch(['keys', 'create'], { CLIENTELE_DATA_DIR: dataDir, CLIENTELE_SIGNING_ALGORITHMS: 'ES256' })
  assert.is(await created.exited, 0)
  assert.match(created.output().stdout, /ES256 \(sig\), signing/)
  assert.not.match(created.output().stdout, 'none was made')
  await (await startService({ CLIENTELE_SIGNING_ALGORITHMS: 'ES256' }, dataDir)).stop()
})

refusing('another encryption key', async ({ dataDir }) => {
  const line = await refusal(dataDir, { CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64url') })
  assert.match(line, 'encryption key')
})

for (const [mode, words] of [
  [0o644, /chmod 600/],
  [0o640, /chmod 600/],
] as const)
  refusing(`a key file that others may use: ${mode.toString(8)}`, async ({ dataDir }) => {
    chmodSync(join(dataDir, 'encryption-key'), mode)
    assert.match(await refusal(dataDir), words)
  })

refusing('an RSA key below 2048 bits', async ({ dataDir }) => {
  const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
  const weak = { kid: 'weak', jwk: { kty: 'RSA' as const, n, e }, privateKey: '{}' }
  await changeRing(dataDir, (ring) => ({
    ...ring,
    current: { ...ring.current, key: { ...weak, publishedAt: ring.current.since } },
  }))
  const line = await refusal(dataDir)
  assert.match(line, 'weak')
  assert.match(line, '2048')
})

refusing('two keys of one kid', async ({ dataDir }) => {
  await changeRing(dataDir, (ring) => ({
    ...ring,
    retired: [{ key: ring.current.key, since: ring.current.since, forgottenAt: secondsAfter(ring.current.since, 9e6) }],
  }))
  assert.match(await refusal(dataDir), /kid/)
})

refusing.run()
