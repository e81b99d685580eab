import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commands, groups } from '../../src/commands.js'
import { settingNames } from '../../src/config/settings.js'
import { callOf, leaves, programWriting } from '../support/silent-program.js'
import { run, started } from './run.js'

/** The words of a line as a shell splits it. */
const words = (line: string): ReadonlyArray<string> =>
  Array.from(line.replace(/ > .*$/, '').matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')

const command = suite<{ directory: string }>('command')

command.before.each((context) => {
  context.directory = mkdtempSync(join(tmpdir(), 'clientele-'))
})

command.after.each(({ directory }) => rmSync(directory, { recursive: true }))

command('--help names every setting and exits 0', async () => {
  for (const argv of [['--help'], ['-h'], ['help']]) {
    const { status, output, errors } = await run(argv)
    assert.equal([status, errors], [0, ''])
    for (const name of settingNames) assert.ok(output.includes(`--${name}`), name)
  }
})

command('every first word of two has a summary, and no summary is of another word', () => {
  const firstWords = commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : []))
  assert.equal(Object.keys(groups).sort(), [...new Set(firstWords)].sort())
  for (const summary of Object.values(groups)) assert.ok(summary.length > 10, summary)
})

command('every command has help with an example that is called rightly, however it is asked for', async () => {
  const names = leaves(programWriting(() => undefined))
  assert.ok(names.includes('keys import') && names.includes('serve'))
  for (const name of names) {
    const requested = await Promise.all([
      run(['help', ...name.split(' ')]),
      run([...name.split(' '), '--help']),
      run([...name.split(' '), '-h']),
    ])
    for (const { status, output } of requested) assert.equal([status, output], [0, requested[0].output])
    assert.match(requested[0].output, new RegExp(`^Usage: clientele ${name}`))
    const [, example = ''] = /\nExample:\n {2}clientele (.*)\n$/.exec(requested[0].output) ?? []
    const called = await callOf(words(example))
    if (typeof called === 'string') throw new Error(`${name}: ${example}: ${called}`)
    assert.is(called.name, name)
  }
})

command('help of a group lists its commands, and help of what is unknown is refused', async () => {
  assert.match((await run(['help', 'keys'])).output, /\n {2}import \[options\] <FILE> {5}add the private keys/)
  const { status, errors } = await run(['help', 'keys', 'imprt'])
  assert.is(status, 2)
  assert.is(errors, "clientele: unknown command 'imprt'\n(Did you mean import?)\nSee clientele help keys\n")
})

command('the version is told by a command and by an option, and exits 0', async () => {
  const reported = await Promise.all([run(['--version']), run(['-v']), run(['version'])])
  for (const { status, output } of reported) {
    assert.is(status, 0)
    assert.match(output, /^\d+\.\d+\.\d+\n$/)
  }
})

