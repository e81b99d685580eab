import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// Runs every command of the README and of docs/*.md against a new service; a command without a rule below is a failure.
const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const manifest: { scripts: Readonly<Record<string, string>> } = JSON.parse(read('package.json'))
const pages = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)

type Block = { readonly file: string; readonly command: string; readonly answer: string | undefined }

const blocks: ReadonlyArray<Block> = ['README.md', ...pages].flatMap((file) =>
  [...read(file).matchAll(/```sh\n([\s\S]*?)```(?:\s*```(?:json)?\n([\s\S]*?)```)?/g)].map(
    ([, command = '', answer]) => ({ file, command: command.trim(), answer }),
  ),
)

type Running = { readonly child: ChildProcess; readonly base: string; readonly dataDir: string }

const documents = suite<{ running?: Running }>('the documents')

const startByNpm = (dataDir: string): Promise<Running> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, CLIENTELE_PORT: '0', CLIENTELE_DATA_DIR: dataDir }
    const child = spawn('npm', ['start'], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let seen = ''
    const look = (chunk: Buffer): void => {
      seen += chunk.toString()
      const [, base] = /^clientele ready (\S+)$/m.exec(seen) ?? []
      if (base !== undefined) resolve({ child, base, dataDir })
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.on('close', () => reject(new Error(seen)))
  })

// A separate test, so that a failure shows its reason.
documents('npm start brings the service up', async (context) => {
  context.running = await startByNpm(mkdtempSync(join(tmpdir(), 'clientele-readme-')))
})
documents.after(async ({ running }) => {
  if (running === undefined) return
  const ended = new Promise((resolve) => running.child.on('close', resolve))
  // npm does not forward every signal, so that the whole process group receives it.
  process.kill(-Number(running.child.pid), 'SIGTERM')
  await ended
  rmSync(running.dataDir, { recursive: true, force: true })
})

const shell = (command: string, { base, dataDir }: Running): string => {
  const here = command
    .replaceAll('http://127.0.0.1:8080', base)
    .replaceAll('data/master-token', `${dataDir}/master-token`)
  const env = { ...process.env, CLIENTELE_DATA_DIR: dataDir }
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', here], { cwd: root, env, encoding: 'utf8' })
  assert.is(status, 0, `${command}\n${stdout}${stderr}`)
  return stdout
}

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

const rules: ReadonlyArray<readonly [RegExp, (block: Block, running: Running) => void]> = [
  // The service of the other commands was started by this very command, and this test is run by the next.
  [/^npm start$/, namesScript('start')],
  [/^CLIENTELE_[\s\S]* npm start$/, checks],
  // packages/app/test/browser/sign-in.test.ts runs it, with a browser.
  [
    /^node packages\/app\/examples\/application\.mjs$/,
    ({ command }) => assert.ok(existsSync(join(root, command.slice('node '.length)))),
  ],
  [/^npm test$/, namesScript('test')],
  [/^npm run bench -- --quick$/, namesScript('bench')],
  [/^(curl|npm run build\nnode|node) /, runs],
]

for (const block of blocks)
  documents(`${block.file}: ${block.command.split('\n')[0]}`, ({ running }) => {
    const [, run] = rules.find(([pattern]) => pattern.test(block.command)) ?? []
    assert.ok(run, `nothing runs: ${block.command}`)
    assert.ok(running, 'the service is not up')
    run(block, running)
  })

documents('the first registration has the status that is told below it', ({ running }) => {
  assert.ok(running, 'the service is not up')
  const first = blocks.find(({ command }) => command.startsWith('curl'))?.command ?? ''
  const [, reported] = /^The status is (\d+),/m.exec(readme) ?? []
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
