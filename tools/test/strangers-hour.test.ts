// What a stranger does in the first hour, with the packed packages alone, in an empty folder: from `npm install` to an upgrade.
// Each step prints how long it took, and none goes on from one that failed.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../packages/adapters-postgresql/test/support/free-port.js'
import { applicationId, migrations } from '../../packages/adapters-sqlite/src/schema.js'
import {
  type DocumentServer,
  acceptDocuments,
  startDocumentServer,
} from '../../packages/app/test/sign-in/support/document-server.js'
import { openEndUser } from '../../packages/app/test/sign-in/support/end-user.js'
import {
  type Sdk,
  mcpCallback,
  mcpMetadata,
  signInAt,
  withSdk1,
} from '../../packages/app/test/sign-in/support/mcp-host.js'
import { developerIn } from '../../packages/app/test/sign-in/support/provider.js'
import { type Started, serviceReady, startCommand } from '../../packages/app/test/support/documented-commands.js'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))
const packing = fileURLToPath(new URL('../pack.mjs', import.meta.url))

type World = {
  home: string
  project: string
  port: string
  documents: DocumentServer
  service?: Started
  server?: Started
  sdk: Sdk
  curled: string
  failed?: string
}

const Hour = suite<World>("a stranger's hour")
const began = performance.now()

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

const step = (name: string, run: (world: World) => Promise<void>): void =>
  Hour(name, async (world) => {
    assert.is(world.failed, undefined, 'a step before failed')
    const start = performance.now()
    world.failed = name
    await run(world)
    delete world.failed
    console.log(`\nmeasured: ${name}: ${seconds(start)}, ${seconds(began)} in all`)
  })

const execute = promisify(execFile)

// The shell of somebody who has no settings.
const environment = ({ home }: World): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(npm_|node_options|clientele_)/i.test(name))),
  HOME: home,
})

const run = async (world: World, command: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { stdout } = await execute(command, [...args], {
    cwd: world.project,
    env: environment(world),
    timeout: 300_000,
    maxBuffer: 1e8,
  })
  return stdout
}

const clientele = (world: World, ...args: ReadonlyArray<string>): Promise<string> =>
  run(world, 'npx', '--no-install', 'clientele', ...args)

const dataDir = ({ project }: World): string => join(project, 'data')

const serve = async (world: World): Promise<string> => {
  const settings = ['--profile mcp', `--port ${world.port}`, '--open-registration-scopes "openid offline_access tools"']
  world.service = await startCommand(`npx --no-install clientele ${settings.join(' ')}`, serviceReady, {
    cwd: world.project,
    env: { HOME: world.home, ...acceptDocuments() },
  })
  return world.service.found
}

const started = <Program>(program: Program | undefined): Program => {
  assert.ok(program !== undefined, 'it runs')
  return program
}

const stop = async (world: World): Promise<void> => {
  await started(world.service).stop()
  delete world.service
}

const endUserOf = (world: World) => openEndUser(developerIn(dataDir(world)), started(world.service).found)

const idOf = ({ sdk }: World): string => String(sdk.host.information?.['client_id'])

