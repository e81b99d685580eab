import { secondsAfter } from '@clientele/domain/kernel'
import { type KeyRing, keysOf, rollOver } from '@clientele/domain/keys'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, createWorld, httpSettings, master } from '../support/in-memory-ports.js'
import {
  type KeyAnswer,
  type KeyService,
  keyFor,
  keyPolicyHere as policy,
  right,
  ringWith,
  withKeys,
} from '../support/keys.js'
import { shells } from '../support/shells.js'
import { send, withServer } from '../support/wire.js'

const keys = suite('keys of operators')

const [es, next, last, ed, rsa] = await Promise.all([
  keyFor('ES256'),
  keyFor('ES256', 1),
  keyFor('ES256', 2),
  keyFor('EdDSA'),
  keyFor('RSA-OAEP-256'),
])

const esRing = ringWith('ES256', es)
const begun = [esRing, ringWith('EdDSA', ed)]
const withEncryption = [...begun, ringWith('RSA-OAEP-256', rsa, 'enc')]

/** A ring with keys in all phases. */
const full: KeyRing = {
  ...right(rollOver(policy, at)(esRing, next)),
  retired: [{ key: { ...last, publishedAt: at }, since: at, forgottenAt: secondsAfter(at, 500) }],
}

const phasesOf = ({ members }: KeyAnswer): unknown =>
  Array.isArray(members['keys'])
    ? members['keys'].map(({ alg, phase }: { alg: string; phase: string }) => `${alg} ${phase}`)
    : members

const kidsOf = ({ members }: KeyAnswer): unknown =>
  Array.isArray(members['keys']) ? members['keys'].map(({ kid }: { kid: string }) => kid) : members

const storedKids = async ({ stored }: KeyService): Promise<ReadonlyArray<string>> =>
  (await stored()).flatMap(keysOf).map(({ key }) => key.kid)

const operations = [
  ['GET', '/keys', undefined],
  ['POST', '/keys/roll-over', {}],
  ['POST', '/keys/compromise', { kid: es.kid }],
  ['POST', '/keys/import', { keys: [] }],
] as const

keys('nobody but the master token is answered, and nothing happens', async () =>
  withKeys(begun, async (service) => {
    for (const [method, path, json] of operations)
      for (const body of [json, null, { kid: 1, alg: 1, keys: 1 }]) {
        const { status, headers, members } = await service.ask(method, path, { json: body })
        assert.equal([status, members['error'], headers['www-authenticate']], [401, 'missing_token', 'Bearer'], path)
        assert.is(headers['cache-control'], 'no-store', path)
        for (const token of ['unknown', master.toUpperCase(), `${master}x`, 'a b']) {
          const refused = await service.ask(method, path, { json: body, token })
          assert.equal([refused.status, refused.members['error']], [401, 'invalid_token'], path)
          assert.match(String(refused.headers['www-authenticate']), /^Bearer error="invalid_token", /, path)
        }
      }
    assert.equal(await service.stored(), begun)
  }),
)

keys('where operators have a port of their own, nobody else has these paths', async () => {
  for (const shell of shells)
    await withServer(
      shell.createPublicListener(httpSettings(), createWorld(), { withOperators: false }),
      async (wire) => {
        for (const [method, path, json] of operations)
          assert.is((await send(wire, method, path, { token: master, json })).status, 404, path)
      },
    )
})

keys('GET /keys lists every key with its phase and what comes next', async () =>
  withKeys([full, ringWith('EdDSA', ed)], async ({ ask }) => {
    const answer = await ask('GET', '/keys', { token: master })
    assert.equal([answer.status, answer.headers['cache-control']], [200, 'no-store'])
    assert.equal(phasesOf(answer), ['ES256 announced', 'ES256 signing', 'ES256 retired', 'EdDSA signing'])
    assert.equal(kidsOf(answer), [next.kid, es.kid, last.kid, ed.kid])
    assert.ok(Array.isArray(answer.members['keys']))
    const signs = { next: 'signs', next_at: at + policy.publishAhead }
    const times = { phase: 'announced', published_at: at, since: at, ...signs }
    assert.equal(answer.members['keys'][0], { kid: next.kid, alg: 'ES256', use: 'sig', ...times })
  }),
)

keys('a roll-over announces a successor in every ring, and tells of it', async () =>
  withKeys(withEncryption, async (service) => {
    const answer = await service.ask('POST', '/keys/roll-over', { token: master, json: {} })
    assert.is(answer.status, 200)
    const both = ['ES256 signing', 'EdDSA signing', 'RSA-OAEP-256 published'].flatMap((current) => [
      current.replace(/ .*/, ' announced'),
      current,
    ])
    assert.equal(phasesOf(answer), both)
    assert.equal(kidsOf(answer), await storedKids(service))
    for (const [index, ring] of (await service.stored()).entries()) {
      assert.is(ring.current.key.kid, withEncryption[index]?.current.key.kid)
      assert.is(ring.announced?.signsFrom, at + policy.publishAhead)
    }
  }),
)

