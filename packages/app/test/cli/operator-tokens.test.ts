import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { type Ran, post, run, started } from './run.js'

type World = {
  directory: string
  flags: Readonly<Record<string, string>>
  command: (...argv: ReadonlyArray<string>) => Promise<Ran>
}

const flagsOf = (directory: string) => ({ 'data-dir': join(directory, 'data'), 'signing-algorithms': 'ES256' })

const asArguments = (flags: Readonly<Record<string, string>>): ReadonlyArray<string> =>
  Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])

const issueFor = (may: string, ...more: ReadonlyArray<string>) => ['operator-token', 'issue', '--may', may, ...more]

// The commands have the same effect with and without a running service.
for (const way of ['through the running service', 'on the store'] as const) {
  const test = suite<World>(`operator-token ${way}`)
  let service: Service | undefined

  test.before.each(async (context) => {
    context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
    context.flags = flagsOf(context.directory)
    service = await started(context.flags)
    if (way === 'on the store') await service.stop()
    context.command = (...argv) => run([...argv, ...asArguments(context.flags)])
  })
  test.after.each(async ({ directory }) => {
    if (way === 'through the running service') await service?.stop()
    rmSync(directory, { recursive: true })
  })

  test('a token is issued, listed by its id and revoked', async ({ command }) => {
    assert.is((await command('operator-token', 'list')).output, 'No operator token is in force\n')
    const issued = await command(...issueFor('keys clients:read', '--name', 'auditor', '--lifetime', '7200'))
    assert.match(issued.output, /^[A-Za-z0-9]{43}\n$/)
    const [, id = ''] = /^May clients:read keys, for 2 hours\. Id: (\S+)$/m.exec(issued.errors) ?? []
    const listed = (await command('operator-token', 'list')).output
    assert.match(listed, `${id}  auditor\n  may clients:read keys\n  for `)
    assert.match(listed, /issued by the operator of the machine\n$/)
    assert.not.match(listed, issued.output.trim())
    assert.is((await command('operator-token', 'revoke', id)).output, 'The token permits nothing any more\n')
    const again = await command('operator-token', 'revoke', id)
    assert.is(again.status, 1)
    assert.match(again.errors, 'No operator token in force has this id')
  })

  test('what no operator token can have is refused, and named', async ({ command }) => {
    for (const may of ['operators', 'everything', 'clients']) {
      const { status, errors } = await command(...issueFor(may))
      assert.is(status, 2)
      assert.match(errors, `"${may}" is not a privilege of an operator token`)
      assert.match(errors, 'of clients:read, clients:secrets, clients:write, tokens')
    }
    assert.match(
      (await command(...issueFor('keys client:read'))).errors,
      '"client:read" is not a privilege of an operator token: did you mean clients:read?',
    )
    assert.is((await command('operator-token', 'issue')).status, 2)
    assert.is((await command(...issueFor('keys', '--lifetime', 'soon'))).status, 2)
  })

  test('token list says who issued a token, and for how long it lives on', async ({ command }) => {
    const issued = await command('token', 'issue', '--scope', 'client-reg', '--lifetime', '600')
    const [, id = ''] = /Id: (\S+)$/m.exec(issued.errors) ?? []
    assert.match(
      (await command('token', 'list')).output,
      new RegExp(`^${id}\n  client-reg\n  for \\d+ .*, issued by the`),
    )
  })

  test.run()
}

type Running = World & { service: Service }

const Commands = suite<Running>('commands with an operator token')

Commands.before.each(async (context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  context.flags = flagsOf(context.directory)
  context.service = await started(context.flags)
  context.command = (...argv) => run([...argv, ...asArguments(context.flags)])
})
Commands.after.each(async ({ directory, service }) => {
  await service.stop()
  rmSync(directory, { recursive: true })
})

const issued = async ({ command }: World, may: string): Promise<string> =>
  (await command(...issueFor(may))).output.trim()

