import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { createHandOverReader } from '../src/index.js'

const Reader = suite('responses of a login page')
const it = law(Reader)

const secret = 'a shared secret of more than thirty-two octets'
const claims = { sub: 'alice', nonce: 'n' }
const [one, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')])
const jwks = { keys: [await exportJWK(other.publicKey), await exportJWK(one.publicKey)] }
const byKeys = createHandOverReader({ kind: 'public', jwks }).readHandOver
const bySecret = createHandOverReader({ kind: 'secret', secret }).readHandOver

const typ = 'login-response+jwt'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
type Key = Parameters<SignJWT['sign']>[0]
const signed = (alg: string, key: Key, extra: object = {}): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg, typ, ...extra }).sign(key)

const reasonOf = async (read: typeof byKeys, token: string): Promise<string> => {
  const result = await read(token)()
  return E.isLeft(result) ? result.left.reason : 'not refused'
}

Reader('a signature of any key of the set counts, also without kid', async () =>
  assert.equal(await byKeys(await signed('ES256', one.privateKey))(), { _tag: 'Right', right: { typ, claims } }),
)

Reader('a signature with the secret counts', async () =>
  assert.equal(await bySecret(await signed('HS256', bytes(secret)))(), { _tag: 'Right', right: { typ, claims } }),
)

Reader('other keys, other algorithms and no signature are refused', async () => {
  const stranger = await generateKeyPair('ES256')
  const publicText = JSON.stringify(jwks.keys[1] satisfies JWK | undefined)
  const none = `${btoa('{"alg":"none"}').replaceAll('=', '')}.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.`
  const refused = [
    reasonOf(byKeys, await signed('ES256', stranger.privateKey)),
    reasonOf(byKeys, await signed('HS256', bytes(publicText))),
    reasonOf(bySecret, await signed('HS256', bytes(`${secret}.`))),
    reasonOf(bySecret, await signed('HS512', bytes(secret + secret))),
    reasonOf(bySecret, await signed('ES256', one.privateKey)),
  ]
  for (const reason of await Promise.all(refused)) assert.match(reason, /is not signed with its configured key/)
  assert.is.not(await reasonOf(byKeys, none), 'not refused')
})

const good = await signed('ES256', one.privateKey)
it('a response with one changed character is refused', [fc.nat({ max: good.length - 1 })], async (place) => {
  const changed = good.slice(0, place) + (good[place] === 'A' ? 'B' : 'A') + good.slice(place + 1)
  assert.is.not(await reasonOf(byKeys, changed), 'not refused')
})

it('any text is refused with a reason', [fc.string()], async (text) => {
  assert.is.not(await reasonOf(byKeys, text), 'not refused')
  assert.is.not(await reasonOf(bySecret, `${text}.${text}.${text}`), 'not refused')
})

Reader.run()
