import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKeySets } from '../src/fetch-json.js'
import { lenient } from './support/fetched.js'
import { withHttps } from './support/test-server.js'

const KeySets = suite('the key sets of signers')

const master = { kind: 'master' } as const
const keySet = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AA', kid: 'k' }] }

KeySets('a JSON document with the status 200 is read, and every other answer is a fault of the set', async () => {
  const { fetchKeySet } = createKeySets(lenient)
  for (const [status, text] of [
    [200, JSON.stringify(keySet)],
    [200, '{"keys":[],"keys":[]}'],
    [302, JSON.stringify(keySet)],
    [404, JSON.stringify(keySet)],
  ] as const)
    await withHttps(
      (_, response) => void response.writeHead(status, { location: '/other' }).end(text),
      async (server) => {
        const read = await fetchKeySet(`https://sector.example:${server.port}/soft1.jwks`, master)()
        if (status === 200 && text.length > 30) assert.equal(read, E.right(keySet))
        else assert.is(E.isLeft(read) && read.left.error, 'key_set_unavailable')
      },
    )
})

KeySets('no request goes to an address that is not public, nor without TLS', async () => {
  const strict = createKeySets({ lookup: lenient.lookup })
  for (const uri of ['https://keys.example/soft1.jwks', 'https://127.0.0.1/soft1.jwks', 'http://keys.example/']) {
    const read = await strict.fetchKeySet(uri, master)()
    assert.is(E.isLeft(read) && read.left.error, 'key_set_unavailable', uri)
  }
})

KeySets.run()
