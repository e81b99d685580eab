// docs/operate/deploy.md: its commands make what the compositions and the units need. They give files to another user, as root.
import * as E from 'fp-ts/lib/Either.js'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { load } from '../config/loaded.js'
import { commandsIn } from '../support/documented-commands.js'
import { addProgram, shellWith } from '../support/documented-shell.js'
import { composed, image, settingsAmong, unitEnvironment, unitValues } from './support/deployed.js'

const page = suite<{ place: string }>('docs/operate/deploy.md')
const it = process.getuid?.() === 0 ? page : page.skip
const [secretsOfCompose = '', filesOfSystemd = '', ...more] = commandsIn('docs/operate/deploy.md', [
  '## Docker',
  '## systemd',
])

page.before((context) => {
  context.place = mkdtempSync(join(tmpdir(), 'clientele-deploying-'))
  for (const folder of ['opt/clientele', 'etc/systemd/system'])
    mkdirSync(join(context.place, folder), { recursive: true })
})
page.after(({ place }) => rmSync(place, { recursive: true }))

const run = (place: string, command: string): string => {
  // The image has the command of this repository.
  addProgram(place, 'docker', '[ "$1 $2 $3" = "run --rm clientele:local" ] && shift 3 && exec clientele "$@"')
  const names = [
    ['deploy/compose/secrets', join(place, 'secrets')],
    [' /etc/', ` ${place}/etc/`],
    [' /opt/', ` ${place}/opt/`],
  ] as const
  return shellWith(place, names, {})(command)
}

const textsIn = (folder: string, mountedAt: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [join(mountedAt, name), readFileSync(join(folder, name), 'utf8')]),
  )

page('has no other commands that are run', () => assert.is(more.length, 0))

it('the secrets of the composition start its instances, and no other user reads them', ({ place }) => {
  run(place, secretsOfCompose)
  const folder = join(place, 'secrets')
  assert.is(statSync(folder).mode & 0o777, 0o700)
  const { whole, instances } = composed('compose/postgresql.yaml', 'op.example')
  const declared = Object.values(whole.secrets ?? {}).map(({ file }) => basename(file))
  assert.equal(readdirSync(folder).sort(), declared.sort())
  for (const name of declared) assert.is(statSync(join(folder, name)).mode & 0o777, 0o400, name)
  const [user] = image().user.split(':').map(Number)
  for (const { secrets = [] } of instances)
    for (const name of secrets) assert.is(statSync(join(folder, name)).uid, user, name)
  const environment = settingsAmong({ ...image().environment, ...instances[0]?.environment })
  const read = load(environment, {}, textsIn(folder, '/run/secrets'))
  assert.ok(E.isRight(read), JSON.stringify(read))
})

it('the files for systemd are where the units look for them, and the keys are those of root', ({ place }) => {
  run(place, filesOfSystemd)
  const etc = join(place, 'etc/clientele')
  for (const name of ['encryption-key', 'master-token']) assert.is(statSync(join(etc, name)).mode & 0o777, 0o600)
  for (const line of unitValues('clientele.service', 'LoadCredential'))
    assert.ok(statSync(join(place, line.slice(line.indexOf(':') + 1))).isFile(), line)
  const read = load(
    settingsAmong(unitEnvironment('clientele.service', '/var/lib', '/credentials')),
    { config: '/etc/clientele/settings.json' },
    { ...textsIn(etc, '/credentials'), ...textsIn(etc, '/etc/clientele') },
  )
  assert.ok(E.isRight(read), JSON.stringify(read))
  const [program = ''] = (unitValues('clientele-backup.service', 'ExecStart')[0] ?? '').split(' ')
  assert.ok((statSync(join(place, program)).mode & 0o111) > 0)
  for (const unit of ['clientele.service', 'clientele-backup.service', 'clientele-backup.timer'])
    assert.ok(statSync(join(place, 'etc/systemd/system', unit)).isFile())
  assert.ok(statSync(join(place, 'etc/sysusers.d/clientele.conf')).isFile())
})

page.run()
