// The commands of docs/operate/deploy.md, and those of the tasks of docs/operate/year.md, in their order, on a service with
// 20,000 clients and 500 unwanted ones.
import { createServer } from 'node:net'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandsIn, root } from '../support/documented-commands.js'
import { type Names, type Shell, addProgram, shellWith } from '../support/documented-shell.js'

const deploy = 'docs/operate/deploy.md'
const page = 'docs/operate/year.md'
const deployText = readFileSync(join(root, deploy), 'utf8')
const text = readFileSync(join(root, page), 'utf8')
const documented = [
  ...commandsIn(deploy, ['## Without these files']),
  ...commandsIn(page, ['# A year with it']).slice(0, 1),
  ...commandsIn(page, ['## Tasks of a year', '## Backup and restoration']),
]
const count = 20_000
const unwanted = 500

const blockOf = (language: string): string => {
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(deployText) ?? []
  if (block === undefined) throw new Error(`${deploy} has no ${language}`)
  return block
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })

type World = {
  readonly place: string
  readonly base: string
  readonly names: Names
  readonly shell: Shell
}

const year = suite<{ world: World }>('a year with twenty thousand clients')

// It does what the unit of the document says, for the supervisor that a test has not.
const supervisor = (place: string, names: Names, management: string): string => {
  const [, start = ''] = /^ExecStart=(.*)$/m.exec(blockOf('ini')) ?? []
  const command = names.reduce((own, [name, here]) => own.replaceAll(name, here), start)
  const pid = join(place, 'pid')
  return [
    'start() {',
    `  ${command} >> ${join(place, 'log', 'clientele.log')} 2>&1 < /dev/null & echo $! > ${pid}`,
    `  for n in $(seq 300); do curl -sf ${management}/health/ready > /dev/null && return; sleep 0.1; done; exit 1`,
    '}',
    `stop() { P=$(cat ${pid}); kill -TERM $P; while kill -0 $P 2> /dev/null; do sleep 0.1; done; }`,
    'case "$1" in start) start ;; stop) stop ;; restart) stop; start ;; *) exit 1 ;; esac',
  ].join('\n')
}

year.before(async (context) => {
  const place = mkdtempSync(join(tmpdir(), 'clientele-year-'))
  for (const each of ['lib', 'etc', 'log', 'backups']) mkdirSync(join(place, each))
  const port = await freePort()
  const managementPort = await freePort()
  const base = `http://127.0.0.1:${port}`
  const management = `http://127.0.0.1:${managementPort}`
  const names: Names = [
    ['http://127.0.0.1:8080', base],
    ['http://127.0.0.1:9090', management],
    ['/var/lib/', `${join(place, 'lib')}/`],
    ['/var/log/', `${join(place, 'log')}/`],
    ['/var/backups/', `${join(place, 'backups')}/`],
    ['/etc/clientele/', `${join(place, 'etc')}/`],
  ]
  const settings = names.reduce((own, [name, here]) => own.replaceAll(name, here), blockOf('json'))
  const withPorts: unknown = { ...JSON.parse(settings), port, 'management-port': managementPort }
  writeFileSync(join(place, 'etc', 'settings.json'), JSON.stringify(withPorts))
  const shell = shellWith(place, names, { CLIENTELE_DATA_DIR: join(place, 'lib', 'clientele') })
  addProgram(place, 'systemctl', supervisor(place, names, management))
  context.world = { place, base, names, shell }
})

year.after(({ world: { place, shell } }) => {
  shell('systemctl stop clientele')
  rmSync(place, { recursive: true })
})

const named = (index: number): string =>
  index === 0 ? 's6BhdRkqt3s6BhdRkqt3' : `client-${String(index).padStart(6, '0')}`

const record = (client_id: string, index: number): string =>
  JSON.stringify({
    clientele_client: 1,
    client_id,
    client_id_issued_at: 1_700_000_000 + index,
    registered_by: 'master',
    privileges: { grant_types: [], scope: [], data: false, preferred_client_id: false, preferred_client_secret: false },
    client_secret: `secret-of-${client_id}-${'x'.repeat(32)}`,
    client_secret_expires_at: 0,
    registration_access_token: `token-of-${client_id}-${'x'.repeat(32)}`,
    metadata: { client_name: `Application ${index}`, redirect_uris: [`https://${client_id}.example/cb`] },
  })

