import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPublicListener } from '../../packages/adapters-http/src/index.js'
import { createWorld, httpSettings, master } from '../../packages/adapters-http/test/support/in-memory-ports.js'
import { withServer } from '../../packages/adapters-http/test/support/wire.js'

// Generates a client of the OpenAPI document, with a generator from the registry, in a folder outside of the workspace.
const Generated = suite('a generated client')

const run = promisify(execFile)
const generator = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3']

const program = `import createClient from 'openapi-fetch'
import type { components, paths } from './schema.js'

const [baseUrl = '', master = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl })
const bearing = (token: string) => ({ Authorization: \`Bearer \${token}\` })

const body: components['schemas']['RegistrationRequest'] = { redirect_uris: ['https://app.example/callback'] }
const refused = await client.POST('/clients', { headers: bearing(master), body: { ...body, client_name: '' } })
console.log(refused.error?.error, refused.error?.errors?.map(({ rule }) => rule).join())

const { data: registered } = await client.POST('/clients', { headers: bearing(master), body })
if (registered === undefined || !('registration_access_token' in registered)) throw new Error('not registered')
const { client_id: id = '', registration_access_token: token = '' } = registered

const read = await client.GET('/clients/{id}', { params: { path: { id } }, headers: bearing(token) })
console.log(read.data?.client_id === id, read.data?.redirect_uris?.join())

const changed = { ...body, client_name: 'Shop' }
const { data: updated } = await client.PUT('/clients/{id}', {
  params: { path: { id } },
  headers: bearing(token),
  body: changed,
})
console.log(updated?.client_name)

const removed = await client.DELETE('/clients/{id}', { params: { path: { id } }, headers: bearing(master) })
console.log(removed.response.status)
const gone = await client.GET('/clients/{id}', { params: { path: { id } }, headers: bearing(master) })
console.log(gone.response.status)
`

Generated('registers a client, reads it, changes it and deletes it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-generated-'))
  const inFolder = (command: string, ...args: ReadonlyArray<string>) =>
    run(command, [...args], { cwd: folder, timeout: 240_000 })
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    await inFolder('npm', 'install', '--no-audit', '--no-fund', ...generator)
    const listener = createPublicListener(httpSettings(), createWorld(), { withOperators: true })
    await withServer(listener, async ({ base }) => {
      await inFolder('npx', 'openapi-typescript', `${base}/openapi.json`, '-o', 'schema.ts')
      writeFileSync(join(folder, 'node.d.ts'), 'declare const process: { argv: string[] }')
      writeFileSync(join(folder, 'program.ts'), program)
      const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
      await inFolder('npx', 'tsc', ...options, 'program.ts', 'node.d.ts')
      const { stdout } = await inFolder(process.execPath, 'program.js', base, master)
      assert.equal(stdout.trim().split('\n'), [
        'invalid_client_metadata text',
        'true https://app.example/callback',
        'Shop',
        '204',
        '404',
      ])
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

Generated.run()
