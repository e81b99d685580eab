import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Copy, copyTree } from './support/copied-tree.js'

// Each rule fails on a violation, which is planted in a copy of the tree.
type Violation = { readonly file: string; readonly content: string; readonly rule: string }

const inDomain = (name: string, content: string, rule: string): Violation => ({
  file: `packages/domain/src/client/planted-${name}.ts`,
  content,
  rule,
})

const importing = (file: string, name: string, library: string, rule: string): Violation => ({
  file,
  content: `import { ${name} } from '${library}'\nexport const g = ${name}\n`,
  rule,
})

const lint: ReadonlyArray<Violation> = [
  inDomain('throw', `export const f = (): never => {\n  throw new Error('x')\n}\n`, 'refuses with values'),
  inDomain('clock', `export const f = (): number => Date.now()\n`, 'Time comes in as data'),
  inDomain('date', `export const f = (): Date => new Date()\n`, 'Time comes in as data'),
  inDomain('random', `export const f = (): number => Math.random()\n`, 'Random values come in as data'),
  inDomain('async', `export const f = async (): Promise<number> => Promise.resolve(1)\n`, 'Effects are TaskEithers'),
  inDomain('let', `export const f = (): number => {\n  let a = 1\n  a += 1\n  return a\n}\n`, 'Values do not change'),
  inDomain(
    'loop',
    `export const f = (all: Array<number>): void => {\n  for (const one of all) all.push(one)\n}\n`,
    'map, filter, reduce',
  ),
  inDomain('assertion', `export const f = (a: unknown): string => a as string\n`, 'Assertions stand only'),
  inDomain('non-null', `export const f = (a: string | null): string => a!\n`, 'no-non-null-assertion'),
  inDomain('any', `export const f = (a: any): number => Number(a)\n`, 'no-explicit-any'),
  inDomain(
    'legacy',
    `import * as E from 'fp-ts/lib/Either.js'\nexport const f = E.fold\nexport const g = E.chain((a: number) => E.right(a))\n`,
    'the current names',
  ),
  inDomain('import-form', `import { left } from 'fp-ts/Either'\nexport const f = left\n`, 'fp-ts is imported as'),
  inDomain('task', `import * as T from 'fp-ts/lib/Task.js'\nexport const f = T.of(1)\n`, 'have effects'),
  inDomain(
    'reporter',
    `import { PathReporter } from 'io-ts/lib/PathReporter.js'\nexport const f = PathReporter\n`,
    'prints rejected values',
  ),
  inDomain(
    'tuple',
    `export const f = (): number => {
  const [a, b] = [1, 2]
  return a + b
}
`,
    'a declaration of its own',
  ),
  inDomain('default', `const f = 1\nexport default f\n`, 'Exports have names'),
  inDomain('console', `export const f = (): void => console.log(1)\n`, 'no-restricted-globals'),
  inDomain('camel', `export const a_bName = 1\n`, 'camelcase'),
  inDomain('later', `// TODO: later\nexport const f = 1\n`, 'nothing is left for later'),
  inDomain(
    'type-import',
    `import { ClientId } from './client-id.js'\nexport type Id = ClientId\n`,
    'consistent-type-imports',
  ),
  inDomain(
    'switch',
    `export const f = (a: 'x' | 'y'): number => {\n  switch (a) {\n    case 'x':\n      return 1\n  }\n  return 2\n}\n`,
    'switch-exhaustiveness-check',
  ),
  inDomain('boundary', `export const f = (a: number) => a\n`, 'explicit-module-boundary-types'),
  inDomain('floating', `export const f = (a: () => Promise<void>): void => {\n  a()\n}\n`, 'no-floating-promises'),
  {
    file: 'packages/domain/src/use-cases/planted-discarded.ts',
    content: `import * as TE from 'fp-ts/lib/TaskEither.js'\nexport const f = (a: () => TE.TaskEither<string, void>): void => {\n  a()\n}\n`,
    rule: 'no-discarded-pure-expression',
  },
  inDomain('long', `export const a = [\n${'  1,\n'.repeat(400)}]\n`, 'max-lines'),
  inDomain(
    'long-function',
    `export const f = (): ReadonlyArray<number> => {\n  return [\n${'    1,\n'.repeat(80)}  ]\n}\n`,
    'max-lines-per-function',
  ),
  inDomain(
    'complex',
    `export const f = (a: number): number => {\n${[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((n) => `  if (a === ${n}) return ${n * 2}\n`).join('')}  return a\n}\n`,
    'complexity',
  ),
  {
    file: 'packages/app/src/planted-process.ts',
    content: `export const f = (): number => process.pid\n`,
    rule: 'no-restricted-globals',
  },
  inDomain('clock-call', `export const f = (): string => Date()\n`, 'no-restricted-globals'),
  inDomain('clock-taken', `const now = Date.now\nexport const f = (): number => now()\n`, 'no-restricted-globals'),
  inDomain('global', `export const f = (): unknown => globalThis\n`, 'no-restricted-globals'),
  inDomain('timer', `export const f = (g: () => void): void => {\n  setTimeout(g, 1)\n}\n`, 'no-restricted-globals'),
  inDomain(
    'random-taken',
    `const { random } = Math\nexport const f = (): number => random()\n`,
    'Random values come in as data',
  ),
  inDomain('angle', `export const f = (a: unknown): string => <string>a\n`, 'consistent-type-assertions'),
  inDomain('legacy-taken', `import * as E from 'fp-ts/lib/Either.js'\nexport const f = E.fold\n`, 'the current names'),
  inDomain(
    'legacy-named',
    `import { chain } from 'fp-ts/lib/Either.js'\nexport const f = chain\n`,
    'the current names',
  ),
  inDomain('default-again', `export { ClientId as default } from './client-id.js'\n`, 'Exports have names'),
  inDomain('disabled', `export const f = 1 // eslint-disable-line\n`, 'nothing is left for later'),
  inDomain('later-on', `/* for now; TODO: more */\nexport const f = 1\n`, 'no-warning-comments'),
  inDomain('Name', `export const f = 1\n`, 'kebab-case'),
  {
    file: 'packages/app/src/planted-process-import.ts',
    content: `import { pid } from 'node:process'\nexport const f = pid\n`,
    rule: 'Only main.ts knows the process',
  },
]