const wrongUsages: ReadonlyArray<readonly [ReadonlyArray<string>, string | RegExp]> = [
  [['confg', 'check'], "unknown command 'confg'\n(Did you mean config?)\nSee clientele help\n"],
  [['config', 'chek'], "unknown command 'chek'\n(Did you mean check?)\nSee clientele help config\n"],
  [['config'], /^Usage: clientele config [^]*\n {2}check [^]*\n {2}print /],
  [['config', 'check', 'now'], "too many arguments for 'check'"],
  [['constructor'], /^clientele: unknown command 'constructor'\nSee clientele help\n$/],
  [['--nonsense'], /^clientele: unknown option '--nonsense'\nSee clientele help serve\n$/],
  [['--prot', '1'], "unknown option '--prot'\n(Did you mean --port?)"],
  [['keys', 'list', '--data-dri', 'x'], '(Did you mean --data-dir?)'],
  [['--port'], "option '--port <VALUE>' argument missing"],
  [['serve', '--json'], "unknown option '--json'"],
  [['config', 'check', '--scope', 'client-reg'], "unknown option '--scope'"],
  [['token', 'issue'], "required option '--scope <SCOPE>' not specified"],
  [['token', 'issue', '--scope', 'bogus client-reg'], /^clientele: "bogus" is not a scope value\n/],
  [
    ['token', 'issue', '--scope', 'client-reg:grnt:code'],
    '"client-reg:grnt:code" is not a scope value: did you mean client-reg:grant:code?',
  ],
  [['explain', '--metadata', 'x.json', '--scope', 'a\u001b[2J'], '"a\\u001b[2J" is not a scope value'],
  [['explain'], 'give --metadata FILE, or the URL of a document'],
  [['explain', 'body.json'], 'body.json is not the URL of a document: it must begin with https://'],
  [['explain', '--metadata', 'body.json', 'body.json'], '--metadata and --scope are for registrations'],
  [['explain', '--metadata', 'body.json', '--lifetime', '5'], "unknown option '--lifetime'"],
  [['token', 'issue', '--scope', 'client-reg', '--open'], "unknown option '--open'"],
  [['policy'], /^Usage: clientele policy /],
  [['policy', 'check'], "missing required argument 'FILE'"],
  [['policy', 'check', 'one.json', 'two.json'], 'too many arguments'],
  [['policy', 'chekc', 'one.json'], '(Did you mean check?)'],
  [['policy', 'check', 'one.json', '--metadata', 'body.json'], "unknown option '--metadata'"],
  [['keys'], /^Usage: clientele keys [^]*\n {2}roll-over /],
  [['keys', 'compromise'], "missing required argument 'KID'\nSee clientele help keys compromise\n"],
  [['keys', 'import'], "missing required argument 'FILE'"],
  [['keys', 'roll-over', 'RS256', 'ES256'], 'too many arguments'],
  [['keys', 'list', '--yes'], "unknown option '--yes'"],
  [['keys', 'compromise', 'kid', '--dry-run'], "unknown option '--dry-run'"],
  [['keys', 'export'], "required option '--public' not specified"],
  [['token', 'issue', '--scope', 'client-reg', '--lifetime', 'long'], '--lifetime must be a whole number'],
  [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
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
  const slash = await run(['config', 'check', '--base-url', 'http://localhost/'], data)
  assert.match(slash.errors, '(flag --base-url) must be a URL without a slash at its end: ')
  assert.equal(readdirSync(directory), [])
})

command(
  'config check and a start name a login that is missing, and the start writes nothing',
  async ({ directory }) => {
    const dataDir = join(directory, 'without-login')
    const away = { CLIENTELE_BASE_URL: 'https://id.example.com', CLIENTELE_DATA_DIR: dataDir, CLIENTELE_PORT: '0' }
    const checked = await run(['config', 'check'], away)
    assert.is(checked.status, 1)
    assert.match(
      checked.errors,
      /^login \(default\) must be set, .*: set login to upstream or callback, or engine to none/,
    )
    const { errors } = await run(['serve'], away)
    assert.ok(errors.includes(checked.errors.trim()), errors)
    assert.not.ok(readdirSync(directory).includes('without-login'))
    const engineElsewhere = await run(['config', 'check'], { ...away, CLIENTELE_ENGINE: 'none' })
    assert.is(engineElsewhere.status, 0)
    const { output } = await run(['config', 'check', '--json'], away)
    assert.is(JSON.parse(output).faults[0].setting, 'login')
  },
)

command('config check names the file of accounts that instances on PostgreSQL lack', async () => {
  const { errors } = await run(['config', 'check'], {
    CLIENTELE_BASE_URL: 'http://localhost:8080',
    CLIENTELE_DATABASE_URL: 'postgresql://u:p@localhost/c',
    CLIENTELE_MASTER_TOKEN: 'm'.repeat(32),
    CLIENTELE_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64url'),
  })
  assert.match(errors, /^login .*accounts-file/)
  assert.not.match(errors, 'loopback')
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
  assert.equal(JSON.parse((await run(['config', 'check', '--json'])).output), { valid: true, faults: [], warnings: [] })
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

// Only root may change its user.
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