Commands('a command does what its token permits, through the socket and by URL, and no more', async (world) => {
  const { command, service, directory } = world
  const token = await issued(world, 'keys')
  const file = join(directory, 'operator-token')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  for (const way of [[], ['--server', service.url]]) {
    const given = ['--operator-token-file', file, ...way]
    assert.match((await command('keys', 'list', ...given)).output, 'ES256')
    const refused = await command('token', 'list', ...given)
    assert.is(refused.status, 1)
    assert.match(refused.errors, 'This needs the master token, or an operator token with tokens')
    assert.match(refused.errors, 'tokens')
    const reserved = await command('operator-token', 'list', ...given)
    assert.match(reserved.errors, /This needs the master token\n$/)
    const unknown = await command('keys', 'list', '--operator-token', 'unknown-token-of-nobody', ...way)
    assert.match(unknown.errors, 'The token is unknown, expired')
  }
})

Commands('with a token, no command works on the store', async (world) => {
  const token = await issued(world, 'keys')
  await world.service.stop()
  const { status, errors } = await world.command('token', 'list', '--operator-token', token)
  assert.is(status, 1)
  assert.match(errors, 'counts at a running service, and none answers here')
})

Commands('a server without a token is refused, and one that is away is named', async ({ command }) => {
  const without = await command('keys', 'list', '--server', 'http://127.0.0.1:1')
  assert.match(without.errors, 'server')
  assert.match(without.errors, 'operator-token')
  const away = await command('keys', 'list', '--server', 'http://127.0.0.1:1', '--operator-token', 'x'.repeat(43))
  assert.match(away.errors, 'cannot be reached at http://127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1): try again')
  const issued = ['token', 'issue', '--scope', 'client-reg']
  const unsent = await command(...issued, '--server', 'http://127.0.0.1:1', '--operator-token', 'x'.repeat(43))
  assert.match(unsent.errors, 'cannot be reached at http://127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1): try again')
})

Commands('who names the public port in place of that of management is asked for it', async (world) => {
  const token = await issued(world, 'clients:write')
  await world.service.stop()
  world.service = await started({ ...world.flags, 'management-port': '0', 'base-url': 'https://id.example' })
  const edit = (...way: ReadonlyArray<string>) =>
    run(['clients', 'edit', 'nobody', 'client_name=x', '--operator-token', token, '--server', ...way])
  const { url, managementUrl = '' } = world.service
  assert.match((await edit(url)).errors, `Is ${url} the base URL, or that of the management port`)
  assert.match(
    (await edit(managementUrl)).errors,
    /^clientele: no client has this id: clientele clients list lists them\n$/,
  )
})

Commands('a token that is revoked through the socket counts for no request from then on', async (world) => {
  const { command, service } = world
  const token = await issued(world, 'tokens')
  const ask = () => post(`${service.url}/direct-authz`, token, { scope: 'client-reg' })
  assert.is((await ask()).status, 200)
  const [first] = JSON.parse((await command('operator-token', 'list', '--json')).output).tokens
  await command('operator-token', 'revoke', first.id)
  assert.is((await ask()).status, 401)
})

Commands(
  'the link to the console is at the service that runs, whatever the settings of the command say',
  async (world) => {
    const link = async (address = ''): Promise<void> => {
      const { status, output } = await world.command('console', '--may', 'audit')
      assert.is(status, 0)
      assert.ok(output.startsWith(`${address}/console/sign-in?link=`), output)
      const ticket = output.trim().split('=').at(-1) ?? ''
      const signedIn = await fetch(`${address}/console/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ link: ticket }),
      })
      assert.is(signedIn.status, 303)
    }
    await link(world.service.url)
    await world.service.stop()
    world.service = await started({ ...world.flags, 'management-port': '0', 'base-url': 'https://id.example/op' })
    await link(`${world.service.managementUrl}/op`)
    await world.service.stop()
    world.service = await started({ ...world.flags, console: 'false' })
    const without = await world.command('console')
    assert.equal([without.status, without.output], [1, ''])
    assert.match(without.errors, 'there is no console: set console to true')
  },
)

Commands('without a running service, there is no link to the console', async (world) => {
  await world.service.stop()
  const { status, output, errors } = await world.command('console')
  assert.equal([status, output], [1, ''])
  assert.match(errors, 'no service runs here')
})

Commands.run()
