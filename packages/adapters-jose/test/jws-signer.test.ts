import { epochSeconds } from '@clientele/domain/kernel'
import { type KeyRing, newRing } from '@clientele/domain/keys'
import * as E from 'fp-ts/lib/Either.js'
import { base64url, compactVerify, importJWK } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createJwsSigner, createKeyMaker } from '../src/index.js'

const signing = suite('signatures for tokens that another server composes')

const policy = { lifetime: 86_400, publishAhead: 600, retention: 3600, maxAge: 300 }
const at = epochSeconds(1_800_000_000_000)

const ringOf = async (alg: string): Promise<KeyRing> => {
  const made = await createKeyMaker().makeKey(alg)()
  if (E.isLeft(made)) throw new Error(alg)
  return newRing(policy, at)(alg, 'sig', made.right)
}

const signerOn = (rings: ReadonlyArray<KeyRing>, age = 0) =>
  createJwsSigner(policy, {
    keyRings: () => rings,
    lastRead: () => ({ at, age }),
    refreshKeys: () => Promise.resolve(),
  })

const inputOf = (header: object, payload: object): string =>
  [header, payload].map((part) => base64url.encode(JSON.stringify(part))).join('.')

for (const alg of ['RS256', 'PS256', 'ES256', 'ES512', 'EdDSA'])
  signing(`a signature by ${alg} verifies by the key that signs`, async () => {
    const signer = signerOn([await ringOf(alg)])
    const key = signer.signingKeyOf(alg)
    assert.ok(key)
    const input = inputOf({ alg, typ: 'at+jwt', kid: key.kid }, { sub: 'zoë', n: 1.5, exp: at + 60 })
    const signature = await signer.signInput(input)()
    assert.ok(E.isRight(signature))
    await compactVerify(`${input}.${signature.right}`, await importJWK({ ...key.jwk }, alg))
  })

signing('no rule of other tokens is passed by', async () => {
  const ring = await ringOf('ES256')
  const { kid } = ring.current.key
  const refusal = async (signer: ReturnType<typeof signerOn>, header: object, payload: object = {}) => {
    const signed = await signer.signInput(inputOf(header, payload))()
    return E.isLeft(signed) ? signed.left.error : 'signed'
  }
  const signer = signerOn([ring])
  assert.is(await refusal(signer, { alg: 'ES256', kid }), 'signed')
  assert.is(await refusal(signer, { alg: 'ES256', kid: 'another' }), 'not_the_signing_key')
  assert.is(await refusal(signer, { alg: 'RS256', kid }), 'no_such_ring')
  assert.is(await refusal(signer, { alg: 'ES256', kid }, { exp: at + 3601 }), 'good_for_too_long')
  assert.is(await refusal(signerOn([ring], 31), { alg: 'ES256', kid }), 'unavailable')
  assert.is(await refusal(signerOn([{ ...ring, closedAt: at }]), { alg: 'ES256', kid }), 'ring_closed')
  for (const input of ['', 'a', 'a.b', 'a.b.c', inputOf({ alg: 'ES256' }, {}), '!.!'])
    assert.ok(E.isLeft(await signer.signInput(input)()), input)
})

signing.run()
