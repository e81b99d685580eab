import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// The configuration that an editor finds at the root of the repository.
const root = fileURLToPath(new URL('../..', import.meta.url))

const Editors = suite('editors')

Editors('the compiler, the linter and the formatter are found from the root', () => {
  const found = createRequire(join(root, 'package.json'))
  for (const name of ['typescript', 'eslint', 'prettier']) assert.ok(found.resolve(name))
})

type Answer = {
  readonly command?: string
  readonly request_seq?: number
  readonly body?: { readonly configFileName?: string }
}

/** The configuration of each file, as chosen by the language server of TypeScript. */
const configurations = async (files: ReadonlyArray<string>): Promise<ReadonlyArray<string | undefined>> => {
  const server = spawn(process.execPath, [join(root, 'node_modules/typescript/bin/tsserver')], { cwd: root })
  const ask = (seq: number, command: string, file: string): void => {
    const request = { seq, type: 'request', command, arguments: { file: join(root, file), needFileNameList: false } }
    server.stdin.write(`${JSON.stringify(request)}\n`)
  }
  files.forEach((file, place) => {
    ask(2 * place, 'open', file)
    ask(2 * place + 1, 'projectInfo', file)
  })
  const found: Array<string | undefined> = []
  for await (const line of createInterface(server.stdout)) {
    const { command, body }: Answer = line.startsWith('{') ? JSON.parse(line) : {}
    if (command === 'projectInfo') found.push(body?.configFileName?.slice(root.length))
    if (found.length === files.length) break
  }
  server.kill()
  return found
}

Editors('every kind of file has the settings that the check has for it', async () => {
  assert.equal(
    await configurations([
      'packages/domain/src/errors.ts',
      'packages/domain/test/codec/fault.test.ts',
      'packages/domain/examples/decide-registration.mjs',
    ]),
    ['packages/domain/tsconfig.json', 'tsconfig.test.json', 'tsconfig.examples.json'],
  )
})

Editors.run()
