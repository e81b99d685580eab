import Database from 'better-sqlite3'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { removeByHand } from '../support/removed-by-hand.js'
import { type Ran, post, run, started } from './run.js'

type World = { directory: string; command: (...argv: ReadonlyArray<string>) => Promise<Ran> }

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`clients list, show, suspend, resume and delete ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const flags = {
      'data-dir': join(context.directory, 'data'),
      'signing-algorithms': 'ES256',
      'allow-open-registration': 'true',
      'outbound-fetches': 'false',
      // A command names the client, and no version of it.
      'changes-need-if-match': 'true',
    }
    service = await started(flags)
    for (const client_name of ['Calendar', 'Mail', 'Other'])
      await post(`${service.url}/clients`, '', { redirect_uris: ['https://rp.example/cb'], client_name })
    if (way === 'on the store') await service.stop()
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    context.command = (...argv) => run([...argv, ...given])
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  const listed = async ({ command }: World, ...options: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const { clients } = JSON.parse((await command('clients', 'list', '--json', ...options)).output)
    return clients.map(({ client_name }: { readonly client_name: string }) => client_name)
  }

  test('a list is chosen by filters, and goes on', async (world) => {
    const { command } = world
    assert.equal(await listed(world), ['Calendar', 'Mail', 'Other'])
    assert.equal(await listed(world, '--search', 'calendar', '--state', 'unused', '--never-used'), ['Calendar'])
    assert.equal(await listed(world, '--origin', 'token'), [])
    const first = await command('clients', 'list', '--limit', '2')
    assert.match(first.output, /^\S+ {2}unused {2}open {2}registered \d{4}-\d\d-\d\d {2}Calendar\n/)
    const [, next = ''] = /--after (\S+) goes on/.exec(first.output) ?? []
    assert.equal(await listed(world, '--after', next), ['Other'])
    const secret = await command('clients', 'list', '--fields', 'client_secret', '--after', 'the end')
    assert.is(secret.status, 2)
    assert.match(secret.errors, '--fields must be names of members such as client_name,state')
    assert.match(secret.errors, '--after must be next of a former page')
    for (const [verb, ...more] of [['list'], ['suspend', '--dry-run']] as const) {
      const wrong = await command('clients', verb, '--state', 'asleep', '--search', 'ca', ...more)
      assert.is(wrong.status, 2)
      assert.match(wrong.errors, '--state must be one of unused, active, idle, parked, pending, refused, suspended')
      assert.match(wrong.errors, '--search must be 3 to 100 characters')
    }
  })

  test('a client is shown without its credentials, and deleted', async ({ command }) => {
    const { clients } = JSON.parse((await command('clients', 'list', '--json', '--search', 'mail')).output)
    const { client_id } = clients[0]
    const shown = await command('clients', 'show', client_id)
    assert.match(shown.output, '"state": "unused"')
    assert.not.match(shown.output, 'registration_access_token')
    assert.is((await command('clients', 'delete', client_id)).status, 0)
    const gone = await command('clients', 'show', client_id)
    assert.is(gone.status, 1)
    assert.match(gone.errors, 'no client has this id')
  })

  test('a client that waits is refused with a reason, approved later, and so are many', async (world) => {
    const { command } = world
    const json = JSON.stringify({
      clientele_client: 3,
      client_id: 'a-client-that-waits',
      approval: { state: 'pending' },
      metadata: { redirect_uris: ['https://rp.example/cb'], client_name: 'Waiting' },
    })
    const file = join(world.directory, 'clients.jsonl')
    writeFileSync(file, `${json}\n${json.replaceAll(/that-waits|Waiting/g, (text) => `${text}2`)}\n`)
    assert.is((await command('clients', 'import', file, '--from', 'clientele')).status, 0)
    assert.equal(await listed(world, '--state', 'pending'), ['Waiting', 'Waiting2'])
    const without = await command('clients', 'refuse', 'a-client-that-waits')
    assert.is(without.status, 2)
    assert.match(without.errors, '--reason TEXT')
    const reason = ['--reason', 'Its policy_uri is missing']
    assert.match((await command('clients', 'refuse', 'a-client-that-waits', ...reason)).output, 'is refused')
    assert.match((await command('clients', 'show', 'a-client-that-waits')).output, '"Its policy_uri is missing"')
    assert.match((await command('clients', 'approve', 'a-client-that-waits')).output, 'is approved')
    assert.match((await command('clients', 'approve', 'a-client-that-waits')).output, 'waited for no approval')
    const late = await command('clients', 'refuse', 'a-client-that-waits', ...reason)
    assert.is(late.status, 1)
    assert.match(late.errors, 'suspend it or delete it')
    const dry = await command('clients', 'refuse', '--state', 'pending', '--dry-run')
    assert.is(dry.output, 'This would refuse 1 client: --confirm 1 does it\n')
    const many = await command('clients', 'refuse', '--state', 'pending', '--confirm', '1', ...reason)
    assert.is(many.output, '1 client refused\n')
    const approved = await command('clients', 'approve', '--state', 'refused', '--confirm', '1')
    assert.is(approved.output, '1 client approved\n')
  })

  test('an approval of many tells what does not work for which of them', async ({ command, directory }) => {
    const of = (id: string, metadata = {}) =>
      JSON.stringify({
        clientele_client: 3,
        client_id: id,
        approval: { state: 'pending' },
        metadata: { redirect_uris: ['https://rp.example/cb'], ...metadata },
      })
    const file = join(directory, 'clients.jsonl')
    const logout = { backchannel_logout_uri: 'https://rp.example/logout' }
    writeFileSync(file, `${of('told-of-logout', logout)}\n${of('as-it-should-be')}\n`)
    assert.is((await command('clients', 'import', file, '--from', 'clientele')).status, 0)
    const { output } = await command('clients', 'approve', '--state', 'pending', '--confirm', '2')
    assert.match(output, /^2 clients approved\nThis service does not do all that some of them are registered for:\n/)
    assert.match(output, /\n {2}told-of-logout: .*backchannel_logout_uri/)
    assert.is(output.trim().split('\n').length, 3)
  })

  test('clients are changed by filters when their number is confirmed', async (world) => {
    const { command } = world
    const dry = await command('clients', 'suspend', '--search', 'rp.example', '--dry-run')
    assert.is(dry.output, 'This would suspend 3 clients: --confirm 3 does it\n')
    const changed = await command('clients', 'suspend', '--search', 'rp.example', '--confirm', '2')
    assert.is(changed.status, 1)
    assert.match(changed.errors, 'selects 3 clients now')
    assert.equal(await listed(world, '--state', 'suspended'), [])
    const done = await command('clients', 'suspend', '--search', 'rp.example', '--confirm', '3')
    assert.is(done.output, '3 clients suspended\n')
    assert.match(done.errors, 'Suspending: 3 of 3 (100 %)')
    const again = await command('clients', 'suspend', '--search', 'rp.example', '--confirm', '3')
    assert.is(again.output, '0 clients suspended; 3 clients suspended before, or deleted meanwhile\n')
    assert.is((await command('clients', 'resume', '--search', 'mail', '--confirm', '1')).output, '1 client resumed\n')
    assert.is((await command('clients', 'delete', '--state', 'suspended', '--confirm', '2')).status, 0)
    assert.equal(await listed(world), ['Mail'])
  })

  test('a client that cannot be read is named, and the others are changed', async ({ command, directory }) => {
    const db = new Database(join(directory, 'data', 'clientele.db'))
    db.prepare("UPDATE clients SET metadata = json_set(metadata, '$.redirect_uris', 5) WHERE metadata LIKE ?").run(
      '%"Mail"%',
    )
    db.close()
    const { status, output } = await command('clients', 'suspend', '--never-used', '--confirm', '3')
    assert.is(status, 0)
    assert.match(
      output,
      /^2 clients suspended\n\S+ cannot be read and is as it was: repeat this later, or delete it\n$/,
    )
    const removed = await command('clients', 'delete', '--never-used', '--confirm', '3')
    assert.is(removed.output, '3 clients deleted\n')
  })

  test('a client that the service removed by itself is listed, and restored as it was', async ({
    command,
    directory,
  }) => {
    const { clients } = JSON.parse((await command('clients', 'list', '--json', '--search', 'mail')).output)
    const { client_id } = clients[0]
    const secrets = () => command('clients', 'export', '-', '--secrets')
    const before = (await secrets()).output
    removeByHand(join(directory, 'data'), client_id)
    assert.is((await command('clients', 'show', client_id)).status, 1)
    const removed = await command('clients', 'removed')
    assert.match(removed.output, new RegExp(`^${client_id} {2}gone .* Mail {2}removed \\d{4}-\\d\\d-\\d\\d {2}until `))
    const listed = JSON.parse((await command('clients', 'removed', '--json', '--limit', '1')).output)
    assert.equal(
      listed.removed.map(({ client_name }: { readonly client_name: string }) => client_name),
      ['Mail'],
    )
    assert.not.match(JSON.stringify(listed), 'registration_access_token')
    assert.is((await command('clients', 'removed', '--limit', '501')).status, 2)
    const faulty = await command('clients', 'list', '--limit', '0', '--state', 'dead', '--since', 'never')
    assert.is(faulty.status, 2)
    for (const fault of ['--state must be', '--since must be', '--limit must be']) assert.match(faulty.errors, fault)
    assert.is((await command('clients', 'restore', client_id)).status, 0)
    const lines = (text: string): ReadonlyArray<string> => text.split('\n').sort()
    assert.equal(lines((await secrets()).output), lines(before))
    assert.is((await command('clients', 'removed')).output, 'No client can be restored\n')
    const again = await command('clients', 'restore', client_id)
    assert.is(again.status, 1)
    assert.match(again.errors, 'no client with this id can be restored: clientele clients removed lists')
    const [latest] = JSON.parse(
      (await command('audit', 'list', '--client', client_id, '--limit', '1', '--json')).output,
    ).rows
    assert.is(latest.entry.action, 'client_restored')
  })

  test('a client is not restored beside another one of its client_id', async ({ command, directory }) => {
    const { clients } = JSON.parse((await command('clients', 'list', '--json', '--search', 'mail')).output)
    const { client_id } = clients[0]
    removeByHand(join(directory, 'data'), client_id)
    const record = { clientele_client: 2, client_id, metadata: { redirect_uris: ['https://other.example/cb'] } }
    const file = join(directory, 'other.ndjson')
    writeFileSync(file, `${JSON.stringify(record)}\n`)
    assert.is((await command('clients', 'import', file, '--from', 'clientele')).status, 0)
    const refused = await command('clients', 'restore', client_id)
    assert.is(refused.status, 1)
    assert.match(refused.errors, 'Another client is registered with this client_id: delete that one first')
    assert.is((await command('clients', 'delete', client_id)).status, 0)
    assert.is((await command('clients', 'restore', client_id)).status, 0)
  })

  test('one client or filters: neither and both are wrong', async ({ command }) => {
    assert.is((await command('clients', 'delete')).status, 2)
    assert.is((await command('clients', 'delete', 'abc', '--never-used')).status, 2)
  })

  test('a dry run and a confirmed number belong to filters: with one client, nothing is done', async (world) => {
    const { command } = world
    const { clients } = JSON.parse((await command('clients', 'list', '--json')).output)
    for (const verb of ['suspend', 'resume', 'delete'])
      for (const option of [['--dry-run'], ['--confirm', '1']]) {
        const refused = await command('clients', verb, clients[0].client_id, ...option)
        assert.is(refused.status, 2)
        assert.match(refused.errors, 'belong to filters')
      }
    assert.equal(await listed(world, '--state', 'unused'), ['Calendar', 'Mail', 'Other'])
  })

  test.run()
}

const interrupted = suite('a change of many clients that the service does not end')

interrupted('what was changed until then is told, and how to go on', async () => {
  const partly =
    '{"error":"unavailable","error_description":"The store could not answer for 3 of the clients, and 197 were changed: go on with next","changed":197,"failed":3,"next":"n1"}'
  const begun = [200, '{"changed":200,"unchanged":0,"next":"n1"}'] as const
  for (const [answers, told] of [
    [
      [begun, [503, '']],
      'the running service answered 503: try again. What was changed until then stays. To go on, give the same command without --confirm',
    ],
    [[[503, partly]], 'could not answer for 3 of the clients, and 197 were changed. What was changed until then stays'],
    [[[409, '{"error":"count_changed","error_description":"Confirm it"}']], /^clientele: Confirm it$/m],
  ] as const) {
    const left = [[200, '{"count":500}'] as const, ...answers]
    const server = createServer((_, response) => {
      const [status, body] = left.shift() ?? [200, '{}']
      response.writeHead(status).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    const given = ['--server', url, '--operator-token', 'x'.repeat(32)]
    const ran = await run(['clients', 'suspend', '--state', 'unused', '--confirm', '500', ...given])
    server.close()
    assert.is(ran.status, 1)
    assert.match(ran.errors, told)
  }
})

interrupted.run()
