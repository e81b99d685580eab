// Accounts for development, by the real command line and file, and the service of its settings.
import * as E from 'fp-ts/lib/Either.js'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { startText } from '../../src/cli/serve.js'
import { readFile } from '../../src/config/files.js'
import { loadConfig } from '../../src/config/load-config.js'
import { settingFindings } from '../../src/doctor/host.js'
import { createLog } from '../../src/observing/log.js'
import { run, started } from '../cli/run.js'
import { launch } from '../support/service.js'

const Development = suite<{ directory: string; flags: Readonly<Record<string, string>> }>('login development')

Development.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-login-'))
  context.flags = { 'data-dir': context.directory, login: 'development', engine: 'oidc-provider' }
})
Development.after.each(({ directory }) => rmSync(directory, { recursive: true, force: true }))

const withService = async (flags: Readonly<Record<string, string>>, use: (service: Service) => Promise<void>) => {
  const service = await started(flags)
  try {
    await use(service)
  } finally {
    await service.stop()
  }
}

const signIn = async ({ login }: Service, username: string, password: string) => {
  if (login?.kind !== 'development') throw new Error('not login development')
  return login.check({ username, password })()
}

const file = ({ directory }: { readonly directory: string }, name: string): string => join(directory, name)

Development(
  'users add makes an account in a file for its owner; it signs in at once, with its claims',
  async (context) => {
    const { directory, flags } = context
    const dir = `--data-dir=${directory}`
    const claims = ['--claim', 'email=ada@example.com', '--claim', 'email_verified=true', '--claim', 'name=Ada=L']
    const typed = ['--claim', 'address={"country":"GB"}', '--claim', 'updated_at=1700000000', '--claim', 'zip=12']
    const added = await run(['users', 'add', 'ada', dir, ...claims, ...typed], {}, 'correct horse')
    assert.equal([added.status, added.output], [0, 'ada can sign in now\n'], added.errors)
    assert.is(added.errors, 'Password: ')
    assert.is(statSync(file(context, 'accounts.json')).mode & 0o777, 0o600)
    assert.not.match(readFileSync(file(context, 'accounts.json'), 'utf8'), 'horse')
    await withService(flags, async (service) => {
      const signedIn = await signIn(service, 'ada', 'correct horse')
      if (E.isLeft(signedIn)) return assert.unreachable(JSON.stringify(signedIn.left))
      const { endUser } = signedIn.right
      assert.equal(endUser.claims, {
        email: 'ada@example.com',
        email_verified: true,
        name: 'Ada=L',
        address: { country: 'GB' },
        updated_at: 1_700_000_000,
        zip: '12',
      })
      await run(['users', 'add', 'bob', dir], {}, 'battery staple')
      assert.ok(E.isRight(await signIn(service, 'bob', 'battery staple')), 'an account that was added meanwhile')
      await run(['users', 'remove', 'ada', dir])
      assert.ok(E.isLeft(await signIn(service, 'ada', 'correct horse')), 'an account that was removed meanwhile')
      await run(['users', 'add', 'ada', dir], {}, 'correct horse')
      const again = await signIn(service, 'ada', 'correct horse')
      assert.ok(E.isRight(again) && again.right.endUser.sub !== endUser.sub, 'a sub is never given twice')
      assert.match(
        startText(service),
        /^Sign in with an account of '.*accounts\.json': clientele users list names them$/m,
      )
    })
  },
)

Development('the password comes from a file, or from the standard input of the process', async ({ directory }) => {
  const passwordFile = join(directory, 'password')
  writeFileSync(passwordFile, 'of the file\n')
  const dir = `--data-dir=${directory}`
  assert.is((await run(['users', 'add', 'ada', dir, '--password-file', passwordFile])).status, 0)
  const { child, exited, output } = launch(['users', 'add', 'bob', dir], {})
  child.stdin?.end('of the input\n')
  assert.is(await exited, 0, output().stderr)
  assert.not.match(output().stderr, 'of the input')
  await withService({ 'data-dir': directory, login: 'development' }, async (service) => {
    assert.ok(E.isRight(await signIn(service, 'ada', 'of the file')))
    assert.ok(E.isRight(await signIn(service, 'bob', 'of the input')))
  })
})

Development('users list shows names and claims, and no password', async ({ directory }) => {
  const dir = `--data-dir=${directory}`
  assert.match((await run(['users', 'list', dir])).output, /^There is no account: clientele users add NAME makes one/)
  await run(['users', 'add', 'ada', dir, '--claim', 'name=Ada'], {}, 'correct horse')
  assert.is((await run(['users', 'list', dir])).output, 'ada  {"name":"Ada"}\n')
  const { users } = JSON.parse((await run(['users', 'list', dir, '--json'])).output)
  assert.equal(Object.keys(users[0]), ['username', 'sub', 'claims'])
})

Development('bad input is refused before anything is written', async (context) => {
  const dir = `--data-dir=${context.directory}`
  const refused: ReadonlyArray<readonly [ReadonlyArray<string>, string, number, RegExp]> = [
    [['two words'], 'long enough', 2, /NAME must have/],
    [['ada', '--claim', 'email'], 'long enough', 2, /--claim must be NAME=VALUE/],
    [['ada', '--claim', 'address={x'], 'long enough', 2, /--claim address .* must be a JSON object/],
    [['ada', '--claim', 'updated_at=today'], 'long enough', 2, /--claim updated_at must be a number/],
    [['ada', '--claim', 'sub=root'], 'long enough', 2, /--claim must be NAME=VALUE/],
    [['ada', '--claim', '__proto__=x'], 'long enough', 2, /--claim must be NAME=VALUE/],
    [['ada', '--claim', 'a=1', '--claim', 'a=2'], 'long enough', 2, /each claim once/],
    [['ada'], 'short', 1, /8 to 1024 characters/],
    [['ada'], '', 1, /8 to 1024 characters/],
    [['ada', '--password-file', join(context.directory, 'none')], '', 1, /--password-file cannot be read/],
  ]
  for (const [args, password, status, reason] of refused) {
    const ran = await run(['users', 'add', ...args, dir], {}, password)
    assert.is(ran.status, status, args.join(' '))
    assert.match(ran.errors, reason)
  }
  assert.not.ok(existsSync(file(context, 'accounts.json')))
  await run(['users', 'add', 'ada', dir], {}, 'correct horse')
  assert.match((await run(['users', 'add', 'ada', dir], {}, 'correct horse')).errors, /there is an account ada already/)
  assert.match((await run(['users', 'remove', 'bob', dir])).errors, /there is no account bob/)
})

