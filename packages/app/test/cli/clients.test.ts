import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Ran, post, run, started } from './run.js'

type World = {
  directory: string
  command: (...argv: ReadonlyArray<string>) => Promise<Ran>
  write: (...records: ReadonlyArray<unknown>) => string
}

const flagsOf = (directory: string) => ({
  'data-dir': join(directory, 'data'),
  'signing-algorithms': 'ES256',
  'allow-open-registration': 'true',
})

const record = (client_id: string, more: Readonly<Record<string, unknown>> = {}) => ({
  clientele_client: 1,
  client_id,
  client_secret: `secret-of-${client_id}-${'x'.repeat(32)}`,
  registration_access_token: `token-of-${client_id}-${'x'.repeat(32)}`,
  metadata: { redirect_uris: ['https://rp.example/cb'], ...more },
})

const broken = (client_id: string) => record(client_id, { redirect_uris: ['https://rp.example/*'] })
const linesOf = (text: string): ReadonlyArray<string> => text.split('\n').filter((line) => line !== '')
const jsonOf = ({ output }: Ran) => JSON.parse(output)

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`clients import and export ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const flags = flagsOf(context.directory)
    service = await started(flags)
    await post(`${service.url}/clients`, '', { redirect_uris: ['https://open.example/cb'], client_name: 'Zoë' })
    if (way === 'on the store') await service.stop()
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    context.command = (...argv) => run([...argv, ...given])
    context.write = (...records) => {
      const file = join(context.directory, 'clients.ndjson')
      writeFileSync(file, records.map((each) => `${JSON.stringify(each)}\n`).join(''))
      return file
    }
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  const exported = async ({ command }: World, ...options: ReadonlyArray<string>): Promise<ReadonlyArray<string>> =>
    linesOf((await command('clients', 'export', '-', ...options)).output)

  test('an export is imported into an empty store as the same clients', async (world) => {
    const { command, directory, write } = world
    await command('clients', 'import', write(record('one'), record('two', { client_name: 'Ü' })), '--from', 'clientele')
    const file = join(directory, 'export.ndjson')
    const ran = await command('clients', 'export', file, '--secrets')
    assert.equal(ran, { status: 0, output: '', errors: 'Exported 3 clients\n' })
    assert.is(statSync(file).mode & 0o777, 0o600)
    const other = flagsOf(join(directory, 'other'))
    await (await started(other)).stop()
    const elsewhere = Object.entries(other).flatMap(([name, value]) => [`--${name}`, value])
    assert.is((await run(['clients', 'import', file, '--from', 'clientele', ...elsewhere])).status, 0)
    const copied = await run(['clients', 'export', '-', '--secrets', ...elsewhere])
    assert.equal(linesOf(copied.output), linesOf(readFileSync(file, 'utf8')))
    assert.equal(await exported(world, '--secrets'), linesOf(copied.output))
  })

  // Of another server: its registrant has the token, and no operator vouches for it.
  test('a client of another server changes itself within what it has, unless the operator vouches for it', async (world) => {
    const { command, directory } = world
    const client_id = 'dynamic'
    const token = 'token-of-dynamic-at-the-other-server'
    const client_secret = 'secret-of-dynamic-at-the-other-server'
    const metadata = { redirect_uris: ['https://rp.example/cb'], grant_types: ['authorization_code'] }
    const payload = { client_id, client_secret, ...metadata }
    const file = join(directory, 'provider.ndjson')
    writeFileSync(file, JSON.stringify({ payload, registration_access_token: token }))
    const more = {
      ...metadata,
      grant_types: ['authorization_code', 'client_credentials'],
      scope: 'openid admin',
      data: {},
    }
    for (const [options, registered_by, status] of [
      [[], 'token', 403],
      [['--replace', '--as-operator'], 'master', 200],
    ] as const) {
      const ran = await command('clients', 'import', file, '--from', 'node-oidc-provider', ...options)
      assert.is(ran.status, 0, ran.errors)
      const records = (await exported(world)).map((line) => JSON.parse(line))
      assert.is(records.find((each) => each.client_id === client_id)?.registered_by, registered_by)
      const opened = way === 'on the store' ? await started(flagsOf(directory)) : service
      const put = (json: object) =>
        fetch(`${String(opened?.url)}/clients/${client_id}`, {
          method: 'PUT',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ client_id, client_secret, ...json }),
        })
      const answer = await put(more)
      assert.is(answer.status, status, await answer.text())
      if (way === 'on the store') await opened?.stop()
    }
  })

  test('an imported client authenticates its requests with the token that it has', async ({
    command,
    write,
    directory,
  }) => {
    await command('clients', 'import', write(record('one')), '--from', 'clientele')
    const running = way === 'on the store' ? await started(flagsOf(directory)) : service
    const answer = await fetch(`${running?.url ?? ''}/clients/one`, {
      headers: { Authorization: `Bearer ${record('one').registration_access_token}` },
    })
    assert.is(answer.status, 200)
    await answer.text()
    if (way === 'on the store') await running?.stop()
  })

  test('an export has no secrets unless they are requested, and overwrites no file', async (world) => {
    const [line = ''] = await exported(world)
    assert.equal(Object.keys(JSON.parse(line)), [
      'clientele_client',
      'client_id',
      'client_id_issued_at',
      'registered_by',
      'privileges',
      'metadata',
    ])
    const file = world.write()
    const ran = await world.command('clients', 'export', file)
    assert.is(ran.status, 1)
    assert.match(ran.errors, `${file} exists: name a new file, or remove it`)
  })

  test('an export says who is suspended and when a client was used, and an import continues from there', async (world) => {
    const { command, write } = world
    const last_used_at = Date.parse('2026-02-01') / 1000
    const used = { ...record('used'), clientele_client: 2, last_used_at: last_used_at + 5000 }
    await command('clients', 'import', write(used, record('other')), '--from', 'clientele')
    await command('clients', 'suspend', 'used')
    const lines = await exported(world, '--secrets')
    const { suspended_at, ...line } = JSON.parse(lines.find((each) => each.includes('"used"')) ?? '')
    assert.type(suspended_at, 'number')
    assert.is(line.last_used_at, last_used_at)
    for (const id of ['used', 'other']) await command('clients', 'delete', id)
    writeFileSync(join(world.directory, 'lines'), lines.join('\n'))
    const file = join(world.directory, 'lines')
    const ran = await command('clients', 'import', file, '--from', 'clientele', '--used-since', '2026-02-01T12:00:00Z')
    assert.match(ran.output, 'Imported: 1 new, 0 replaced, 0 there already, 2 left out, 0 broken')
    assert.match((await command('clients', 'show', 'used')).output, 'suspended')
    const again = await exported(world, '--secrets')
    assert.equal(
      again.map((each) => JSON.parse(each)).filter(({ client_id }) => client_id === 'used'),
      [{ ...line, suspended_at }],
    )
  })

  test('a client of a document is left out with the reason; no other record has a URL as its client_id', async (world) => {
    const { command, write } = world
    const metadata = { redirect_uris: ['https://rp.example/cb'], token_endpoint_auth_method: 'none' }
    const documented = { clientele_client: 2, client_id: 'https://rp.example/client.json', metadata }
    const file = write(record('one'), { ...documented, registered_by: 'nobody' })
    const ran = await command('clients', 'import', file, '--from', 'clientele')
    assert.match(ran.output, '  1  is described by the document at its client_id, from which the service makes it anew')
    assert.match(ran.output, 'Imported: 1 new, 0 replaced, 0 there already, 1 left out, 0 broken')
    const refused = await command('clients', 'import', write(documented), '--from', 'clientele')
    assert.match(refused.output, '  /client_id  preferred-client-id: ')
  })

  test('a broken record keeps all others out, unless the valid ones are chosen', async (world) => {
    const { command, write } = world
    const nameless = { ...record('four'), client_id: undefined }
    const file = write(record('one'), broken('two'), 'no client', record('one'), record('three'), nameless)
    const refused = await command('clients', 'import', file, '--from', 'clientele')
    assert.is(refused.status, 1)
    assert.equal(
      linesOf(refused.output)
        .slice(0, 8)
        .map((line) => line.replace(/: .*/, '')),
      [
        'line 2, client_id two',
        '  /redirect_uris/0  redirect-uri-wildcard',
        'line 3',
        '  import-record',
        'line 4, client_id one',
        '  /client_id  import-repeated',
        'line 6',
        '  /client_id  preferred-client-id',
      ],
    )
    assert.match(refused.output, 'Nothing was written, because of the broken records: 2 new')
    assert.is((await exported(world)).length, 1)
    const taken = await command('clients', 'import', file, '--from', 'clientele', '--only-valid')
    assert.is(taken.status, 0)
    assert.match(taken.output, 'Imported: 2 new, 0 replaced, 0 there already, 0 left out, 4 broken')
    assert.is((await exported(world)).length, 3)
  })

  test('a dry run reports the same and writes nothing', async (world) => {
    const { command, write } = world
    const dry = await command(
      'clients',
      'import',
      write(record('one'), broken('two')),
      '--from',
      'clientele',
      '--dry-run',
      '--json',
    )
    assert.is(dry.status, 1)
    const { records, summary } = jsonOf(dry)
    assert.equal(summary, { written: false, added: 1, replaced: 0, equal: 0, left_out: 0, broken: 1 })
    assert.equal(records, [
      {
        line: 2,
        client_id: 'two',
        outcome: 'broken',
        faults: [
          {
            pointer: '/redirect_uris/0',
            rule: 'redirect-uri-wildcard',
            description: records[0].faults[0].description,
          },
        ],
        notes: [],
      },
    ])
    assert.is((await exported(world)).length, 1)
  })

  test('an equal client stays as it is; one that differs is refused, or replaced', async (world) => {
    const { command, write } = world
    await command('clients', 'import', write(record('one'), record('two')), '--from', 'clientele')
    const changed = write(record('one'), record('two', { client_name: 'changed' }))
    const refused = await command('clients', 'import', changed, '--from', 'clientele')
    assert.is(refused.status, 1)
    assert.match(refused.output, '  /client_name  import-differs: ')
    const replaced = await command('clients', 'import', changed, '--from', 'clientele', '--replace')
    assert.match(replaced.output, 'Imported: 0 new, 1 replaced, 1 there already')
    const again = await command('clients', 'import', changed, '--from', 'clientele')
    assert.equal(again, {
      status: 0,
      output: 'Imported: 0 new, 0 replaced, 2 there already, 0 left out, 0 broken\n',
      errors: '',
    })
    assert.is((await exported(world)).length, 3)
  })

  test('an import says how many of its clients will be parked, and when', async ({ command, write }) => {
    const open = { registered_by: 'nobody', client_id_issued_at: 1 }
    const used = { ...open, last_used_at: 86_400 }
    const file = write({ ...record('one'), ...open }, { ...record('two'), ...used }, record('three'))
    const [earliest, latest] = [8, 9].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10))
    const judged = await command('clients', 'import', file, '--from', 'clientele', '--dry-run')
    const [, day = ''] =
      /^1 unused client of open registration: parked from (\S{10})T00:00:00Z on/.exec(judged.output) ?? []
    assert.ok([earliest, latest].includes(day), judged.output)
    assert.match(judged.output, 'never removed by the service itself')
    const { summary } = jsonOf(await command('clients', 'import', file, '--from', 'clientele', '--json'))
    assert.is(summary.unused_open, 1)
    assert.is(new Date(summary.parked_from * 1000).toISOString().slice(0, 10), day)
    const again = await command('clients', 'import', file, '--from', 'clientele')
    assert.not.match(again.output, 'parked')
  })

  test('more clients than one batch takes, some of them long', async (world) => {
    const { command, write } = world
    const data = { text: 'é'.repeat(7_000) }
    const records = Array.from({ length: 600 }, (_, index) => record(`c${index}`, index % 50 === 0 ? { data } : {}))
    const ran = await command('clients', 'import', write(...records), '--from', 'clientele')
    assert.match(ran.output, 'Imported: 600 new')
    assert.equal(
      (await exported(world)).slice(1).map((line) => JSON.parse(line).client_id),
      records.map(({ client_id }) => client_id),
    )
  })

  test.run()
}

const usage = suite('clients import: usage')

usage(
  'an unknown format, a bad date, and one that the format has no use for are refused before anything is read',
  async () => {
    const errors = async (...options: ReadonlyArray<string>): Promise<string> => {
      const ran = await run(['clients', 'import', '/nowhere', ...options])
      assert.is(ran.status, 2)
      return ran.errors
    }
    assert.match(await errors('--from', 'auth0'), '--from must be one of clientele, node-oidc-provider, keycloak')
    for (const date of ['May', '2027-02-29'])
      assert.match(await errors('--from', 'clientele', '--used-since', date), '--used-since must be a date')
    assert.match(await errors('--from', 'hydra', '--used-since', '2026-01-31'), 'the records of hydra do not say')
    assert.match(await errors(), "required option '--from <FORMAT>'")
  },
)

usage('a file that cannot be read, or is not UTF-8, is refused in one line', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  await (await started(flagsOf(directory))).stop()
  const given = Object.entries(flagsOf(directory)).flatMap(([name, value]) => [`--${name}`, value])
  const missing = await run(['clients', 'import', join(directory, 'none'), '--from', 'clientele', ...given])
  assert.is(
    missing.errors,
    `clientele: ${join(directory, 'none')} cannot be read (no such file or directory, ENOENT)\n`,
  )
  const file = join(directory, 'latin1')
  writeFileSync(file, Buffer.from([0x7b, 0xe4, 0x7d]))
  const latin = await run(['clients', 'import', file, '--from', 'clientele', ...given])
  assert.is(latin.errors, 'clientele: the file is not well-formed UTF-8, or cannot be read to its end\n')
  rmSync(directory, { recursive: true })
})

usage('clients that were not used since the date are left out', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  await (await started(flagsOf(directory))).stop()
  const given = Object.entries(flagsOf(directory)).flatMap(([name, value]) => [`--${name}`, value])
  const file = join(directory, 'file')
  const used = (client_id: string, date: string) => ({ ...record(client_id), last_used_at: Date.parse(date) / 1000 })
  const records = [used('old', '2025-12-31'), used('new', '2026-02-01'), record('unknown')]
  writeFileSync(file, records.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const ran = await run(['clients', 'import', file, '--from', 'clientele', '--used-since', '2026-01-31', ...given])
  assert.is(
    ran.output,
    'Left out:\n  2  was not used since the date (old, unknown)\nImported: 1 new, 0 replaced, 0 there already, 2 left out, 0 broken\n',
  )
  rmSync(directory, { recursive: true })
})

usage.run()
