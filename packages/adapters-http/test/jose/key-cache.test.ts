import type { KeyRing } from '@clientele/domain'
import { compromise } from '@clientele/domain'
import { namedKey } from '@clientele/domain/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeyCache, importPrivateKey, importPublicKey } from '../../src/jose/key-cache.js'
import { at } from '../support/in-memory-ports.js'
import { keyFor, privateJwk, right, ringWith, secretsOf, tellsNothing } from '../support/keys.js'

const cache = suite('imported keys')

const ring = ringWith('EdDSA', namedKey('first'))
const later = right(compromise(at)(ring, 'first', namedKey('second'))).ring

const counting = (rings: () => ReadonlyArray<KeyRing>) => {
  const imported: Array<string> = []
  const importKey = createKeyCache(rings, (alg, { kid }) => {
    imported.push(`${alg} ${kid}`)
    return Promise.resolve(new Uint8Array())
  })
  return { imported, importKey }
}

cache('each key is imported once, however often and however fast it is asked for', async () => {
  const { imported, importKey } = counting(() => [ring])
  const { key } = ring.current
  const [one, other] = await Promise.all([importKey('EdDSA', key), importKey('EdDSA', { ...key })])
  assert.is(one, other)
  assert.is(await importKey('EdDSA', key), one)
  assert.equal(imported, ['EdDSA first'])
})

cache('a key that no ring has any more is dropped at the next use of any key', async () => {
  const now = { rings: [ring] }
  const { imported, importKey } = counting(() => now.rings)
  await importKey('EdDSA', ring.current.key)
  now.rings = [later]
  await importKey('EdDSA', later.current.key)
  now.rings = [ring]
  await importKey('EdDSA', ring.current.key)
  assert.equal(imported, ['EdDSA first', 'EdDSA second', 'EdDSA first'])
})

cache('the public half is imported for verification alone, and the private half is not in it', async () => {
  const key = await importPublicKey('ES256', { ...(await keyFor('ES256')), publishedAt: at })
  assert.ok(!(key instanceof Uint8Array))
  assert.equal([key.type, key.usages], ['public', ['verify']])
})

cache('a private half that cannot be read is not quoted', async () => {
  const [good, other] = [await keyFor('ES256'), await keyFor('EdDSA')]
  for (const broken of [good.privateKey.slice(0, -1), JSON.stringify({ ...privateJwk(good), kty: 'RSA' })]) {
    const told = await importPrivateKey('ES256', { ...other, privateKey: broken, publishedAt: at }).then(
      () => 'read',
      (error: unknown) => (error instanceof Error ? [error.message, error.stack].join() : 'another'),
    )
    assert.match(told, 'a private key of ES256 cannot be read')
    tellsNothing(told, secretsOf(privateJwk(good)))
  }
})

cache.run()
