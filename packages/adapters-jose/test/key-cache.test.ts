import type { RingKey } from '@clientele/domain/keys'
import { namedKey } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyCache, importPrivateKey, importPublicKey } from '../src/ring-keys.js'
import { at } from '../../adapters-http/test/support/in-memory-ports.js'
import { keyFor, privateJwk, ringWith, secretsOf, tellsNothing } from '../../adapters-http/test/support/keys.js'

const cache = suite('imported keys')

const ring = ringWith('EdDSA', namedKey('first'))

cache('each key is imported once, however often and however fast it is asked for', async () => {
  const imported: Array<string> = []
  const importKey = createKeyCache<RingKey>((alg, { kid }) => {
    imported.push(`${alg} ${kid}`)
    return Promise.resolve(new Uint8Array())
  })
  const { key } = ring.current
  const [one, other] = await Promise.all([importKey('EdDSA', key), importKey('EdDSA', key)])
  assert.is(one, other)
  assert.is(await importKey('EdDSA', key), one)
  await importKey('EdDSA', { ...key, kid: 'second' })
  assert.equal(imported, ['EdDSA first', 'EdDSA second'])
})

cache('the public half is imported for verification alone, and the private half is not in it', async () => {
  const key = await importPublicKey('ES256', await keyFor('ES256'))
  assert.ok(!(key instanceof Uint8Array))
  assert.equal([key.type, key.usages], ['public', ['verify']])
})

cache('a private half that cannot be read is not quoted', async () => {
  const good = await keyFor('ES256')
  const other = await keyFor('EdDSA')
  for (const broken of [good.privateKey.slice(0, -1), JSON.stringify({ ...privateJwk(good), kty: 'RSA' })]) {
    const reported = await importPrivateKey('ES256', { ...other, privateKey: broken, publishedAt: at }).then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? [error.message, error.stack].join() : 'another'),
    )
    assert.match(reported, 'a private key of ES256 cannot be read')
    tellsNothing(reported, secretsOf(privateJwk(good)))
  }
})

cache.run()
