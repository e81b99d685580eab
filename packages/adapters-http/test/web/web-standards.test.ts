// The fetch shell without Node, at run time and in its types.
import { build } from 'esbuild'
import { webcrypto } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createContext, runInContext } from 'node:vm'
import ts from 'typescript'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const web = suite('the fetch shell, by web standards alone')

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: [
    'lib.es2022.d.ts',
    'lib.es2024.string.d.ts',
    'lib.dom.d.ts',
    'lib.dom.iterable.d.ts',
    'lib.dom.asynciterable.d.ts',
  ],
  types: [],
  customConditions: ['@clientele/source'],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
}

web('its types need none of Node', () => {
  const program = ts.createProgram([pathOf('../../src/fetch.ts')], options)
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.includes('/adapters-http/src/'))
  const found = ours.flatMap((file) => program.getSemanticDiagnostics(file))
  assert.equal(
    found.map(
      ({ messageText, file }) => `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    ),
    [],
  )
  assert.ok(ours.some(({ fileName }) => fileName.endsWith('/serve.ts')))
  const files = program.getSourceFiles().map(({ fileName }) => fileName)
  assert.equal(
    files.filter((name) => name.includes('/@types/node/')),
    [],
  )
})

type Host = {
  readonly reconcileKeys: () => Promise<void>
  readonly serving: (masterToken: string) => (request: Request) => Promise<Response>
}

const bundled = async (): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [pathOf('host.ts')],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'host',
    target: 'es2022',
    conditions: ['@clientele/source'],
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? ''
}

// Globals of all these runtimes; no Buffer, no process, no require, and no code from strings.
const standards = {
  URL,
  URLSearchParams,
  Request,
  Response,
  Headers,
  ReadableStream,
  TextEncoder,
  TextDecoder,
  CryptoKey: webcrypto.CryptoKey,
  performance,
  atob,
  btoa,
}

const started = async (source: Pick<typeof crypto, 'subtle' | 'getRandomValues' | 'randomUUID'>): Promise<Host> => {
  const context = createContext({ ...standards, crypto: source }, { codeGeneration: { strings: false, wasm: false } })
  const host: Host = runInContext(`${await bundled()};host`, context)
  return host
}

const master = 'master-token-of-the-test-0123456789'
const headers = { authorization: `Bearer ${master}`, 'content-type': 'application/json' }

web('it runs where nothing else is: keys, registration, a streamed list, a page', async () => {
  const { reconcileKeys, serving } = await started(crypto)
  const handle = serving(master)
  const ask = (path: string, init: RequestInit = {}) =>
    handle(new Request(`https://op.example${path}`, { headers, ...init }))
  await reconcileKeys()
  const { keys }: { keys: ReadonlyArray<unknown> } = JSON.parse(await (await ask('/jwks.json')).text())
  assert.is(keys.length, 2)
  const body = JSON.stringify({ redirect_uris: ['https://rp.example/callback'] })
  const registered: { client_id: string } = JSON.parse(await (await ask('/clients', { method: 'POST', body })).text())
  const list: ReadonlyArray<{ client_id: string }> = JSON.parse(await (await ask('/clients')).text())
  assert.equal(
    list.map(({ client_id }) => client_id),
    [registered.client_id],
  )
  assert.match(await (await ask('/logout')).text(), '<title>nobody')
})

web('nothing is drawn before the first request, which some runtimes do not allow', async () => {
  const state = { drawn: 0 }
  const counting = {
    subtle: crypto.subtle,
    getRandomValues: <Values extends Parameters<typeof crypto.getRandomValues>[0]>(values: Values): Values => {
      state.drawn += 1
      return crypto.getRandomValues(values)
    },
    randomUUID: () => {
      state.drawn += 1
      return crypto.randomUUID()
    },
  }
  const handle = (await started(counting)).serving(master)
  assert.is(state.drawn, 0)
  await handle(new Request('https://op.example/jwks.json'))
  assert.is(state.drawn, 1)
})

web.run()
