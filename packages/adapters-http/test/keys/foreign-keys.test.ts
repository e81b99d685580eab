import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { master } from '../support/in-memory-ports.js'
import { type Jwk, keyFor, privateJwk, ringWith, withKeys } from '../support/keys.js'

const foreign = suite('POST /keys/foreign')

const own = await keyFor('EdDSA')
const theirs = await keyFor('ES256')
const theirRsa = await keyFor('RS256')
const ring = ringWith('EdDSA', own)
const publicJwk: Jwk = { ...theirs.jwk, kid: theirs.kid, use: 'sig', alg: 'ES256' }

foreign('public keys of another signer are published, listed and removed, and sign nothing', async () =>
  withKeys([ring], async ({ ask, stored }) => {
    const added = await ask('POST', '/keys/foreign', {
      token: master,
      json: { keys: [publicJwk, { ...theirRsa.jwk, kid: 'rsa', alg: 'PS256' }] },
    })
    assert.is(added.status, 200)
    const listed = (await ask('GET', '/keys', { token: master })).members
    assert.equal(
      Object(listed['foreign']).map(({ kid, alg }: Jwk) => [kid, alg]),
      [
        [theirs.kid, 'ES256'],
        ['rsa', 'PS256'],
      ],
    )
    assert.equal(
      (await stored()).map(({ alg }) => alg),
      ['EdDSA'],
    )
    const removed = await ask('POST', '/keys/foreign/remove', { token: master, json: { kid: 'rsa' } })
    assert.equal([removed.status, Object(removed.members['foreign']).length], [200, 1])
    assert.is((await ask('POST', '/keys/foreign/remove', { token: master, json: { kid: 'rsa' } })).status, 404)
    assert.is((await ask('POST', '/keys/foreign/remove', { token: master, json: { kid: own.kid } })).status, 404)
  }),
)

foreign('a key without kid has its thumbprint, and one without alg the first that fits', async () =>
  withKeys([ring], async ({ ask }) => {
    const added = await ask('POST', '/keys/foreign', { token: master, json: { keys: [theirs.jwk, theirRsa.jwk] } })
    assert.equal(
      Object(added.members['foreign']).map(({ kid, alg }: Jwk) => [kid, alg]),
      [
        [theirs.kid, 'ES256'],
        [theirRsa.kid, 'RS256'],
      ],
    )
  }),
)

const refused: Readonly<Record<string, readonly [keys: unknown, reported: RegExp]>> = {
  'a private key': [[{ ...privateJwk(theirs), kid: 'x' }], /\/keys\/0 d must be left out/],
  'a symmetric key': [[{ kty: 'oct', k: 'AAAA' }], /\/keys\/0 kty must be RSA, EC or OKP/],
  'a key to encrypt to': [[{ ...theirRsa.jwk, use: 'enc' }], /\/keys\/0 use must be sig/],
  'an algorithm of another type': [[{ ...publicJwk, alg: 'RS256' }], /\/keys\/0 alg must fit/],
  'a weak key': [[{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }], /\/keys\/0 n must be an odd RSA modulus/],
  'no key at all': [[], /must be a JSON Web Key set/],
  'no set': ['keys', /must be a JSON Web Key set/],
}

for (const [what, [keys, reported]] of Object.entries(refused))
  foreign(`${what} is refused with its place and the remedy, and nothing is published`, async () =>
    withKeys([ring], async ({ ask }) => {
      const answer = await ask('POST', '/keys/foreign', { token: master, json: { keys } })
      assert.is(answer.status, 400)
      assert.match(JSON.stringify(answer.members['faults']), reported)
      assert.equal((await ask('GET', '/keys', { token: master })).members['foreign'], [])
    }),
  )

foreign('a kid that is in the set already is refused, of a ring or of another signer', async () =>
  withKeys([ring], async ({ ask }) => {
    const add = (keys: ReadonlyArray<Jwk>) => ask('POST', '/keys/foreign', { token: master, json: { keys } })
    assert.is((await add([{ ...publicJwk, kid: own.kid }])).status, 409)
    assert.is((await add([publicJwk])).status, 200)
    assert.is((await add([publicJwk])).status, 409)
    assert.is(
      (
        await add([
          { ...publicJwk, kid: 'one' },
          { ...publicJwk, kid: 'one' },
        ])
      ).status,
      409,
    )
  }),
)

foreign('a dry run tells what would be published, and publishes nothing', async () =>
  withKeys([ring], async ({ ask }) => {
    const answer = await ask('POST', '/keys/foreign?dry_run=true', { token: master, json: { keys: [publicJwk] } })
    assert.equal([answer.status, Object(answer.members['foreign']).length], [200, 1])
    assert.equal((await ask('GET', '/keys', { token: master })).members['foreign'], [])
  }),
)

foreign('nobody but the master token may', async () =>
  withKeys([ring], async ({ ask }) => {
    for (const path of ['/keys/foreign', '/keys/foreign/remove', '/keys/sign', '/keys/decrypt']) {
      assert.is((await ask('POST', path, { json: {} })).status, 401)
      assert.is((await ask('POST', path, { token: 'junk', json: {} })).status, 401)
    }
  }),
)

foreign.run()
