// The units: what systemd says of them, what the service asks of the kernel beside what they permit, and the backup of the
// timer. Each part is skipped where its program is missing.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { addProgram } from '../support/documented-shell.js'
import { register, send } from '../support/requests.js'
import { discard, mainFile, newDataDir, startService } from '../support/service.js'
import { until } from '../support/receivers.js'
import { folder, read, settingsAmong, unitEnvironment, unitValues } from './support/deployed.js'

const systemd = suite('the units for systemd')

const has = (program: string, ...args: ReadonlyArray<string>): boolean => spawnSync(program, [...args]).status === 0
const canAnalyze = has('systemd-analyze', '--version')
// SQLite changes the owner of its files where it runs as root, which the service does not.
const canTrace = canAnalyze && process.getuid?.() === 0 && has('strace', '--version')
const when = (isThere: boolean) => (isThere ? systemd : systemd.skip)

const units = ['clientele.service', 'clientele-backup.service', 'clientele-backup.timer']

const inPlace = async <A>(use: (place: string) => A | Promise<A>): Promise<A> => {
  const place = mkdtempSync(join(tmpdir(), 'clientele-units-'))
  try {
    return await use(place)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** The units, with a folder of this test in place of /opt/clientele. */
const install = (place: string): ReadonlyArray<string> => {
  const programs = join(place, 'node_modules/.bin')
  mkdirSync(programs, { recursive: true })
  copyFileSync('/bin/true', join(programs, 'clientele'))
  copyFileSync(join(folder, 'systemd/clientele-backup'), join(place, 'clientele-backup'))
  chmodSync(join(place, 'clientele-backup'), 0o755)
  return units.map((unit) => {
    const file = join(place, unit)
    writeFileSync(file, read(`systemd/${unit}`).replaceAll('/opt/clientele', place))
    return file
  })
}

when(canAnalyze)('systemd finds no fault in them', () =>
  inPlace((place) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...install(place)], {
      encoding: 'utf8',
    })
    assert.equal([status, stdout + stderr], [0, ''])
  }),
)

// In the figures of systemd, 0.0 is closed and 10.0 is open.
for (const [unit, exposure] of [
  ['clientele.service', 1.5],
  ['clientele-backup.service', 1],
] as const)
  when(canAnalyze)(`the exposure of ${unit} is at most ${exposure}`, () => {
    const args = [
      'security',
      '--offline=yes',
      '--no-pager',
      `--threshold=${exposure * 10}`,
      join(folder, 'systemd', unit),
    ]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    process.stdout.write(`\nmeasured: ${/Overall exposure level .*/.exec(stdout)?.[0] ?? stderr}\n`)
    assert.is(status, 0, stdout + stderr)
  })

when(has('systemd-sysusers', '--version'))('the user is made as the service names it', () =>
  inPlace((place) => {
    mkdirSync(join(place, 'etc'))
    const args = [`--root=${place}`, join(folder, 'systemd/clientele.sysusers.conf')]
    const { status, stderr } = spawnSync('systemd-sysusers', args, { encoding: 'utf8' })
    assert.is(status, 0, stderr)
    assert.match(
      readFileSync(join(place, 'etc/passwd'), 'utf8'),
      /^clientele:x:\d+:\d+:Clientele:\/var\/lib\/clientele:/m,
    )
    for (const unit of ['clientele.service', 'clientele-backup.service'])
      assert.equal(unitValues(unit, 'User'), ['clientele'])
  }),
)

type Permitted = { readonly isPermitted: (call: string) => boolean }

/** What the lines SystemCallFilter permit, by the sets that systemd knows. */
const permittedBy = (unit: string): Permitted => {
  const callsOf = (set: string): ReadonlyArray<string> => {
    const { stdout } = spawnSync('systemd-analyze', ['--no-pager', 'syscall-filter', set], { encoding: 'utf8' })
    const names = stdout.split('\n').flatMap((line) => /^ {4}(@?[a-z_0-9-]+)$/.exec(line)?.[1] ?? [])
    assert.ok(names.length > 0, set)
    return names.flatMap((name) => (name.startsWith('@') ? callsOf(name) : [name]))
  }
  const filters = unitValues(unit, 'SystemCallFilter')
  const calls = (isRefused: boolean) =>
    new Set(
      filters
        .filter((each) => each.startsWith('~') === isRefused)
        .flatMap((each) => each.replace('~', '').split(' ').flatMap(callsOf)),
    )
  const permitted = calls(false)
  const refused = calls(true)
  return { isPermitted: (call) => permitted.has(call) && !refused.has(call) }
}

// execve is the one by which strace starts it.
const callsIn = (summary: string): ReadonlyArray<string> =>
  [...summary.matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +\d+ +(?:\d+ +)?([a-z_0-9]+)$/gm)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'total' && name !== 'execve')

