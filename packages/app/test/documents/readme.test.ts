import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Started, markdownIn, partOf, root, serviceReady, startCommand } from '../support/documented-commands.js'
import { shellWith } from '../support/documented-shell.js'

// Runs every command of the README and of the pages in docs/ against a new service; a command without a rule below is a failure.
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const manifest: { scripts: Readonly<Record<string, string>> } = JSON.parse(read('package.json'))
// These parts have tests of their own, which run their commands: mcp-document.test.ts, a-year.test.ts, deploy/document.test.ts
// and import-export-document.test.ts.
const runElsewhere: Readonly<Record<string, ReadonlyArray<string>>> = {
  'docs/start/mcp.md': ['# An MCP server, protected in five minutes'],
  'docs/operate/deploy.md': ['## Docker', '## systemd', '## Without these files'],
  'docs/operate/year.md': ['## Tasks of a year', '## Backup and restoration', '## Import and export of clients'],
}

const textOf = (file: string): string => {
  const text = read(file)
  return (runElsewhere[file] ?? []).reduce((left, heading) => left.replace(partOf(text, heading), ''), text)
}

type Block = { readonly file: string; readonly command: string; readonly answer: string | undefined }

const blocks: ReadonlyArray<Block> = ['README.md', ...markdownIn('docs')].flatMap((file) =>
  [...textOf(file).matchAll(/```sh\n([\s\S]*?)```(?:\s*```(?:json)?\n([\s\S]*?)```)?/g)].map(
    ([, command = '', answer]) => ({ file, command: command.trim(), answer }),
  ),
)

type Running = { readonly base: string; readonly dataDir: string; readonly place: string }

const documents = suite<{ started?: Started; running?: Running }>('the documents')

// A separate test, so that a failure shows its reason.
documents('npm start brings the service up', async (context) => {
  const place = mkdtempSync(join(tmpdir(), 'clientele-readme-'))
  const dataDir = join(place, 'data')
  const policy = join(place, 'policy.json')
  writeFileSync(policy, '{}')
  writeFileSync(join(place, 'new-policy.json'), '{ "maximum_clients": 10000 }')
  const env = { CLIENTELE_PORT: '0', CLIENTELE_DATA_DIR: dataDir, CLIENTELE_REGISTRATION_POLICY: policy }
  context.started = await startCommand('npm start', serviceReady, { env })
  context.running = { base: context.started.found, dataDir, place }
})
documents.after(async ({ started, running }) => {
  await started?.stop()
  if (running !== undefined) rmSync(running.place, { recursive: true, force: true })
})

// What some commands name: a declared client, an operator token in a file, and a client.
documents('has clients and an operator token for the documents', ({ running }) => {
  assert.ok(running, 'the service is not up')
  const [, declared = ''] = /```yaml\n([\s\S]*?)```/.exec(read('docs/operate/operators.md')) ?? []
  mkdirSync(join(running.place, 'clients'))
  writeFileSync(join(running.place, 'clients', 'shop.yaml'), declared)
  const client = '{ "preferred_client_id": "s6BhdRkqt3s6BhdRkqt3", "redirect_uris": ["https://rp.example/callback"] }'
  shell('clientele operator-token issue --may keys > /etc/clientele/token', running)
  shell(
    `curl -sSf http://127.0.0.1:8080/clients -H "Authorization: Bearer $(cat data/master-token)" --json '${client}'`,
    running,
  )
})

