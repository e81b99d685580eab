import * as O from 'fp-ts/lib/Option.js'
import type { Test } from 'uvu'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unknownClient } from '../../src/errors.js'
import { exampleAuthorization, exampleClient, exampleHash } from './examples.js'
import type { OpenPorts } from './open-ports.js'
import { done, onNewStore, refused } from './open-ports.js'
import { noLimits } from '../../src/ports/client-registry.js'

/** The promises of ClientAuthorizations; that they end with their client is promised by ClientRegistry.removeClient. */
export const clientAuthorizationsContract = (name: string, open: OpenPorts): Test => {
  const test = suite(`ClientAuthorizations ${name}`)
  const client = exampleClient('a')
  const recorded = exampleAuthorization(client, 'one')
  const it = onNewStore(test, async () => {
    const ports = await open()
    await done(ports.registry.addClient(client, O.none, noLimits))
    return ports
  })

  it('what was recorded is found as it was, under its kind and hash alone', async ({ authorizations }) => {
    await done(authorizations.recordAuthorization(recorded))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
    assert.equal(await done(authorizations.findAuthorization('access_token', recorded.hash)), O.none)
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, exampleHash('One'))), O.none)
  })

  it('nothing is recorded for a client that is not registered', async ({ authorizations }) => {
    const stray = exampleAuthorization(exampleClient('stranger'), 'stray')
    assert.equal(await refused(authorizations.recordAuthorization(stray)), unknownClient)
    assert.equal(await done(authorizations.findAuthorization(stray.kind, stray.hash)), O.none)
  })

  it('what is recorded again replaces what was', async ({ authorizations }) => {
    await done(authorizations.recordAuthorization(recorded))
    const next = { ...recorded, details: { subject: 'another' } }
    await done(authorizations.recordAuthorization(next))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(next))
  })

  it('what is revoked is gone, and the rest stays', async ({ authorizations }) => {
    const kept = { ...recorded, kind: 'access_token' as const }
    for (const each of [recorded, kept]) await done(authorizations.recordAuthorization(each))
    await done(authorizations.revokeAuthorization(recorded.kind, recorded.hash))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.none)
    assert.equal(await done(authorizations.findAuthorization(kept.kind, kept.hash)), O.some(kept))
  })

  it('to revoke what is not recorded does nothing', async ({ authorizations }) => {
    await done(authorizations.recordAuthorization(recorded))
    await done(authorizations.revokeAuthorization('sticky_grant', recorded.hash))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  it('the session that granted it and whether it is for offline access are kept, and replaced', async ({
    authorizations,
  }) => {
    const granted = [{ session: 'zoe "1"\\' }, { session: 'other', offline: true }, { offline: true }, {}]
    for (const each of granted) {
      await done(authorizations.recordAuthorization({ ...recorded, ...each }))
      const found = await done(authorizations.findAuthorization(recorded.kind, recorded.hash))
      assert.equal(found, O.some({ ...recorded, ...each }))
    }
    await done(authorizations.recordAuthorization({ ...recorded, offline: false }))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  it('a client keeps what is recorded for it when it is replaced', async ({ registry, authorizations }) => {
    await done(authorizations.recordAuthorization(recorded))
    await done(registry.replaceClient({ ...client, version: 2 }, client))
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  return test
}