const registerUnwanted = async (base: string, from: number): Promise<void> => {
  const numbers = Array.from({ length: 20 }, (_, index) => from + index)
  for (const response of await Promise.all(
    numbers.map((each) =>
      fetch(`${base}/clients`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_name: `Casino ${each}`, redirect_uris: [`https://casino-${each}.example/cb`] }),
      }),
    ),
  ))
    assert.is(response.status, 200, await response.text())
}

const fill = async ({ place, base, shell }: World): Promise<void> => {
  const records = join(place, 'clients.ndjson')
  writeFileSync(records, Array.from({ length: count }, (_, index) => record(named(index), index)).join('\n'))
  assert.match(shell(`clientele clients import ${records} --from clientele`), 'Imported: 20,000 new')
  for (let from = 0; from < unwanted; from += 20) await registerUnwanted(base, from)
}

// What the output of a command must say, beside its success.
const expected: ReadonlyArray<readonly [string, string | RegExp]> = [
  ['clientele config check', 'valid'],
  ['/secrets', /"client_secret":"secret-of-s6BhdRkqt3s6BhdRkqt3/],
  ['clients list --search casino', /^There are more: --after/m],
  ['--never-used --idle-since', /^client-\d+ {2}unused {2}import {2}registered 2023-/m],
  ['clients delete --search casino', /This would delete 500 clients[\s\S]*^500 clients deleted$/m],
  ['clientele audit list --client', /^ {2}client s6BhdRkqt3s6BhdRkqt3, [\s\S]*changed: /m],
  ['clientele audit verify', /^[\d,]+ rows in [\d,]+ checkpoints/m],
  ['9090/metrics\n', /^# HELP clientele_clients /m],
  ['a-guess', /\d+ 401\n +\d+ 429\n[\s\S]*clientele_refused_total\{what="credentials"\} \d\d/],
  ['8080/clients -H "Authorization: Bearer $(cat', /^405$/m],
  ['--name auditor', /^\S+ {2}auditor\n {2}may clients:read audit$/m],
  ['clientele token list', /client-reg\n[\s\S]*registers no client any more/],
  ['suspend --token', /^1 client suspended$[\s\S]*a client was suspended[\s\S]*from 127\.0\.0\.1/m],
  ['clientele explain', /redirect-uri-web[\s\S]*refused: status 1/],
  ['grep "$ID"', /"status":401.*"error":"missing_token"/],
  ['clients resume', /The client is suspended[\s\S]*The client is in force again/],
  ['clientele encryption-key rotate', /Sealed anew: 20\d{3}[\s\S]*may go/],
  ['clientele reload', /Reloaded: master-token[\s\S]*Reloaded: master-token/],
  ['clientele doctor', /^0 faults/m],
  ['restore /var/backups/clientele-monday.db', /is whole[\s\S]*Not restored[\s\S]*Restored: start the service/],
  ['--data-dir /var/lib/elsewhere', /^client-\d+|^s6BhdRkqt3s6BhdRkqt3/m],
  ['restore /var/backups/before-upgrade.db', /Restored: start the service/],
]

year('every command of the document does what it says, in its order', async ({ world }) => {
  assert.ok(documented.length > 15, String(documented.length))
  for (const command of documented) {
    const output = world.shell(command)
    for (const [of, says] of expected)
      if (`${command}\n`.includes(of)) assert.match(output, says, `${command}\n${output.slice(-2_000)}`)
    if (command.startsWith('systemctl start clientele')) await fill(world)
  }
})

year('what the output of a command must say is of a command of the document', () => {
  const commands = documented.map((command) => `${command}\n`)
  for (const [of] of expected)
    assert.ok(
      commands.some((command) => command.includes(of)),
      of,
    )
})

year('each task of the table has a section, or a document', () => {
  const headings = [...text.matchAll(/^##+ (.*)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  )
  const tasks = [...text.matchAll(/^\| .* \| .*\]\(([^)]*)\).* \|$/gm)].map(([, to = '']) => to)
  assert.ok(tasks.length > 9)
  for (const task of tasks) if (task.startsWith('#')) assert.ok(headings.includes(task.slice(1)), task)
})

year.run()
