import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { matchRedirectUri } from '../../src/client/uris.js'

const Match = suite('matchRedirectUri')
const it = law(Match)

const matches = (application_type: 'native' | 'web', registered: string, requested: unknown): boolean =>
  O.isSome(matchRedirectUri({ application_type, redirect_uris: [registered] }, requested))

it(
  'any value for both is matched or not, and nothing is thrown',
  [fc.anything(), fc.array(fc.string())],
  (requested, list) => {
    const application_type = 'native'
    assert.ok(O.isNone(matchRedirectUri({ application_type }, requested)))
    assert.is(
      O.isSome(matchRedirectUri({ application_type, redirect_uris: list }, requested)),
      list.some((uri) => uri === requested),
    )
  },
)

// A request on the right differs from the registered URI on the left in its port alone: RFC 8252 §7.3.
const onAnyPort: ReadonlyArray<readonly [string, string]> = [
  ['http://127.0.0.1/', 'http://127.0.0.1:51004/'],
  ['http://127.0.0.1:33418/', 'http://127.0.0.1/'],
  ['http://127.0.0.1', 'http://127.0.0.1:65535'],
  ['http://[::1]:8080/cb?a=b', 'http://[::1]:1/cb?a=b'],
  ['http://localhost:8787/callback', 'http://localhost:3118/callback'],
  ['http://localhost?a=b', 'http://localhost:80?a=b'],
]
for (const [registered, requested] of onAnyPort)
  Match(`${requested} is ${registered} of a native client, and not of a web client`, () => {
    assert.ok(matches('native', registered, requested))
    assert.not.ok(matches('web', registered, requested))
    assert.ok(matches('web', registered, registered))
  })

const others: ReadonlyArray<readonly [string, string]> = [
  ['http://127.0.0.1/cb', 'http://127.0.0.1:80@evil.example/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:80:90/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:0/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:080/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb/'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/CB'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb?'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb#'],
  ['http://127.0.0.1/cb', 'http://127.0.0.1.evil.example:8080/cb'],
  ['http://127.0.0.1/cb', 'http://localhost:8080/cb'],
  ['http://127.0.0.1/cb', 'https://127.0.0.1:8080/cb'],
  ['http://localhost/cb', 'http://localhost.evil.example/cb'],
  ['http://localhost/cb', 'http://LOCALHOST:8080/cb'],
  ['https://localhost/cb', 'https://localhost:8443/cb'],
  ['https://rp.example/cb', 'https://rp.example:8443/cb'],
  ['com.example.app:/cb', 'com.example.app://cb'],
  ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://evil.example/oauth/callback'],
]
for (const [registered, requested] of others)
  Match(`${requested} is not ${registered}`, () => {
    assert.not.ok(matches('native', registered, requested))
    assert.not.ok(matches('web', registered, requested))
  })

Match('tells which registered URI it is: the same one, before one on another port', () => {
  const redirect_uris = ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/']
  const registered = { application_type: 'native', redirect_uris } as const
  assert.equal(matchRedirectUri(registered, 'http://127.0.0.1:33418/'), O.some('http://127.0.0.1:33418/'))
  assert.equal(matchRedirectUri(registered, 'http://127.0.0.1:5000/'), O.some('http://127.0.0.1/'))
})

Match('a longer text than any registered URI is not read', () => {
  const long = `http://127.0.0.1/${'a'.repeat(3000)}`
  assert.not.ok(matches('native', long, long))
})

Match.run()