keys('a roll-over of one algorithm leaves the others alone', async () =>
  withKeys(begun, async (service) => {
    const answer = await service.ask('POST', '/keys/roll-over', { token: master, json: { alg: 'EdDSA' } })
    assert.equal([answer.status, phasesOf(answer)], [200, ['EdDSA announced', 'EdDSA signing']])
    const [first, second] = await service.stored()
    assert.equal(first, esRing)
    assert.is(second?.announced?.key.jwk.kty, 'OKP')
  }),
)

keys('a dry run tells what would be, and keeps nothing of it', async () =>
  withKeys([full, ringWith('EdDSA', ed)], async ({ ask, stored }) => {
    const before = await stored()
    const rolled = await ask('POST', '/keys/roll-over?dry_run=true', { token: master, json: { alg: 'EdDSA' } })
    assert.equal([rolled.status, phasesOf(rolled)], [200, ['EdDSA announced', 'EdDSA signing']])
    const out = await ask('POST', '/keys/compromise?dry_run=true', { token: master, json: { kid: es.kid } })
    assert.equal([out.status, kidsOf(out)], [200, [next.kid, last.kid]])
    assert.equal(await stored(), before)
    for (const query of ['dry_run=yes', 'dry_run=', 'dry_run=true&dry_run=true', 'dry_run=TRUE'])
      for (const [path, json] of [
        ['roll-over', {}],
        ['compromise', { kid: es.kid }],
      ] as const)
        assert.is((await ask('POST', `/keys/${path}?${query}`, { token: master, json })).status, 400, query)
    assert.equal(await stored(), before)
  }),
)

keys('a second roll-over is 409 with the time when the first one signs, and changes nothing', async () =>
  withKeys(begun, async ({ ask, stored }) => {
    const rollOverOf = (json: object) => ask('POST', '/keys/roll-over', { token: master, json })
    assert.is((await rollOverOf({})).status, 200)
    const before = await stored()
    for (const json of [{ alg: 'ES256' }, {}]) {
      const { status, members } = await rollOverOf(json)
      const { error_description, ...others } = members
      assert.equal([status, typeof error_description], [409, 'string'])
      assert.equal(others, { error: 'roll_over_under_way', signs_from: at + policy.publishAhead })
    }
    assert.equal(await stored(), before)
  }),
)

keys('all that are asked for at once are those that are not under way already', async () =>
  withKeys(begun, async ({ ask }) => {
    const rollOverOf = async (json: object) => (await ask('POST', '/keys/roll-over', { token: master, json })).members
    const algorithmsOf = ({ keys: reported }: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
      Array.isArray(reported) ? reported.filter(({ phase }) => phase === 'announced').map(({ alg }) => String(alg)) : []
    assert.equal(algorithmsOf(await rollOverOf({ alg: 'ES256' })), ['ES256'])
    assert.equal(algorithmsOf(await rollOverOf({})), ['EdDSA'])
  }),
)

keys('an algorithm without an open ring is 400, with those that have one', async () => {
  const closed: KeyRing = { ...ringWith('PS256', rsa), closedAt: at }
  await withKeys([...begun, closed], async ({ ask, stored }) => {
    for (const alg of ['RS256', 'PS256', '', 'es256', 'none']) {
      const { status, members } = await ask('POST', '/keys/roll-over', { token: master, json: { alg } })
      assert.equal([status, members['error'], members['known']], [400, 'unknown_algorithm', ['ES256', 'EdDSA']], alg)
    }
    assert.equal(await stored(), [...begun, closed])
  })
})

keys('a body that is no object, or of wrong types, is 400, and nothing happens', async () =>
  withKeys(begun, async ({ ask, stored }) => {
    const none = [null, [], [{}], 1, true, 'text', undefined]
    const bodies: ReadonlyArray<readonly [path: string, values: ReadonlyArray<unknown>]> = [
      ['roll-over', [...none, { alg: 1 }, { alg: null }, { alg: ['ES256'] }, { alg: {} }]],
      ['compromise', [...none, {}, { kid: 1 }, { kid: null }, { kid: [es.kid] }, { kid: {} }]],
    ]
    for (const [path, values] of bodies)
      for (const json of values) {
        const { status, members } = await ask('POST', `/keys/${path}`, { token: master, json })
        assert.equal([status, members['error']], [400, 'invalid_request'], `${path} ${JSON.stringify([json])}`)
      }
    assert.equal(await stored(), begun)
  }),
)

keys.run()