/** The status of a request to the protected server with the token of the client. */
const statusWithToken = async ({ server, sdk }: World): Promise<number> => {
  const response = await fetch(started(server).found, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      Authorization: `Bearer ${String(sdk.host.stored?.access_token)}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return response.status
}

Hour.before(async (world) => {
  const folder = mkdtempSync(join(tmpdir(), 'clientele-stranger-'))
  for (const name of ['home', 'project'] as const) {
    world[name] = join(folder, name)
    mkdirSync(world[name])
  }
  world.port = String(await freePort())
  world.sdk = withSdk1()
  world.documents = await startDocumentServer()
})
Hour.after(async ({ project, documents, service, server }) => {
  await server?.stop()
  await service?.stop()
  await documents.stop()
  rmSync(join(project, '..'), { recursive: true, force: true })
})

step('install the tarballs', async (world) => {
  await run(world, process.execPath, packing, 'packed')
  writeFileSync(join(world.project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const tarballs = readdirSync(join(world.project, 'packed')).map((name) => `./packed/${name}`)
  const versions = readFileSync(join(packages, '../pnpm-workspace.yaml'), 'utf8')
  const more = ['@modelcontextprotocol/sdk', 'openid-client'].map((name) => {
    const [, version = 'latest'] = new RegExp(`^  '?${name}'?: (\\S+)$`, 'm').exec(versions) ?? []
    return `${name}@${version}`
  })
  // The workspace has compiled the database already, because that takes a minute.
  await run(world, 'npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts', ...tarballs, ...more)
  const compiled = 'node_modules/better-sqlite3/build'
  cpSync(join(packages, 'adapters-sqlite', compiled), join(world.project, compiled), { recursive: true })
})

step('start the service', async (world) => {
  const base = await serve(world)
  assert.is((await fetch(`${base}/.well-known/oauth-authorization-server`)).status, 200)
})

step('protect an MCP server', async (world) => {
  cpSync(join(packages, 'app/examples/mcp-server.mjs'), join(world.project, 'mcp-server.mjs'))
  world.server = await startCommand('node mcp-server.mjs', /^MCP server at (\S+)$/m, {
    cwd: world.project,
    env: { HOME: world.home, ISSUER: started(world.service).found, PORT: String(await freePort()) },
  })
  assert.is(await statusWithToken(world), 401)
})

step('register by curl', async (world) => {
  const url = `${started(world.service).found}/clients`
  const body = JSON.stringify({ ...mcpMetadata, client_name: 'By curl' })
  const answer = await run(world, 'curl', '-sS', '-f', '-H', 'Content-Type: application/json', '-d', body, url)
  world.curled = String(JSON.parse(answer).client_id)
  assert.match(await clientele(world, 'clients', 'show', world.curled), 'By curl')
})

step('register by the SDK, and sign in', async (world) => {
  const url = new URL(started(world.server).found)
  await signInAt(url, world.sdk, endUserOf(world))
  assert.match(JSON.stringify(await world.sdk.whoami(url)), '"text"')
  assert.is(await statusWithToken(world), 200)
})

step('register by a metadata document, and sign in', async (world) => {
  const document = world.documents.publish('/client.json', { ...mcpMetadata, client_name: 'By document' })
  const sdk = withSdk1()
  Object.assign(sdk.host, { clientMetadataUrl: document })
  const url = new URL(started(world.server).found)
  await signInAt(url, sdk, endUserOf(world))
  assert.is(sdk.host.information?.['client_id'], document)
  assert.match(JSON.stringify(await sdk.whoami(url)), '"text"')
})

step('suspend the client', async (world) => {
  await clientele(world, 'clients', 'suspend', idOf(world))
  assert.is(await statusWithToken(world), 401)
})

step('audit', async (world) => {
  const rows = await clientele(world, 'audit', 'list', '--json')
  for (const action of ['client_registered', 'client_suspended']) assert.match(rows, action)
  await clientele(world, 'audit', 'verify')
})

step('back up', async (world) => {
  await clientele(world, 'backup', 'backup.db')
  await clientele(world, 'clients', 'delete', world.curled)
  assert.not.match(await clientele(world, 'clients', 'list'), world.curled)
})

step('restore', async (world) => {
  await stop(world)
  await clientele(world, 'restore', 'backup.db', '--yes')
  await serve(world)
  assert.match(await clientele(world, 'clients', 'show', world.curled), 'By curl')
  assert.match(await clientele(world, 'clients', 'list', '--state', 'suspended'), idOf(world))
})

step('find the clients that stricter rules concern, as UPGRADE.md says', async (world) => {
  const upgrade = readFileSync(join(packages, '../UPGRADE.md'), 'utf8')
  const [, commands = ''] = /```\n(mkdir [^`]+)```/.exec(upgrade) ?? []
  for (const file of ['policy.json', 'settings.json']) writeFileSync(join(world.project, file), '{}')
  const found = await run(world, 'sh', '-ec', commands)
  assert.match(found, /\d/)
})

type Statement = {
  readonly pluck: () => Statement
  readonly all: (...values: ReadonlyArray<string>) => ReadonlyArray<string>
  readonly run: (...values: ReadonlyArray<string>) => void
}
type Db = {
  readonly exec: (sql: string) => void
  readonly unsafeMode: () => void
  readonly pragma: (sql: string, options?: { readonly simple: true }) => unknown
  readonly prepare: (sql: string) => Statement
  readonly close: () => void
}

/** Opens a file with the library that the stranger has. */
const open = ({ project }: World, file: string): Db => {
  const Database = createRequire(join(project, 'package.json'))('better-sqlite3') as new (file: string) => Db
  return new Database(file)
}

const namesOf = (schema: string): string =>
  `SELECT name FROM pragma_table_list WHERE schema = '${schema}' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite_%'`
const columnsOf = 'SELECT name FROM pragma_table_info(?, ?)'

/** The rows of the database, as the first release had written them. */
const writtenByFirstRelease = (world: World, file: string, earlier: string): void => {
  const db = open(world, earlier)
  // The tables of the search are written as well.
  db.unsafeMode()
  db.pragma('foreign_keys = OFF')
  db.exec(migrations[0].statements)
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${migrations[0].number}`)
  db.prepare('ATTACH ? AS present').run(file)
  const present = db.prepare(namesOf('present')).pluck().all()
  // A trigger counts the clients.
  const tables = db.prepare(namesOf('main')).pluck().all()
  for (const table of tables.filter((name) => name !== 'client_count' && present.includes(name))) {
    const known = db.prepare(columnsOf).pluck().all(table, 'present')
    const columns = db.prepare(columnsOf).pluck().all(table, 'main')
    const shared = columns.filter((column) => known.includes(column)).join(', ')
    db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} (${shared}) SELECT ${shared} FROM present.${table}`)
  }
  db.close()
}

step('upgrade a database of the first release', async (world) => {
  await stop(world)
  const file = join(dataDir(world), 'clientele.db')
  const earlier = `${file}.earlier`
  writtenByFirstRelease(world, file, earlier)
  for (const name of [file, `${file}-wal`, `${file}-shm`]) rmSync(name, { force: true })
  renameSync(earlier, file)
  await serve(world)
  await stop(world)
  const db = open(world, file)
  assert.is(db.pragma('user_version', { simple: true }), migrations.at(-1)?.number)
  db.close()
  await serve(world)
  assert.match(await clientele(world, 'clients', 'show', world.curled), 'By curl')
  await clientele(world, 'audit', 'verify')
  await clientele(world, 'clients', 'resume', idOf(world))
  const sdk = withSdk1()
  await signInAt(new URL(started(world.server).found), sdk, endUserOf(world))
  assert.is(sdk.host.clientMetadata.redirect_uris[0], mcpCallback)
})

Hour.run()
