import * as E from 'fp-ts/lib/Either.js'
import { type CryptoKey, CompactSign, SignJWT, exportJWK, generateKeyPair } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSoftwareStatements } from '../src/tokens-of-others.js'

const statements = suite('software statements of several keys')

const issuer = 'https://issuer.example'
const pairs = await Promise.all([1, 2, 3].map(() => generateKeyPair('RS256')))
const [one, other, stranger] = pairs.map(({ privateKey }) => privateKey)
const published = await Promise.all(
  pairs
    .slice(0, 2)
    .map(async ({ publicKey }, index) => ({ kty: 'RSA', ...(await exportJWK(publicKey)), kid: `k${index}` })),
)
const { readSoftwareStatement } = createSoftwareStatements([{ issuer, jwks: { keys: published } }])

const read = async (key: CryptoKey | undefined, header: { readonly kid?: string; readonly typ?: string } = {}) => {
  if (key === undefined) throw new Error('there is no key')
  const statement = await new SignJWT({ client_name: 'Stated' })
    .setIssuer(issuer)
    .setProtectedHeader({ alg: 'RS256', ...header })
    .sign(key)
  return readSoftwareStatement(statement, [])()
}

statements('without a kid each of the keys that fit is tried (RFC 7515 §4.1.4)', async () => {
  assert.ok(E.isRight(await read(one)))
  assert.ok(E.isRight(await read(other)))
  assert.equal(await read(stranger), E.left('software-statement'))
})

statements('with a kid only that key counts', async () => {
  assert.ok(E.isRight(await read(other, { kid: 'k1' })))
  assert.equal(await read(other, { kid: 'k0' }), E.left('software-statement'))
})

statements('tokens of other kinds are no statements (RFC 8725 §3.11)', async () => {
  for (const typ of ['JWT', 'jwt', 'application/jwt', 'software-statement+jwt'])
    assert.ok(E.isRight(await read(one, { typ })), typ)
  for (const typ of ['at+jwt', 'application/at+jwt', 'logout+jwt', 'secevent+jwt', 'dpop+jwt'])
    assert.equal(await read(one, { typ }), E.left('software-statement'), typ)
})

statements('claims that a reader of JSON would change are no statement', async () => {
  if (one === undefined) throw new Error('there is no key')
  const readData = async (number: string) => {
    const payload = new TextEncoder().encode(`{"iss":"${issuer}","data":{"n":${number}}}`)
    const statement = await new CompactSign(payload).setProtectedHeader({ alg: 'RS256' }).sign(one)
    return readSoftwareStatement(statement, [])()
  }
  assert.equal(await readData('1e2'), E.right({ iss: issuer, data: { n: 100 } }))
  assert.equal(await readData('1e-400'), E.left('software-statement'))
})

statements.run()
