// docs/operate/deploy.md: its commands, run by root as they are written. Those of systemd change a copy of the root of this
// machine, in which a script starts and ends the service in place of systemd, which would have to be its first process.
import { spawnSync } from 'node:child_process'
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { load } from '../config/loaded.js'
import { commandsIn, root } from '../support/documented-commands.js'
import { addProgram, shellWith } from '../support/documented-shell.js'
import { canCopyRoot, runInCopyOfRoot } from './support/copied-root.js'
import { composed, image, settingsAmong, unitEnvironment, unitValues } from './support/deployed.js'

const page = suite<{ place: string }>('docs/operate/deploy.md')
const it = process.getuid?.() === 0 ? page : page.skip
const file = 'docs/operate/deploy.md'
const [secretsOfCompose = '', ...more] = commandsIn(file, ['## Docker'])
const [tarballs = '', files = '', enable = '', list = '', restoration = '', upgrade = '', wayBack = '', ...further] =
  commandsIn(file, ['## systemd'])

page.before((context) => {
  context.place = mkdtempSync(join(tmpdir(), 'clientele-deploying-'))
})
page.after(({ place }) => rmSync(place, { recursive: true }))

const run = (place: string, command: string): string => {
  // The image has the command of this repository.
  addProgram(place, 'docker', '[ "$1 $2 $3" = "run --rm clientele:local" ] && shift 3 && exec clientele "$@"')
  return shellWith(place, [['deploy/compose/secrets', join(place, 'secrets')]], {})(command)
}

const textsIn = (folder: string, mountedAt: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [join(mountedAt, name), readFileSync(join(folder, name), 'utf8')]),
  )

page('has no other commands that are run', () => assert.equal([...more, ...further], []))

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

const credentials = '/run/credentials/clientele.service'

const backUpOnce = (): string => {
  const [command = ''] = unitValues('clientele-backup.service', 'ExecStart')
  const environment = Object.entries(unitEnvironment('clientele-backup.service', '/var/lib', ''))
  const variables = environment.map((each) => each.join('=')).join(' ')
  return `runuser -u clientele -- env -i ${variables} ${command.replaceAll('%S', '/var/lib')}`
}

/** Does what the unit asks of systemd for its start: folders, credentials, user, environment and command. */
const systemctl = (): string => {
  const states = ['clientele.service', 'clientele-backup.service'].flatMap((unit) => unitValues(unit, 'StateDirectory'))
  const loaded = unitValues('clientele.service', 'LoadCredential').map((line) => line.split(':'))
  const environment = Object.entries(unitEnvironment('clientele.service', '/var/lib', credentials))
  const [command = ''] = unitValues('clientele.service', 'ExecStart')
  return `
start() {
  install -d -m 700 -o clientele ${states.map((state) => `/var/lib/${state}`).join(' ')} ${credentials}
  ${loaded.map(([name, from]) => `install -m 400 -o clientele ${from} ${credentials}/${name}`).join('\n  ')}
  runuser -u clientele -- env -i ${environment.map((each) => each.join('=')).join(' ')} ${command} > /var/log/clientele.log 2>&1 < /dev/null &
  for n in $(seq 300); do curl -sf 127.0.0.1:$MANAGEMENT/health/ready > /dev/null && return; sleep 0.1; done
  cat /var/log/clientele.log >&2; exit 1
}
back_up() { ${backUpOnce()}; }
stop() { pkill -TERM -u clientele; while pgrep -u clientele > /dev/null; do sleep 0.1; done; }
case "$*" in daemon-reload) ;; "start clientele-backup") back_up ;; enable* | start*) start ;; stop*) stop ;; *) exit 1 ;; esac`
}

/** The commands of the page in their order, and what an operator does between them. */
const yearOfSystemd = (port: number, managementPort: number): string => {
  const [, backup = ''] = /(\S+\.db)/.exec(restoration) ?? []
  const client = '{ "client_name": "Kept", "redirect_uris": ["https://kept.example/callback"] }'
  const steps = [
    `printf '#!/bin/sh\\nMANAGEMENT=${managementPort}\\n%s' '${systemctl()}' > /usr/local/bin/systemctl`,
    'chmod 755 /usr/local/bin/systemctl',
    // The repository has compiled the database, which takes a minute.
    `export npm_config_ignore_scripts=true\n${tarballs}`,
    `cp -R packages/adapters-sqlite/node_modules/better-sqlite3/build /opt/clientele/node_modules/better-sqlite3/`,
    files,
    `sed -i 's/8080/${port}/; s/9090/${managementPort}/' /etc/clientele/settings.json`,
    enable,
    `curl -sSf http://127.0.0.1:${port}/clients -H "Authorization: Bearer $(cat /etc/clientele/master-token)" --json '${client}'`,
    list,
    'systemctl start clientele-backup',
    `mv /var/lib/clientele-backups/*.db ${backup}`,
    'CLIENTELE_DATA_DIR=/var/lib/clientele runuser -u clientele -- clientele clients delete --search Kept --confirm 1',
    restoration,
    `echo after the restoration\n${list}`,
    // Releases of this test are all the same.
    upgrade,
    `echo after the upgrade\n${list}`,
    'ls /var/lib/clientele-backups',
    'CLIENTELE_DATA_DIR=/var/lib/clientele runuser -u clientele -- clientele clients delete --search Kept --confirm 1',
    wayBack,
    restoration,
    `echo after the way back\n${list}`,
    'systemctl stop clientele',
  ]
  // Of a shell beside `||` or `&&`, a failure would not count.
  return ['set -e', ...steps.map((step) => `( set -eux; cd ${root}\n${step}\n)`)].join('\n')
}

const inCopy = canCopyRoot && spawnSync('systemd-sysusers', ['--version']).status === 0 ? page : page.skip

inCopy('the service of the units starts from tarballs, backs up, is restored and upgraded', async ({ place }) => {
  const { written, output } = runInCopyOfRoot(place, yearOfSystemd(await freePort(), await freePort()), [root])
  const [before = '', restored = '', upgraded = '', wentBack = ''] = output.split(
    /after the (?:restoration|upgrade|way back)/,
  )
  assert.match(before, /^\S+ {2}unused .*Kept/m, output)
  assert.match(before, /1 client deleted/)
  assert.match(restored, /^\S+ {2}unused .*Kept/m, output)
  for (const shown of [upgraded, wentBack]) assert.match(shown, /^\S+ {2}unused .*Kept/m, output)
  assert.is(upgraded.match(/^clientele-\S+\.db$/gm)?.length, 2, output)
  const etc = join(written, 'etc/clientele')
  for (const name of ['encryption-key', 'master-token']) {
    const { mode, uid } = statSync(join(etc, name))
    assert.equal([mode & 0o777, uid], [0o600, 0], name)
  }
  for (const unit of ['clientele.service', 'clientele-backup.service', 'clientele-backup.timer'])
    assert.ok(statSync(join(written, 'etc/systemd/system', unit)).isFile())
})

page.run()
