import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { membersOf } from '../../src/cli/edit-clients.js'
import type { Service } from '../../src/compose.js'
import { type Ran, run, started } from './run.js'

type World = { directory: string; command: (...argv: ReadonlyArray<string>) => Promise<Ran> }

const jsonOf = ({ output, errors }: Ran) => {
  assert.is(errors, '')
  return JSON.parse(output)
}

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`clients create and edit ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    const flags = { 'data-dir': join(context.directory, 'data'), 'signing-algorithms': 'ES256' }
    service = await started(flags)
    if (way === 'on the store') await service.stop()
    const given = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
    context.command = (...argv) => run([...argv, ...given])
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  const secretsOf = async ({ command }: World, id: string): Promise<unknown> => {
    const lines = (await command('clients', 'export', '-', '--secrets')).output
      .split('\n')
      .filter((line) => line !== '')
    const { client_secret, registration_access_token } = lines
      .map((line) => JSON.parse(line))
      .find(({ client_id }) => client_id === id)
    return [client_secret, registration_access_token]
  }

  test('a client is created of members, and its credentials are shown once', async (world) => {
    const { command } = world
    const made = await command(
      'clients',
      'create',
      'client_name=My Calendar',
      'redirect_uris=https://rp.example/cb',
      'redirect_uris=https://rp.example/other',
      'data={"a":[1]}',
      'default_max_age=60',
      'require_auth_time=true',
    )
    assert.is(made.status, 0)
    const { client_id, ...client } = JSON.parse(made.output)
    assert.equal(
      [client.client_name, client.redirect_uris, client.data, client.default_max_age, client.require_auth_time],
      ['My Calendar', ['https://rp.example/cb', 'https://rp.example/other'], { a: [1] }, 60, true],
    )
    assert.match(
      made.errors,
      'the credentials are shown this once: put the client_secret and the registration_access_token',
    )
    assert.equal(await secretsOf(world, client_id), [client.client_secret, client.registration_access_token])
    const shown = JSON.parse((await command('clients', 'show', client_id)).output)
    assert.equal([shown.origin, shown.client_name], ['operator', 'My Calendar'])
    assert.not.match(JSON.stringify(shown), client.client_secret)
  })

  test('a dry run, a file and faults: nothing is registered', async ({ command, directory }) => {
    const file = join(directory, 'client.json')
    writeFileSync(
      file,
      JSON.stringify({ redirect_uris: ['https://rp.example/cb'], preferred_client_id: 'calendar-0001' }),
    )
    const dry = await command('clients', 'create', '--from', file, '--dry-run')
    assert.match(dry.output, /^Nothing was done\. The client would be:\n\{/)
    const faulty = await command('clients', 'create', 'redirect_uris=https://rp.example/*', 'logo_uri=nowhere')
    assert.is(faulty.status, 1)
    assert.match(faulty.errors, '/redirect_uris/0  ')
    assert.match(faulty.errors, '/logo_uri  ')
    const unknown = await command('clients', 'create', 'redirect_uri=https://rp.example/cb', 'scpoe=x', 'client_name=')
    assert.is(unknown.status, 2)
    assert.match(unknown.errors, '"redirect_uri" is no member: did you mean redirect_uris?')
    assert.match(
      (await command('clients', 'create', 'client_id=x', 'client_secret=y')).errors,
      'did you mean preferred_client_id?\n"client_secret" is no member: did you mean preferred_client_secret?',
    )
    assert.match(unknown.errors, '"scpoe" is no member: did you mean scope?')
    assert.match(unknown.errors, 'client_name is empty: client_name=null removes it')
    for (const wrong of [[], ['client_name'], ['client_name=a', '--from', file], ['--from', join(directory, 'none')]])
      assert.is((await command('clients', 'create', ...wrong)).status, 2, wrong.join(' '))
    assert.equal(JSON.parse((await command('clients', 'list', '--json')).output).clients, [])
    const made = jsonOf(await command('clients', 'create', '--from', file, '--json'))
    assert.is(made.client_id, 'calendar-0001')
  })

  test('a client is edited, and keeps its credentials', async (world) => {
    const { command } = world
    const made = jsonOf(
      await command(
        'clients',
        'create',
        'client_name=Before',
        'redirect_uris=https://rp.example/cb',
        'contacts=ops@rp.example',
        '--json',
      ),
    )
    const id = made.client_id
    const before = await secretsOf(world, id)
    const members = [
      'client_name=After All',
      'redirect_uris=https://rp.example/new',
      'contacts=null',
      'tos_uri=https://rp.example/t',
    ]
    const dry = await command('clients', 'edit', id, ...members, '--dry-run')
    assert.is(dry.status, 0)
    const lines = [
      '  client_name: "Before" → "After All"',
      '  redirect_uris: ["https://rp.example/cb"] → ["https://rp.example/new"]',
      '  contacts: ["ops@rp.example"] is removed',
      '  tos_uri: "https://rp.example/t" is added',
    ]
    for (const line of lines) assert.ok(dry.output.split('\n').includes(line), `${line} in ${dry.output}`)
    const [, tag = ''] = /--if-match (\S+) does it/.exec(dry.output) ?? []
    assert.is(JSON.parse((await command('clients', 'show', id)).output).client_name, 'Before')
    const done = await command('clients', 'edit', id, ...members, '--if-match', tag)
    assert.is(done.status, 0)
    for (const line of lines) assert.ok(done.output.split('\n').includes(line))
    assert.match(done.output, 'The credentials of the client stay')
    assert.equal(await secretsOf(world, id), before)
    assert.not.match(done.output, String(made.client_secret))
    const late = await command('clients', 'edit', id, 'client_name=Late', '--if-match', tag)
    assert.is(late.status, 1)
    assert.match(late.errors, 'The client was changed since the version that the request names')
    assert.is((await command('clients', 'edit', id, ...members)).output, 'Nothing changes: the client is so already\n')
    const shown = JSON.parse((await command('clients', 'show', id)).output)
    assert.equal([shown.client_name, shown.contacts], ['After All', undefined])
    const updated = (await command('audit', 'list', '--client', id, '--json')).output
    assert.is(updated.split('client_updated').length, 2)
  })

  test('a secret that an edit makes is shown, and one that it drops is told', async (world) => {
    const { command } = world
    const made = jsonOf(
      await command(
        'clients',
        'create',
        'redirect_uris=https://rp.example/cb',
        'token_endpoint_auth_method=none',
        '--json',
      ),
    )
    const edited = await command('clients', 'edit', made.client_id, 'token_endpoint_auth_method=client_secret_post')
    assert.match(edited.output, '  client_secret is made\n')
    const [secret] = (await secretsOf(world, made.client_id)) as ReadonlyArray<string>
    assert.match(edited.output, `"client_secret": "${String(secret)}"`)
    assert.match(edited.errors, 'put the client_secret into the secret store')
    const dropped = await command('clients', 'edit', made.client_id, 'token_endpoint_auth_method=none')
    assert.match(dropped.output, '  client_secret is dropped\n')
  })

  test('a file is a merge patch; what is no member, no client or no change is told', async ({ command, directory }) => {
    const { client_id: id } = jsonOf(
      await command('clients', 'create', 'redirect_uris=https://rp.example/cb', 'data={"a":1,"b":2}', '--json'),
    )
    const file = join(directory, 'patch.json')
    writeFileSync(file, JSON.stringify({ data: { b: null, c: 3 } }))
    assert.equal(jsonOf(await command('clients', 'edit', id, '--from', file, '--json')).data, { a: 1, c: 3 })
    writeFileSync(file, JSON.stringify({ clientname: 'x' }))
    const unknown = await command('clients', 'edit', id, '--from', file)
    assert.equal(
      [unknown.status, unknown.errors],
      [2, 'clientele: "clientname" is no member: did you mean client_name?\n'],
    )
    for (const [name, told] of [
      ['client_id', 'a client keeps its client_id'],
      ['client_secret', 'clientele clients renew makes new credentials'],
    ]) {
      const refused = await command('clients', 'edit', id, `${name}=other`)
      assert.equal([refused.status, refused.errors], [2, `clientele: "${name}" is no member: ${told}\n`])
    }
    const idForgotten = await command('clients', 'edit', 'client_name=x', 'contacts=a@rp.example')
    assert.equal(
      [idForgotten.status, idForgotten.errors],
      [2, 'clientele: give the CLIENT_ID before the members: clientele clients list lists it\n'],
    )
    assert.is((await command('clients', 'edit', id)).status, 2)
    const nobody = await command('clients', 'edit', 'nobody', 'client_name=x')
    assert.equal(
      [nobody.status, nobody.errors],
      [1, 'clientele: no client has this id: clientele clients list lists them\n'],
    )
    const faulty = await command('clients', 'edit', id, 'redirect_uris=null', 'grant_types=implicit')
    assert.is(faulty.status, 1)
    assert.match(faulty.errors, 'redirect_uris')
  })

  test.run()
}

const read = suite('MEMBER=VALUE')

read('lists are collected or JSON, and other values are of the kind of their member', () => {
  const right = (...words: ReadonlyArray<string>) => membersOf(words)
  assert.equal(right('client_name=a=b', 'client_name#de=Ü'), E.right({ client_name: 'a=b', 'client_name#de': 'Ü' }))
  assert.equal(right('contacts=a', 'contacts=b'), E.right({ contacts: ['a', 'b'] }))
  assert.equal(right('contacts=["a","b"]'), E.right({ contacts: ['a', 'b'] }))
  assert.equal(right('contacts=null', 'client_name=null'), E.right({ contacts: null, client_name: null }))
  assert.equal(
    right('jwks={"keys":[]}', 'dpop_bound_access_tokens=false'),
    E.right({ jwks: { keys: [] }, dpop_bound_access_tokens: false }),
  )
  // The decision names what they must be.
  assert.equal(
    right('dpop_bound_access_tokens=maybe', 'default_max_age=soon'),
    E.right({ dpop_bound_access_tokens: 'maybe', default_max_age: 'soon' }),
  )
  for (const word of ['jwks={', 'contacts=[', 'client_name', '=x', 'client_name='])
    assert.ok(E.isLeft(right(word)), word)
  assert.ok(E.isLeft(right('client_name=a', 'client_name=b')))
  const inexact = right('data={"a":1.0000000000000001}')
  assert.match(E.isLeft(inexact) ? inexact.left : '', /^data must be an object in JSON: it has a number/)
})

read.run()
