import { secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, keysOf, rollOver } from '@clientele/domain/keys'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, master } from '../support/in-memory-ports.js'
import {
  type KeyAnswer,
  type KeyService,
  keyFor,
  keyPolicyHere as policy,
  right,
  ringWith,
  withKeys,
} from '../support/keys.js'

const revocation = suite('POST /keys/compromise')

const [es, next, last, ed] = await Promise.all([
  keyFor('ES256'),
  keyFor('ES256', 1),
  keyFor('ES256', 2),
  keyFor('EdDSA'),
])

const esRing = ringWith('ES256', es)
const edRing = ringWith('EdDSA', ed)

/** A ring with keys in all phases. */
const full: KeyRing = {
  ...right(rollOver(policy, at)(esRing, next)),
  retired: [{ key: { ...last, publishedAt: at }, since: at, forgottenAt: secondsAfter(at, 500) }],
}

const taking = ({ ask }: KeyService, json: unknown): Promise<KeyAnswer> =>
  ask('POST', '/keys/compromise', { token: master, json })

const keysIn = ({ members }: KeyAnswer): unknown =>
  Array.isArray(members['keys'])
    ? members['keys'].map(({ kid, phase }: { kid: string; phase: string }) => [kid, phase])
    : members

/** The stored keys of the ring, and the names that are never used again. */
const stored = async (service: KeyService, alg: string) => {
  const ring = (await service.stored()).find((each) => each.alg === alg)
  if (ring === undefined) throw new Error(`no ring of ${alg}`)
  return { kids: keysOf(ring).map(({ key }) => key.kid), forgotten: ring.forgotten, ring }
}

revocation('an announced key is out, and the one that signs goes on', async () =>
  withKeys([full, edRing], async (service) => {
    const answer = await taking(service, { kid: next.kid })
    assert.equal([answer.status, answer.members['phase']], [200, 'announced'])
    const left = [
      [es.kid, 'signing'],
      [last.kid, 'retired'],
    ]
    assert.equal(keysIn(answer), left)
    const { kids, forgotten } = await stored(service, 'ES256')
    assert.equal([kids, forgotten], [[es.kid, last.kid], [next.kid]])
  }),
)

revocation('a retired key is out, and nothing else changes', async () =>
  withKeys([full, edRing], async (service) => {
    const answer = await taking(service, { kid: last.kid })
    assert.equal([answer.status, answer.members['phase']], [200, 'retired'])
    const left = [
      [next.kid, 'announced'],
      [es.kid, 'signing'],
    ]
    assert.equal(keysIn(answer), left)
    const { kids, forgotten } = await stored(service, 'ES256')
    assert.equal([kids, forgotten], [[next.kid, es.kid], [last.kid]])
  }),
)

revocation('when the key that signs is out, the announced one signs at once', async () =>
  withKeys([full, edRing], async (service) => {
    const answer = await taking(service, { kid: es.kid })
    assert.equal([answer.status, answer.members['phase']], [200, 'signing'])
    const left = [
      [next.kid, 'signing'],
      [last.kid, 'retired'],
    ]
    assert.equal(keysIn(answer), left)
    const { forgotten, ring } = await stored(service, 'ES256')
    assert.equal([ring.current.key.kid, ring.announced, forgotten], [next.kid, undefined, [es.kid]])
    assert.equal((await stored(service, 'EdDSA')).ring, edRing)
  }),
)

revocation('without an announced key, a new one signs at once', async () =>
  withKeys([esRing, edRing], async (service) => {
    const answer = await taking(service, { kid: ed.kid })
    assert.equal([answer.status, answer.members['phase']], [200, 'signing'])
    const { kids, ring } = await stored(service, 'EdDSA')
    assert.is(kids.length, 1)
    assert.is.not(kids[0], ed.kid)
    assert.equal(keysIn(answer), [[kids[0], 'signing']])
    assert.is(ring.current.key.jwk.kty, 'OKP')
  }),
)

revocation('a kid that no ring has is 404 with those that there are, one that is out already too', async () =>
  withKeys([full, edRing], async (service) => {
    const known = [next.kid, es.kid, last.kid, ed.kid]
    for (const kid of ['unknown', '', es.kid.slice(1), es.kid.toUpperCase(), '__proto__']) {
      const { status, members } = await taking(service, { kid })
      const { error_description, ...others } = members
      assert.equal([status, typeof error_description], [404, 'string'])
      assert.equal(others, { error: 'unknown_kid', known })
    }
    assert.equal(await service.stored(), [full, edRing])
    assert.is((await taking(service, { kid: last.kid })).status, 200)
    const again = await taking(service, { kid: last.kid })
    assert.equal([again.status, again.members['known']], [404, [next.kid, es.kid, ed.kid]])
  }),
)

revocation('another member beside the kid is refused', async () =>
  withKeys([full, edRing], async (service) => {
    assert.is((await taking(service, { kid: last.kid, alg: 'EdDSA' })).status, 400)
    assert.equal(await service.stored(), [full, edRing])
  }),
)

revocation.run()
