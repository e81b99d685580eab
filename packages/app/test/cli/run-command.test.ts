import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { settingNames } from '../../src/config/settings.js'
import { run, started } from './run.js'

const command = suite<{ directory: string }>('command')

command.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})

command.after.each(({ directory }) => rmSync(directory, { recursive: true }))

command('--help names every setting and exits 0', async () => {
  const { status, output } = await run(['--help'])
  assert.is(status, 0)
  for (const name of settingNames) assert.ok(output.includes(`--${name}`), name)
  assert.is((await run(['-h', 'config', 'check'])).status, 0)
})

command('--version is the version and exits 0', async () => {
  const { status, output } = await run(['--version'])
  assert.is(status, 0)
  assert.match(output, /^\d+\.\d+\.\d+\n$/)
})

const wrongUsages: ReadonlyArray<readonly [ReadonlyArray<string>, string | RegExp]> = [
  [['confg', 'check'], 'did you mean config check?'],
  [['config'], '"config" is not a command by itself: config check, config print\n'],
  [['config', 'check', 'now'], 'is not a command'],
  [['constructor'], /^"constructor" is not a command\nSee clientele --help\n$/],
  [['--nonsense'], /^--nonsense is not a flag\nSee clientele --help\n$/],
  [['--prot', '1'], 'did you mean --port?'],
  [['--port'], '--port needs a value'],
  [['serve', '--json'], '--json does not belong to serve'],
  [['config', 'check', '--scope', 'client-reg'], '--scope does not belong to config check'],
  [['token', 'issue'], '--scope'],
  [['token', 'issue', '--scope', 'bogus client-reg'], /^(?:clientele: )?"bogus" is not a scope value\n/],
  [
    ['token', 'issue', '--scope', 'client-reg:grnt:code'],
    '"client-reg:grnt:code" is not a scope value: did you mean client-reg:grant:code?',
  ],
  [['explain', '--metadata', 'x.json', '--scope', 'a\u001b[2J'], '"a\\u001b[2J" is not a scope value'],
  [['explain'], '--metadata'],
  [['explain', 'body.json'], 'is not a command'],
  [['explain', '--metadata', 'body.json', '--lifetime', '5'], '--lifetime does not belong to explain'],
  [['token', 'issue', '--scope', 'client-reg', '--open'], '--open does not belong to token issue'],
  [['policy'], 'is not a command'],
  [['policy', 'check'], 'policy check needs FILE'],
  [['policy', 'check', 'one.json', 'two.json'], 'is not a command'],
  [['policy', 'chekc', 'one.json'], 'is not a command'],
  [['policy', 'check', 'one.json', '--metadata', 'body.json'], '--metadata does not belong to policy check'],
  [['keys'], /^"keys" is not a command by itself: keys list, keys roll-over, .*\nSee clientele --help\n$/],
  [['keys', 'compromise'], 'keys compromise needs KID'],
  [['keys', 'import'], 'keys import needs FILE'],
  [['keys', 'roll-over', 'RS256', 'ES256'], 'is not a command'],
  [['keys', 'list', '--yes'], '--yes does not belong to keys list'],
  [['keys', 'compromise', 'kid', '--dry-run'], '--dry-run does not belong to keys compromise'],
  [['keys', 'export'], 'keys export needs --public'],
  [['token', 'issue', '--scope', 'client-reg', '--lifetime', 'long'], '--lifetime must be a whole number'],
]

for (const [argv, message] of wrongUsages)
  command(`wrong usage exits 2 and says why: ${argv.join(' ')}`, async () => {
    const { status, output, errors } = await run(argv)
    assert.is(status, 2)
    assert.is(output, '')
    assert.match(errors, message)
  })

command('config check exits 0 when the settings are valid, and 1 with every fault when not', async ({ directory }) => {
  const data = { CLIENTELE_DATA_DIR: join(directory, 'data') }
  assert.equal(await run(['config', 'check'], data), { status: 0, output: 'The settings are valid.\n', errors: '' })
  const { status, errors } = await run(['config', 'check', '--host', 'a b'], { ...data, CLIENTELE_PORT: 'x' })
  assert.is(status, 1)
  assert.match(errors, /^port \(environment CLIENTELE_PORT\)/m)
  assert.match(errors, /^host \(flag --host\)/m)
  assert.equal(readdirSync(directory), [])
})

command('config check --json is for machines', async () => {
  const { status, output } = await run(['config', 'check', '--json'], { CLIENTELE_PORT: 'x' })
  const { valid, faults } = JSON.parse(output)
  assert.is(status, 1)
  assert.is(valid, false)
  assert.equal(
    faults.map(({ setting }: { setting: string }) => setting),
    ['port'],
  )
  assert.equal(JSON.parse((await run(['config', 'check', '--json'])).output), { valid: true, faults: [] })
})

command('config print shows settings without secrets, starts nothing and makes nothing', async ({ directory }) => {
  const environment = { CLIENTELE_DATA_DIR: join(directory, 'data'), CLIENTELE_MASTER_TOKEN: 'q'.repeat(40) }
  const text = await run(['config', 'print'], environment)
  const json = await run(['config', 'print', '--json'], environment)
  assert.is(text.status, 0)
  assert.not.match(text.output + json.output, 'qqqq')
  const shown = { value: '(secret)', source: 'environment CLIENTELE_MASTER_TOKEN' }
  assert.equal(JSON.parse(json.output)['master-token'], shown)
  assert.equal(readdirSync(directory), [])
})

command('a command with faulty settings exits 1 and makes nothing', async ({ directory }) => {
  const environment = { CLIENTELE_DATA_DIR: join(directory, 'data'), CLIENTELE_PORT: 'x' }
  for (const argv of [
    [],
    ['serve'],
    ['config', 'print'],
    ['token', 'issue', '--scope', 'client-reg'],
    ['explain', '--metadata', 'body.json'],
    ['policy', 'check', 'policy.json'],
  ]) {
    const { status, errors } = await run(argv, environment)
    assert.is(status, 1)
    assert.match(errors, 'CLIENTELE_PORT')
  }
  assert.equal(readdirSync(directory), [])
})

command('token issue without data exits 1, says where it looked and makes nothing', async ({ directory }) => {
  const argv = ['token', 'issue', '--scope', 'client-reg', '--data-dir', join(directory, 'data')]
  const { status, errors } = await run(argv)
  assert.is(status, 1)
  assert.match(errors, join(directory, 'data', 'clientele.db'))
  assert.equal(readdirSync(directory), [])
})

// Because only root may act as somebody else.
if (process.getuid?.() === 0)
  command('a user who may not look into the data directory is told so, not to start the service', async (context) => {
    const directory = join(context.directory, 'data')
    await (await started({ 'data-dir': directory })).stop()
    process.seteuid?.(65_534)
    const { status, errors } = await run(['keys', 'list', '--data-dir', directory]).finally(() => process.seteuid?.(0))
    assert.is(status, 1)
    assert.is(
      errors,
      `clientele: ${join(directory, 'clientele.db')} cannot be used (permission denied, EACCES): ` +
        'run the command as the user that runs the service\n',
    )
  })

command.run()