Development('users add keeps what another command changes while it asks for the password', async ({ directory }) => {
  const dir = `--data-dir=${directory}`
  await run(['users', 'add', 'ada', dir], {}, 'correct horse')
  const added = await run(['users', 'add', 'bob', dir], {}, async () => {
    await run(['users', 'remove', 'ada', dir])
    await run(['users', 'add', 'eve', dir], {}, 'battery staple')
    return 'correct horse'
  })
  assert.is(added.status, 0, added.errors)
  const { users } = JSON.parse((await run(['users', 'list', dir, '--json'])).output)
  assert.equal(
    users.map(({ username }: { username: string }) => username),
    ['eve', 'bob'],
  )
})

Development(
  'the first start makes an account with a random password in a file, and says so in one line',
  async (context) => {
    await withService(context.flags, async (service) => {
      const passwordFile = file(context, 'accounts-first-password')
      const password = readFileSync(passwordFile, 'utf8').trim()
      assert.match(password, /^[A-Za-z0-9]{20}$/)
      assert.is(statSync(passwordFile).mode & 0o777, 0o600)
      const text = startText(service)
      assert.ok(text.includes(`Sign in as developer with the password in '${passwordFile}'\n`), text)
      assert.not.match(text, password)
      assert.ok(E.isRight(await signIn(service, 'developer', password)))
    })
    await withService(context.flags, async (service) =>
      assert.match(startText(service), /^Sign in with an account of /m),
    )
    await run(['users', 'remove', 'developer', `--data-dir=${context.directory}`])
    await withService(context.flags, async (service) =>
      assert.match(startText(service), /^Nobody can sign in: clientele users add NAME makes an account$/m),
    )
  },
)

Development(
  'a file of accounts that others may read, or that is damaged, refuses the start and each login',
  async (context) => {
    const path = file(context, 'accounts.json')
    const start = async (): Promise<string> => started(context.flags).then(() => 'started', String)
    writeFileSync(path, '{"accounts":[]}', { mode: 0o644 })
    assert.match(await start(), /chmod 600/)
    chmodSync(path, 0o600)
    await withService(context.flags, async (service) => {
      writeFileSync(path, '{"accounts":[{"username":"root"}]}')
      const refused = await signIn(service, 'root', '')
      assert.ok(E.isLeft(refused) && refused.left.error === 'unavailable')
    })
    assert.match(await start(), /accounts\.json must hold accounts as clientele users add writes them/)
  },
)

Development('without the setting there is no login and no account', async ({ directory }) =>
  withService({ 'data-dir': directory }, async (service) => {
    assert.equal([service.login, service.accounts], [undefined, undefined])
    assert.not.ok(existsSync(join(directory, 'accounts.json')))
  }),
)

Development('with engine none nobody signs in here: no account is made, and none is told', async (context) =>
  withService({ ...context.flags, engine: 'none' }, async (service) => {
    assert.not.ok(existsSync(file(context, 'accounts.json')))
    assert.not.match(startText(service), /[Ss]ign in/)
  }),
)

for (const [served, settings] of [
  ['the login for development and the console', {}],
  ['the login for development', { 'management-port': '0' }],
  ['the console', { engine: 'none' }],
  [undefined, { engine: 'none', 'management-port': '0' }],
  [undefined, { host: '127.0.0.1' }],
] as const)
  Development(
    `the start, config check and doctor warn of what the network reaches: ${JSON.stringify(settings)}`,
    async ({ directory }) => {
      const flags = { 'data-dir': directory, engine: 'oidc-provider', host: '0.0.0.0', ...settings }
      const written: Array<string> = []
      const log = createLog('warn', { write: (text) => written.push(text) > 0, writableLength: 0 })
      await (await started(flags, { log })).stop()
      const argv = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
      const checked = await run(['config', 'check', ...argv])
      const { warnings } = JSON.parse((await run(['config', 'check', '--json', ...argv])).output)
      const loaded = loadConfig({ flags, environment: {}, readFile })
      const found = E.isRight(loaded)
        ? settingFindings(loaded.right.config).filter(({ check }) => check === 'host')
        : []
      const told = served === undefined ? [] : [`lets everybody on the network reach ${served}`]
      assert.is(checked.status, 0)
      assert.equal(
        written.flatMap((text) => /lets everybody [^"]*/.exec(text) ?? []),
        told,
      )
      assert.equal(
        warnings.map(({ rule }: { readonly rule: string }) => rule),
        told,
      )
      assert.equal(
        checked.output,
        [
          'The settings are valid.',
          ...told.map(
            (rule) =>
              `Warning: host (flag --host) ${rule}: 127.0.0.1 prevents it; with a container, publish the port on 127.0.0.1 alone`,
          ),
          '',
        ].join('\n'),
      )
      assert.equal(
        found.map(({ text }) => text),
        told.map((rule) => `The setting host ${rule}`),
      )
    },
  )

Development.run()
