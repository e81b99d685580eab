// The examples of hosts, each in its runtime: the service gives the same responses there.
import { build } from 'esbuild'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, redirect_uris, send } from '../../app/test/support/requests.js'
import { binaryOf, fetchRuntimes, versionOf } from '../../../tools/runtimes/binaries.mjs'

fetchRuntimes(['Deno', 'Bun', 'workerd'])
const Hosts = suite<{ folder: string; port: number }>('the service in other hosts')

const packages = fileURLToPath(new URL('../../', import.meta.url))
const master = 'master-token-of-the-examples-0123456789'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

Hosts.before.each(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'clientele-host-'))
  context.port = await freePort()
})
Hosts.after.each(({ folder }) => rmSync(folder, { recursive: true }))

type Started = { readonly child: ChildProcess; readonly output: () => string }

const start = (binary: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Started => {
  const child = spawn(binary, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output }
}

const answering = async (base: string, { child, output }: Started): Promise<void> => {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries += 1) {
    const isUp = await fetch(base).then(
      () => true,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no answer at ${base}: ${output()}`)
}

/** Uses the host when it answers, and always ends it. */
const using = async (base: string, started: Started, use: () => Promise<void>): Promise<void> => {
  try {
    await answering(base, started)
    await use()
  } finally {
    started.child.kill()
    if (started.child.exitCode === null) await once(started.child, 'exit')
  }
}

const registersAndRemoves = async (base: string, token: string): Promise<void> => {
  const service = { base }
  const registered = await send(service, '/clients', { method: 'POST', token, json: { redirect_uris } })
  assert.is(registered.status, 200, registered.text)
  const own = configurationOf(registered)
  assert.ok(own.path.startsWith(`${base}/clients/`))
  assert.equal((await send(service, own.path, { token: own.token })).json, registered.json)
  assert.is((await send(service, own.path, { method: 'DELETE', token: own.token })).status, 204)
  assert.is((await send(service, own.path, { token: own.token })).status, 401)
  const refused = await send(service, '/clients', { method: 'POST', token, json: { redirect_uris: ['/'] } })
  assert.equal([refused.status, refused.json['error']], [400, 'invalid_redirect_uri'])
}

const binary = (name: string): string => {
  const found = binaryOf(name)
  if (found === undefined) throw new Error(`${name} is not installed here`)
  return found
}

Hosts('a Koa application serves the whole service below a path of its own', async ({ folder, port }) => {
  const host = `http://127.0.0.1:${port}`
  const base = `http://127.0.0.1:${port}/op`
  const data = join(folder, 'data')
  const koa = start(process.execPath, [join(packages, 'app/examples/koa-host.mjs')], {
    PORT: String(port),
    DATA_DIR: data,
  })
  await using(host, koa, async () => {
    assert.match((await send({ base: host }, '/')).text, 'an application')
    await registersAndRemoves(base, readFileSync(join(data, 'master-token'), 'utf8').trim())
    const metadata = await send({ base: host }, '/.well-known/oauth-authorization-server/op')
    assert.is(metadata.json['issuer'], base)
    assert.is((await send({ base: host }, '/elsewhere')).status, 404)
  })
})

Hosts('Hono serves it on Bun', async ({ port }) => {
  const host = `http://127.0.0.1:${port}`
  const base = `http://127.0.0.1:${port}/op`
  const file = join(packages, 'adapters-http/examples/hono-on-bun.mjs')
  const hono = start(binary('Bun'), [file], { PORT: String(port), MASTER_TOKEN: master })
  await using(host, hono, async () => {
    assert.match((await send({ base: host }, '/')).text, 'an application')
    await registersAndRemoves(base, master)
    assert.match((await send({ base }, '/jwks.json')).text, '"crv":"P-256"')
    assert.match((await send({ base }, '/logout')).text, '<!doctype html>')
  })
})

const workerConfig = (version: string, port: number): string => `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "worker.mjs")],
    compatibilityDate = "${version}",
    compatibilityFlags = ["no_nodejs_compat", "no_nodejs_compat_v2"],
    bindings = [
      (name = "BASE_URL", text = "http://127.0.0.1:${port}"),
      (name = "MASTER_TOKEN", text = "${master}"),
    ],
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`

Hosts('a Worker registers clients in workerd, without anything of Node', async ({ folder, port }) => {
  await build({
    entryPoints: [join(packages, 'adapters-http/examples/worker.mjs')],
    outfile: join(folder, 'worker.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd'],
    logLevel: 'error',
  })
  writeFileSync(join(folder, 'config.capnp'), workerConfig(versionOf(binary('workerd')), port))
  const base = `http://127.0.0.1:${port}`
  await using(base, start(binary('workerd'), ['serve', join(folder, 'config.capnp')]), () =>
    registersAndRemoves(base, master),
  )
})

Hosts.run()