const boundaries: ReadonlyArray<Violation> = [
  inDomain('node', `import { readFileSync } from 'node:fs'\nexport const f = readFileSync\n`, 'domain-knows-only-fp'),
  {
    file: 'packages/app/src/listening/planted-cluster.ts',
    content: `import cluster from 'node:cluster'\nexport const f = (): boolean => cluster.isPrimary\n`,
    rule: 'cluster-in-its-folder',
  },
  {
    file: 'packages/app/src/commands/planted-workers.ts',
    content: `import { superviseWorkers } from '../workers/workers.js'\nexport const f = superviseWorkers\n`,
    rule: 'one-process-loads-nothing-of-several',
  },
  inDomain(
    'effects',
    `import * as TE from 'fp-ts/lib/TaskEither.js'\nexport const f = TE.right(1)\n`,
    'decisions-have-no-effects',
  ),
  inDomain('reader', `import * as R from 'fp-ts/lib/Reader.js'\nexport const f = R.of(1)\n`, 'no-reader'),
  inDomain(
    'adapter',
    `import type { Store } from '../../../adapters-sqlite/src/index.js'\nexport type S = Store\n`,
    'only-app-knows-adapters',
  ),
  inDomain(
    'circle',
    `import * as self from './planted-circle.js'\nexport const a = (): unknown => self\n`,
    'no-circular',
  ),
  inDomain('orphan', `export const f = 1\n`, 'no-orphans'),
  inDomain('nowhere', `import { f } from './nowhere.js'\nexport const g = f\n`, 'resolvable'),
  inDomain(
    'tests',
    `import { f } from '../../test/support/key-maker.js'\nexport const g = f\n`,
    'tests-stay-out-of-src',
  ),
  {
    file: 'packages/adapters-sqlite/src/planted-kit.ts',
    content: `import { law } from '@clientele/testing'\nexport const g = law\n`,
    rule: 'testing-kit-stays-apart',
  },
  {
    file: 'packages/adapters-memory/src/planted-web.ts',
    content: `import { inMemoryPorts } from '../../web/src/index.js'\nexport const g = inMemoryPorts\n`,
    rule: 'nobody-knows-web',
  },
  {
    file: 'packages/testing/src/planted-node.ts',
    content: `import { readFileSync } from 'node:fs'\nexport const g = readFileSync\n`,
    rule: 'testing-kit-knows-test-libraries',
  },
  {
    file: 'packages/adapters-http/src/planted-meeting.ts',
    content: `import type { Store } from '../../adapters-sqlite/src/index.js'\nexport type S = Store\n`,
    rule: 'adapters-do-not-meet',
  },
  {
    file: 'packages/adapters-http/src/planted-app.ts',
    content: `import { f } from '../../app/src/index.js'\nexport const g = f\n`,
    rule: 'nobody-knows-app',
  },
  {
    file: 'packages/stored-rows/src/planted-database.ts',
    content: `import type { Store } from '../../adapters-sqlite/src/index.js'\nexport type S = Store\n`,
    rule: 'stored-rows-know-domain-only',
  },
  {
    file: 'packages/adapters-http/src/planted-rows.ts',
    content: `import { rowContext } from '../../stored-rows/src/index.js'\nexport const g = rowContext\n`,
    rule: 'only-stores-know-stored-rows',
  },
  {
    file: 'packages/playground/src/planted-in-memory.ts',
    content: `import { createStore } from '@clientele/adapters-memory'\nexport const g = createStore\n`,
    rule: 'playground-knows-domain-only',
  },
  {
    file: 'packages/adapters-http/src/planted-playground.ts',
    content: `import { view } from '../../playground/src/index.js'\nexport const g = view\n`,
    rule: 'only-app-knows-playground',
  },
  {
    file: 'packages/adapters-http/src/planted-door.ts',
    content: `import { fault } from '../../domain/src/codec/fault.js'\nexport const g = fault\n`,
    rule: 'front-door-only',
  },
  {
    file: 'packages/adapters-http/src/planted-koa.ts',
    content: `import Koa from 'koa'\nexport const g = Koa\n`,
    rule: 'koa-in-its-shell',
  },
  {
    file: 'packages/web/src/planted-pages.ts',
    content: `import { createPageRenderer } from '@clientele/adapters-http'\nexport const g = createPageRenderer\n`,
    rule: 'fetch-shell-is-web-only',
  },
  {
    file: 'packages/app/src/planted-sqlite.ts',
    content: `import Database from 'better-sqlite3'\nexport const g = Database\n`,
    rule: 'sqlite-in-its-package',
  },
  importing('packages/adapters-http/src/planted-outbound.ts', 'Agent', 'undici', 'outbound-in-its-package'),
  importing('packages/app/src/logout/planted-client.ts', 'discovery', 'openid-client', 'openid-client-in-its-package'),
  importing('packages/adapters-login/src/planted-client.ts', 'discovery', 'openid-client', 'openid-client-when-used'),
  importing('packages/app/src/commands/planted-commander.ts', 'Command', 'commander', 'commander-in-the-command-line'),
  {
    file: 'packages/app/src/observing/planted-back.ts',
    content: `import { listen } from '../listening/listening-server.js'\nexport const g = listen\n`,
    rule: 'no-folder-cycle',
  },
  {
    file: 'packages/app/src/planted-jose.ts',
    content: `import { decodeJwt } from 'jose'\nexport const g = decodeJwt\n`,
    rule: 'jose-in-its-package',
  },
  {
    file: 'packages/adapters-http/src/logout/planted-nunjucks.ts',
    content: `import nunjucks from 'nunjucks'\nexport const g = nunjucks\n`,
    rule: 'nunjucks-in-one-file',
  },
  {
    file: 'packages/app/src/planted-undeclared.ts',
    content: `import fc from 'fast-check'\nexport const g = fc\n`,
    rule: 'declared-dependencies',
  },
]

