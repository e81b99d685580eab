import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '../../src/authorization/credential.js'
import { secondsAfter } from '../../src/kernel/time.js'
import { unavailable } from '../../src/kernel/refusals.js'
import { maxReadAge, maxSkew } from '../../src/keys/ring.js'
import { unreadKeys } from '../../src/keys/published.js'
import { unreadableKeyRing } from '../../src/ports/store.js'
import { manageKeys } from '../../src/operations/keys.js'
import { readKeyState, unauditedKeys } from '../../src/operations/roll-over.js'
import { done, namedKey, refused, shouldNotBeCalled, exampleOrigin } from '@clientele/testing'
import { beginning, keyService, publishedRings } from '../support/key-maker.js'

const Read = suite('readKeyState')

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const margin = maxReadAge + maxSkew
const settings = { policy, signingAlgorithms: ['ES256', 'EdDSA'] }

const stored = async () => {
  const service = keyService()
  await done(publishedRings(settings, { ...unauditedKeys, ...service.ports }))
  const read = readKeyState(settings, service.ports)
  return { service, read, keys: manageKeys(settings, service.ports)(operatorOfTheStore(), { origin: exampleOrigin }) }
}

Read('a store without keys has none', async () => {
  assert.equal(await done(readKeyState(settings, keyService().ports)(unreadKeys)), { ...unreadKeys, readAt: beginning })
})

Read('where no version changed, no ring is read, and the lists are the very same', async () => {
  const { service, read } = await stored()
  const before = await done(read(unreadKeys))
  const readKeyRings = TE.fromIO(shouldNotBeCalled)
  const again = await done(readKeyState(settings, { ...service.ports, readKeyRings })(before))
  assert.is(again.rings, before.rings)
  assert.is(again.published, before.published)
  assert.is(again.foreign, before.foreign)
})

Read('of a change the rings that stayed are the very same', async () => {
  const { read, keys } = await stored()
  const before = await done(read(unreadKeys))
  await done(keys.rollOver({ alg: 'EdDSA', dryRun: false }))
  const after = await done(read(before))
  assert.equal(
    after.published.map((ring) => before.published.includes(ring)),
    [true, false, true],
  )
  assert.is(after.published[1]?.announced?.key.kid, 'EdDSA-3')
})

Read('keys of other signers are followed, without reading any ring', async () => {
  const { service, read, keys } = await stored()
  const before = await done(read(unreadKeys))
  const { kid, jwk } = namedKey('theirs')
  await done(keys.importForeignKeys({ keys: [{ kid, alg: 'EdDSA', jwk }], dryRun: false }))
  const readKeyRings = TE.fromIO(shouldNotBeCalled)
  const follow = readKeyState(settings, { ...service.ports, readKeyRings })
  const after = await done(follow(before))
  assert.equal(
    after.foreign.map((key) => key.kid),
    ['theirs'],
  )
  assert.is(after.published, before.published)
  assert.is((await done(follow(after))).foreign, after.foreign)
  await done(keys.removeForeignKey('theirs'))
  assert.equal((await done(follow(after))).foreign, [])
})

Read('a ring that is forgotten meanwhile is not published any more, although nobody wrote', async () => {
  const { service } = await stored()
  const fewer = { policy, signingAlgorithms: ['EdDSA'] }
  await done(publishedRings(fewer, { ...unauditedKeys, ...service.ports }))
  const published = async (seconds: number) => {
    service.clock.at = secondsAfter(beginning, seconds)
    return (await done(readKeyState(fewer, service.ports)(unreadKeys))).published.map(({ alg }) => alg)
  }
  assert.equal(await published(policy.retention + margin - 1), ['EdDSA', 'RSA-OAEP-256', 'ES256'])
  assert.equal(await published(policy.retention + margin), ['EdDSA', 'RSA-OAEP-256'])
})

Read('the time is that of the store before anything was read: a change since then may be missing', async () => {
  const { service } = await stored()
  const readKeyRingVersions = pipe(
    service.ports.readKeyRingVersions,
    TE.tapIO(() => () => {
      service.clock.at = secondsAfter(service.clock.at, 7)
    }),
  )
  const { readAt } = await done(readKeyState(settings, { ...service.ports, readKeyRingVersions })(unreadKeys))
  assert.is(readAt, beginning)
})

Read('what cannot be read is told, and nothing of it is taken up', async () => {
  const { ports } = keyService()
  const down = TE.left(unavailable('disk'))
  for (const part of [{ readStoreTime: down }, { readKeyRingVersions: down }, { readForeignKeys: down }])
    assert.equal(await refused(readKeyState(settings, { ...ports, ...part })(unreadKeys)), unavailable('disk'))
  const { service } = await stored()
  const readKeyRings = TE.left(unreadableKeyRing('ES256'))
  assert.equal(
    await refused(readKeyState(settings, { ...service.ports, readKeyRings })(unreadKeys)),
    unreadableKeyRing('ES256'),
  )
})

Read.run()
