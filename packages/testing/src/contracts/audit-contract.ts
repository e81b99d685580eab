// A change and its audit row are both stored, or neither.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type AuditLog,
  type AuditRow,
  type RegisteredClient,
  type StoredAuditRow,
  noLimits,
  secondsAfter,
} from '@clientele/domain'
import {
  exampleClient,
  exampleHash,
  exampleParking,
  exampleRemoval,
  exampleTime,
  exampleToken,
  updatedExample,
} from '../examples/examples.js'
import { exampleOperatorToken } from '../examples/operator-token.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, done, refused } from './open-store.js'

const row = (name: string, client_id: string | null = null, after = 0): AuditRow => ({
  at: secondsAfter(exampleTime, after),
  client_id,
  actor: 'actor-1',
  actor_name: null,
  entry: JSON.stringify({ name }),
  mac: exampleHash(`mac-${name}`),
})

const all = async (log: AuditLog): Promise<ReadonlyArray<StoredAuditRow>> =>
  (await done(log.listAudit({ max: 1000 }))).rows

const macs = async (log: AuditLog): Promise<ReadonlyArray<string>> => (await all(log)).map(({ mac }) => mac).reverse()

const client = exampleClient('client-1')

/** The promise of all ports that take an audit row. */
export const auditContract = (
  name: string,
  open: OpenStore<'registry' | 'clientUses' | 'initialAccessTokens' | 'operatorTokens' | 'auditLog'>,
): Contract => {
  const { test, tests } = collect(`audit rows ${name}`)
  const it = onNewStore(test, open)

  it('a registration writes its row, which both handles read as it was written', async (ports) => {
    const { registry, auditLog, other } = ports
    const written = row('added', client.client_id)
    await done(registry.addClient(client, O.none, noLimits, undefined, written))
    for (const log of [auditLog, other.auditLog]) {
      const [found, ...more] = await all(log)
      assert.equal(more, [])
      assert.equal({ ...found, ordinal: 0 }, { ...written, ordinal: 0 })
    }
  })

  it('a registration within limits writes its row', async ({ registry, auditLog }) => {
    const limits = { clients: 10, unusedOpenClients: 10 }
    await done(registry.addClient(client, O.none, limits, undefined, row('limited')))
    assert.equal(await macs(auditLog), [row('limited').mac])
  })

  it('a refused registration writes none', async ({ registry, auditLog }) => {
    await done(registry.addClient(client, O.none, noLimits))
    const again = { ...exampleClient('client-1', 'second') }
    await refused(registry.addClient(again, O.none, noLimits, undefined, row('taken')))
    const consumed = O.some(exampleHash('no-such-token'))
    await refused(registry.addClient(exampleClient('client-2'), consumed, noLimits, undefined, row('consumed')))
    const full = { clients: 1, unusedOpenClients: 1 }
    await refused(registry.addClient(exampleClient('client-3'), O.none, full, undefined, row('full')))
    assert.equal(await all(auditLog), [])
  })

  it('a replacement writes its row, and one that came too late writes none', async ({ registry, auditLog }) => {
    await done(registry.addClient(client, O.none, noLimits))
    const next = updatedExample(client)
    await done(registry.replaceClient(next, client, row('replaced')))
    await refused(registry.replaceClient(updatedExample(client, 'late'), client, row('late')))
    assert.equal(await macs(auditLog), [row('replaced').mac])
  })

  it('a removal writes its row, and one of nothing writes none', async ({ registry, auditLog }) => {
    await done(registry.addClient(client, O.none, noLimits))
    await refused(registry.removeClient(client.client_id, O.some(exampleHash('other')), undefined, row('not-own')))
    await done(registry.removeClient(client.client_id, O.none, undefined, row('removed')))
    await refused(registry.removeClient(client.client_id, O.none, undefined, row('again')))
    assert.equal(await macs(auditLog), [row('removed').mac])
  })

  it('a removal of an unused client writes its row, and one that comes too late none', async (ports) => {
    const { registry, clientUses, auditLog } = ports
    const unused: RegisteredClient = { ...client, registered_by: 'nobody' }
    const due = exampleRemoval(exampleTime)
    const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
    await done(registry.addClient(unused, O.none, noLimits))
    assert.is(await done(clientUses.removeParked(unused, due, tombstone, undefined, row('early'))), false)
    await done(clientUses.parkUnused(exampleParking(exampleTime), 1))
    assert.is(await done(clientUses.removeParked(unused, due, tombstone, undefined, row('removed'))), true)
    assert.is(await done(clientUses.removeParked(unused, due, tombstone, undefined, row('again'))), false)
    assert.equal(await macs(auditLog), [row('removed').mac])
  })

  it('a restoration of a removed client writes its row, and one that is refused none', async (ports) => {
    const { registry, clientUses, auditLog } = ports
    const unused: RegisteredClient = { ...client, registered_by: 'nobody' }
    const tombstone = { id: exampleHash('tombstone'), until: exampleTime }
    const restoring = { since: secondsAfter(exampleTime, -1), at: exampleTime, tombstone: undefined }
    const late = { ...restoring, since: exampleTime }
    await done(registry.addClient(unused, O.none, noLimits))
    await done(clientUses.parkUnused(exampleParking(exampleTime), 1))
    await done(clientUses.removeParked(unused, exampleRemoval(exampleTime), tombstone, exampleTime))
    await refused(clientUses.restoreRemoved(unused.client_id, late, row('late')))
    await done(clientUses.restoreRemoved(unused.client_id, restoring, row('restored')))
    await refused(clientUses.restoreRemoved(unused.client_id, restoring, row('again')))
    assert.equal(await macs(auditLog), [row('restored').mac])
  })

  it('an import writes the rows of the clients that it stores', async ({ registry, auditLog }) => {
    await done(registry.addClient(client, O.none, noLimits))
    const outcomes = await done(
      registry.importClients([
        { client: exampleClient('client-2'), replacing: undefined, audit: row('new') },
        { client: exampleClient('client-1', 'second'), replacing: undefined, audit: row('taken') },
      ]),
    )
    assert.equal(outcomes.map(E.isRight), [true, false])
    assert.equal(await macs(auditLog), [row('new').mac])
  })

  it('tokens that are issued and revoked have their rows', async (ports) => {
    const { initialAccessTokens, operatorTokens, auditLog } = ports
    const token = exampleToken('token-1')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime, row('issued')))
    const operators = exampleOperatorToken('operator-1')
    await done(operatorTokens.addOperatorToken(operators, exampleTime, row('operator')))
    assert.is(await done(initialAccessTokens.removeInitialAccessToken(token.hash, row('revoked'))), true)
    assert.is(await done(initialAccessTokens.removeInitialAccessToken(token.hash, row('again'))), false)
    assert.is(await done(operatorTokens.removeOperatorToken(operators.hash, row('ended'))), true)
    assert.is(await done(operatorTokens.removeOperatorToken(operators.hash, row('again'))), false)
    assert.equal(
      await macs(auditLog),
      ['issued', 'operator', 'revoked', 'ended'].map((each) => row(each).mac),
    )
  })

  it('a token for an owner that is gone is refused without a row', async ({ initialAccessTokens, auditLog }) => {
    const owner = { client_id: client.client_id, registration_id: client.registration_id }
    const token = { ...exampleToken('token-1'), owner }
    await refused(initialAccessTokens.addInitialAccessToken(token, exampleTime, row('issued')))
    assert.equal(await all(auditLog), [])
  })

  it('of replacements at once by two handles, the one that wins has its row', async (ports) => {
    await done(ports.registry.addClient(client, O.none, noLimits))
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const outcomes = await race(ports, names, ({ registry }, each) =>
      registry.replaceClient(updatedExample(client, each), client, row(each)),
    )
    const winners = names.filter((_, place) => outcomes[place]?._tag === 'Right')
    assert.is(winners.length, 1)
    assert.equal(
      await macs(ports.auditLog),
      winners.map((each) => row(each).mac),
    )
  })

  it('of many registrations at once by two handles, each has one row', async (ports) => {
    const names = Array.from({ length: 60 }, (_, place) => `many-${place}`)
    await race(ports, names, ({ registry }, each) =>
      registry.addClient(exampleClient(each), O.none, noLimits, undefined, row(each, each)),
    )
    const found = await all(ports.auditLog)
    assert.equal([...found].map(({ client_id }) => client_id).sort(), [...names].sort())
    assert.is(new Set(found.map(({ ordinal }) => ordinal)).size, names.length)
  })

  return tests
}