type Linted = ReadonlyArray<{
  readonly filePath: string
  readonly messages: ReadonlyArray<{ ruleId: string; message: string }>
}>
type Cruised = { readonly summary: { readonly violations: ReadonlyArray<{ from: string; rule: { name: string } }> } }

const rules = suite<{ copy: Copy; linted: Linted; cruised: Cruised }>('planted violations')

const outputOf = ({ folder }: Copy, tool: string, ...args: ReadonlyArray<string>): unknown => {
  const program = join(folder, 'tools/node_modules', tool)
  const options = { cwd: folder, encoding: 'utf8', maxBuffer: 1e8 } as const
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], options)
  assert.ok(stdout.startsWith('{') || stdout.startsWith('['), stderr)
  return JSON.parse(stdout)
}

rules.before((context) => {
  context.copy = copyTree()
  for (const { file, content } of [...lint, ...boundaries]) writeFileSync(join(context.copy.folder, file), content)
  const files = lint.map(({ file }) => file)
  context.linted = outputOf(context.copy, 'eslint/bin/eslint.js', '--format', 'json', ...files) as Linted
  const cruiser = 'dependency-cruiser/bin/dependency-cruise.mjs'
  context.cruised = outputOf(context.copy, cruiser, '--output-type', 'json', 'packages') as Cruised
})
rules.after(({ copy }) => copy.remove())

for (const { file, rule } of lint)
  rules(`lint is red on ${file}`, ({ linted }) => {
    const found = linted.find(({ filePath }) => filePath.endsWith(file))?.messages ?? []
    assert.ok(
      found.some(({ ruleId, message }) => `${ruleId} ${message}`.includes(rule)),
      JSON.stringify(found),
    )
  })

for (const { file, rule } of boundaries)
  rules(`the boundary ${rule} is red on ${file}`, ({ cruised }) => {
    const found = cruised.summary.violations
      .filter(({ from }) => from === file || from === dirname(file))
      .map((violation) => violation.rule.name)
    assert.ok(found.includes(rule), `found ${found.join()}`)
  })

rules('no other file is red', ({ cruised }) => {
  const files = cruised.summary.violations.filter(({ from }) => from.endsWith('.ts'))
  const others = files.filter(({ from }) => !from.includes('/planted-'))
  assert.equal(others, [])
})

rules.run()
