import * as E from 'fp-ts/lib/Either.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { oneSample, registrationSettings, shouldNotBeCalled } from '@clientele/testing'
import { epochSeconds } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { type SignedBodies, keySetUnavailable } from '../../src/ports/outside.js'
import { signedBody } from '../../src/registration/signed-body.js'
import { readSentBody } from '../../src/operations/read-body.js'

const SentBody = suite('readSentBody')

const at = epochSeconds(1_795_000_000_000)
const uri = 'https://keys.example/soft1.jwks'
const redirect_uris = ['https://rp.example/a']
const header = { alg: 'PS256', kid: 'k' }
const jti = '0b9d2f3e-6a5c-4d21-9b1f-3a2c5d7e8f90'
const software_statement = 'e30.e30.c2ln'
const claims = { iss: 'soft1', aud: 'bank', iat: at, exp: at + 1, jti, software_statement }
const asserted = { software_id: 'soft1', software_redirect_uris: redirect_uris, software_jwks_endpoint: uri }
const base = oneSample(registrationSettings())
const settings = { ...base, policy: { ...base.policy, signed_bodies: { format: 'uk', audience: ['bank'] } as const } }

const read = (changed: Partial<SignedBodies>) =>
  readSentBody(settings, {
    readSoftwareStatement: () => T.of(E.right(asserted)),
    signedBodies: {
      openSignedBody: () => E.right({ header, claims }),
      verifySignedBody: (_, keySet) => T.of(keySet === 'the set'),
      fetchKeySet: (requested) => TE.right(requested === uri ? 'the set' : 'another'),
      ...changed,
    },
  })({ body: E.right(signedBody('a.b.c')), at, requester: { kind: 'master' } })()

SentBody('the key set at the URI of the statement verifies the request', async () => {
  const sent = await read({})
  assert.equal(E.isRight(sent) && sent.right.body, E.right({ software_statement, redirect_uris }))
})

SentBody(
  'a key set that cannot be fetched is a fault of the request, and a failure of the service is not',
  async () => {
    const unread = await read({ fetchKeySet: () => TE.left(keySetUnavailable('the status is 404')) })
    assert.match(JSON.stringify(unread), 'signed-body-keys"')
    assert.equal(await read({ fetchKeySet: () => TE.left(unavailable('x')) }), E.left(unavailable('x')))
  },
)

SentBody('no key set is fetched for a header that is refused', async () => {
  const refused = await read({
    openSignedBody: () => E.right({ header: { alg: 'none' }, claims }),
    fetchKeySet: shouldNotBeCalled,
  })
  assert.match(JSON.stringify(refused), 'signed-body-algorithm')
})

SentBody.run()