// V8 asks for keys that protect memory, and does without.
const refused = 'pkey_alloc'

when(canTrace)('the service asks nothing of the kernel that its unit does not permit', () =>
  inPlace(async (place) => {
    const credentials = join(place, 'credentials')
    mkdirSync(credentials)
    writeFileSync(join(credentials, 'master-token'), 'the-master-token-of-a-credential\n', { mode: 0o400 })
    writeFileSync(join(credentials, 'encryption-key'), Buffer.alloc(32, 'sealing').toString('base64url'), {
      mode: 0o400,
    })
    const settings = join(place, 'settings.json')
    const port = await freePort()
    const managementPort = await freePort()
    const given: unknown = JSON.parse(read('systemd/settings.json'))
    writeFileSync(settings, JSON.stringify({ ...Object(given), port, 'management-port': managementPort }))
    const environment = settingsAmong(unitEnvironment('clientele.service', place, credentials))
    const [start = ''] = unitValues('clientele.service', 'ExecStart')
    const [, ...args] = start.replace('/etc/clientele/settings.json', settings).split(' ')
    const summary = join(place, 'summary')
    // With -D, strace is not the parent of the service, which gets the signals of this test.
    const traced = [
      '-D',
      '--user=nobody',
      `--inject=${refused}:error=EPERM`,
      '--follow-forks',
      '--summary-only',
      `--output=${summary}`,
      process.execPath,
      mainFile,
      ...args,
    ]
    spawnSync('chown', ['--recursive', 'nobody', place])
    const service = spawn('strace', traced, { env: { PATH: process.env['PATH'], ...environment } })
    const output = text(service.stdout)
    const errors = text(service.stderr)
    const ended = once(service, 'close')
    try {
      const base = `http://127.0.0.1:${port}`
      await until(() =>
        fetch(`http://127.0.0.1:${managementPort}/health/ready`).then(
          ({ ok }) => ok,
          () => {
            assert.is(service.exitCode, null)
            return false
          },
        ),
      )
      const client = await register({ base, master: 'the-master-token-of-a-credential' })
      assert.is(client.status, 200, client.text)
      const token = String(client.json['registration_access_token'])
      assert.is((await send({ base }, `/clients/${String(client.json['client_id'])}`, { token })).status, 200)
      service.kill('SIGTERM')
      assert.equal(await ended, [0, null], await errors)
      assert.match(await output, 'clientele ready https://op.example')
    } finally {
      service.kill('SIGKILL')
    }
    await until(() => existsSync(summary) && readFileSync(summary, 'utf8').includes(' total'))
    const calls = callsIn(readFileSync(summary, 'utf8'))
    assert.ok(calls.length > 30, calls.join(' '))
    const { isPermitted } = permittedBy('clientele.service')
    assert.equal(
      calls.filter((call) => !isPermitted(call) && call !== refused),
      [],
    )
  }),
)

systemd('the backup of the timer keeps the last ones, and only after one that succeeded', async () => {
  const dataDir = newDataDir()
  const service = await startService({}, dataDir)
  try {
    await inPlace((place) => {
      addProgram(place, 'clientele', `exec '${process.execPath}' '${mainFile}' "$@"`)
      const backups = join(place, 'backups')
      mkdirSync(backups)
      const names = ['20260101T020000Z', '20260102T020000Z', '20260103T020000Z'].map((time) => `clientele-${time}.db`)
      for (const name of names) writeFileSync(join(backups, name), 'of an earlier night')
      writeFileSync(join(backups, 'not-of-the-timer.db'), '')
      const [start = ''] = unitValues('clientele-backup.service', 'ExecStart')
      const [, , number = ''] = start.split(' ')
      assert.is(number, '14')
      const backUp = (kept: string, environment = {}) =>
        spawnSync(join(folder, 'systemd/clientele-backup'), [backups, kept], {
          env: { PATH: `${place}/bin:${process.env['PATH'] ?? ''}`, CLIENTELE_DATA_DIR: dataDir, ...environment },
          encoding: 'utf8',
        })
      const failed = backUp('1', { CLIENTELE_DATA_DIR: join(place, 'nowhere') })
      assert.not.equal(failed.status, 0)
      assert.is(backUp('0').status, 2)
      assert.is(readdirSync(backups).length, 4)
      const made = backUp('2')
      assert.is(made.status, 0, made.stderr)
      const [older, newer, other, ...more] = readdirSync(backups).sort()
      assert.equal([older, other, more.length], [names[2], 'not-of-the-timer.db', 0])
      assert.match(newer ?? '', /^clientele-\d{8}T\d{6}Z\.db$/)
      assert.ok(existsSync(join(backups, newer ?? '')))
      assert.match(made.stdout, /0 clients, .*verified/)
    })
  } finally {
    await service.stop()
    discard(dataDir)
  }
})

systemd.run()