// The addresses and files of the documents are those of this test.
const shell = (command: string, { base, dataDir, place }: Running): string =>
  shellWith(
    place,
    [
      [/http:\/\/127\.0\.0\.1:8080|https:\/\/op\.example/g, base],
      [/(?<=\s)data\//g, `${dataDir}/`],
      [/(?<=\s)clients\//g, `${place}/clients/`],
      [/(?<=\s)new-policy\.json/g, `${place}/new-policy.json`],
      [/\/(?:var\/backups|etc\/clientele)\//g, `${place}/`],
    ],
    { CLIENTELE_DATA_DIR: dataDir },
  )(command)

const namesScript = (script: string) => (): void => assert.type(manifest.scripts[script], 'string')

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
    : typeof value
}

const runs = ({ command, answer }: Block, running: Running): void => {
  const output = shell(command, running)
  if (answer === undefined) return
  if (command.startsWith('curl')) assert.equal(shapeOf(JSON.parse(output)), shapeOf(JSON.parse(answer)))
  else assert.is(output, answer)
}

// The service of the other commands runs already: the settings of this one are checked.
const checks = ({ command }: Block, running: Running): void =>
  void shell(command.replace(/npm start$/, 'node packages/app/bin/clientele.js config check'), running)

const reloads = ({ command }: Block, running: Running): void =>
  assert.match(shell(command, running), /^Reloaded: registration-policy$/m)

// The service of the other commands runs already: the settings of this one are checked, and what stands below it is run.
const servesBeside = ({ command }: Block, running: Running): void =>
  void shell(command.replace(/^clientele serve/, 'clientele config check'), running)

// Without the name that the other commands of this test find in a folder of their own.
const named = ({ command }: Block, { dataDir }: Running): void => {
  const env = { ...process.env, CLIENTELE_DATA_DIR: dataDir }
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', command], { cwd: root, env, encoding: 'utf8' })
  assert.is(status, 0, stdout + stderr)
}

const spansOf = async ({ command }: Block, { place }: Running): Promise<void> => {
  const dataDir = join(place, 'traced')
  const requesting = `${command} --port 0 --data-dir ${dataDir} | while read -r line; do echo "$line"
    case "$line" in "clientele ready "*) curl -sS "\${line#clientele ready }/jwks.json" > /dev/null ;; esac
  done`
  const traced = await startCommand(requesting, /^name: '(GET [^']+)'/m)
  await traced.stop()
  assert.is(traced.found, 'GET /jwks.json')
}

const rules: ReadonlyArray<readonly [RegExp, (block: Block, running: Running) => void | Promise<void>]> = [
  // The service of the other commands was started by this very command, and this test is run by the next.
  [/^npm start$/, namesScript('start')],
  [/^CLIENTELE_[\s\S]* npm start$/, checks],
  // packages/app/test/sign-in/quick-start.test.ts runs it.
  [
    /^node packages\/app\/examples\/application\.mjs$/,
    ({ command }) => assert.ok(existsSync(join(root, command.slice('node '.length)))),
  ],
  // packages/app/test/postgresql/patroni.test.ts runs them each night.
  [
    /^(export CLIENTELE_DATABASE_URL=|apt-get|patronictl|psql) ?/,
    () => assert.ok(existsSync(join(root, 'packages/app/test/postgresql/patroni.test.ts'))),
  ],
  [/^node --import /, spansOf],
  [/^clientele serve /, servesBeside],
  [/^clientele policy check new-policy/, reloads],
  [/^npm test$/, namesScript('test')],
  [/^alias clientele=/, named],
  [/^npm run bench -- --quick$/, namesScript('bench')],
  [/^(cp|curl|npm run build\nnode|node|clientele) /, runs],
]

for (const block of blocks)
  documents(`${block.file}: ${block.command.split('\n')[0]}`, async ({ running }) => {
    const [, run] = rules.find(([pattern]) => pattern.test(block.command)) ?? []
    assert.ok(run, `nothing runs: ${block.command}`)
    assert.ok(running, 'the service is not up')
    await run(block, running)
  })

documents('the first registration has the status that is told below it', ({ running }) => {
  assert.ok(running, 'the service is not up')
  const first = blocks.find(({ command }) => command.startsWith('curl'))?.command ?? ''
  const [, reported] = /^The answer to the registration above has the status (\d+),/m.exec(readme) ?? []
  assert.is(shell(first.replace('-sS', "-sS -o /dev/null -w '%{http_code}'"), running), reported)
})

documents('the remedy that is told for strict clients makes it 201', () => {
  const [, setting = '', value] = /`(CLIENTELE_REGISTRATION_STATUS)=(\d+) npm start`/.exec(readme) ?? []
  const command = 'node packages/app/bin/clientele.js config print --json'
  const { stdout } = spawnSync('sh', ['-c', command], {
    cwd: root,
    env: { ...process.env, [setting]: value },
    encoding: 'utf8',
  })
  assert.match(stdout, /"registration-status": \{\s*"value": 201,/)
})

documents('shows at least the commands that a newcomer needs', () => {
  assert.ok(blocks.length >= 8, String(blocks.length))
})

documents.run()
