import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { reachReceivers, until } from '../support/receivers.js'
import { discard, newDataDir } from '../support/service.js'
import { registerNotified, signIn, signOut } from '../support/sessions.js'
import { type Ran, run, started } from './run.js'

type Listed = Readonly<Record<string, unknown>>
type World = {
  directory: string
  flags: Readonly<Record<string, string>>
  logouts: (...argv: ReadonlyArray<string>) => Promise<Ran>
  clients: ReadonlyArray<string>
}

const uri = 'https://sector.example:1024/logout?tenant=1'
const listed = ({ output }: Ran): ReadonlyArray<Listed> => JSON.parse(output).notices

// Both clients fail permanently at once, because the key of their signatures is gone.
const fail = async ({ flags, logouts }: World, master: string): Promise<readonly [Service, ReadonlyArray<string>]> => {
  const before = await started({ ...flags, 'signing-algorithms': 'ES256,EdDSA' })
  const eddsa = { id_token_signed_response_alg: 'EdDSA' }
  const provider = { base: before.baseUrl, master }
  const clients = [await registerNotified(provider, uri, eddsa), await registerNotified(provider, uri, eddsa)]
  const session = await signIn(provider, 'zoe', clients)
  await before.stop()
  const service = await started(flags, { outbound: reachReceivers })
  await signOut({ base: service.baseUrl, master }, session)
  await until(async () => listed(await logouts('list', '--json')).every(({ state }) => state === 'failed'))
  return [service, clients]
}

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`logouts ${way}`)
  let service: Service | undefined

  test.before.each(async (world) => {
    world.directory = newDataDir()
    const master = randomBytes(32).toString('hex')
    world.flags = {
      'data-dir': join(world.directory, 'data'),
      'signing-algorithms': 'ES256',
      'master-token': master,
      'outbound-fetches': 'true',
    }
    const given = Object.entries(world.flags).flatMap(([name, value]) => [`--${name}`, value])
    world.logouts = (...argv) => run(['logouts', ...argv, ...given])
    const [running, clients] = await fail(world, master)
    service = running
    world.clients = clients
    if (way === 'on the store') await service.stop()
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    discard(directory)
  })

  test('list: every notice with its client, its tries and why it is not delivered', async ({ logouts, clients }) => {
    const { status, output, errors } = await logouts('list')
    assert.equal([status, errors], [0, ''])
    for (const client of clients)
      assert.match(
        output,
        new RegExp(`^[A-Za-z0-9]{43}\\n {2}${client} at \\S+tenant=1, owed since \\d{4}-\\S+Z\\n`, 'm'),
      )
    assert.match(output, '\n  given up after 1 try: no key signs with EdDSA: see signing-algorithms\n')
    const reported = listed(await logouts('list', '--json'))
    assert.equal(new Set(reported.map(({ client_id }) => client_id)), new Set(clients))
    assert.not.match(JSON.stringify(reported), /"sub"|"sid"|zoe/)
  })

  test('retry ID: that one alone is due again; an unknown one is refused with what to do', async ({ logouts }) => {
    const [{ id } = {}] = listed(await logouts('list', '--json'))
    const unknown = await logouts('retry', 'nobody')
    assert.equal([unknown.status, unknown.output], [1, ''])
    assert.match(
      unknown.errors,
      'No logout notification that has failed has this id: clientele logouts list names those that have',
    )
    assert.equal(await logouts('retry', String(id)), {
      status: 0,
      output: '1 notification is due now\n',
      errors: '',
    })
  })

  test('retry: all that were given up, and how many', async ({ logouts }) => {
    assert.equal(await logouts('retry'), { status: 0, output: '2 notifications are due now\n', errors: '' })
    if (way === 'on the store') {
      assert.is((await logouts('retry')).output, 'Nothing was given up\n')
      assert.match((await logouts('list')).output, /\n {2}after 0 tries, the next at \d{4}-\S+Z\n/)
    }
    await until(async () => (await logouts('retry', '--json')).status === 0)
    assert.equal(Object.keys(JSON.parse((await logouts('retry', '--json')).output)), ['retried', 'delivers'])
  })

  test('wrong usage is told', async ({ logouts }) => {
    assert.is((await logouts('list', 'ID')).status, 2)
    assert.is((await logouts('retry', 'ID', 'ID')).status, 2)
    assert.is((await logouts('retry', '--yes')).status, 2)
  })

  test.run()
}

const off = suite('logouts while outbound fetches are off')

off(
  'none is made; those from before stay, list and retry say why, and they are due when it is switched on',
  async () => {
    const directory = newDataDir()
    const master = randomBytes(32).toString('hex')
    const flags = { 'data-dir': directory, 'signing-algorithms': 'ES256', 'master-token': master }
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    const es256 = { id_token_signed_response_alg: 'ES256' }
    const outbound = { ...reachReceivers, lookup: () => Promise.reject(new Error('ESERVFAIL')) }
    const sending = await started({ ...flags, 'outbound-fetches': 'true' }, { outbound })
    const before = { base: sending.baseUrl, master }
    const client = await registerNotified(before, uri, es256)
    await signOut(before, await signIn(before, 'zoe', [client]))
    await sending.stop()

    const service = await started(flags)
    const provider = { base: service.baseUrl, master }
    await signOut(provider, await signIn(provider, 'max', [client]))
    const { output } = await run(['logouts', 'list', ...given])
    assert.match(output, /\n {2}waits after 0 tries: outbound-fetches is off\n$/)
    assert.is(listed(await run(['logouts', 'list', '--json', ...given])).length, 1)
    assert.is(
      (await run(['logouts', 'retry', ...given])).output,
      'Nothing was given up\nNothing is sent: outbound-fetches is off\n',
    )
    await service.stop()
    assert.is((await run(['logouts', 'list', ...given])).output, output)
    const on = await run(['logouts', 'list', ...given, '--outbound-fetches'])
    assert.match(on.output, /\n {2}after 0 tries, the next at \d{4}-\S+Z(: not sent: ESERVFAIL)?\n$/)
    discard(directory)
  },
)

off('a store where nobody is owed anything says so', async () => {
  const directory = newDataDir()
  await (await started({ 'data-dir': directory, 'signing-algorithms': 'ES256' })).stop()
  const { status, output } = await run(['logouts', 'list', '--data-dir', directory])
  assert.equal([status, output], [0, 'No logout notification is pending\n'])
  discard(directory)
})

off.run()
