import { clientRegistrationHandler } from '@modelcontextprotocol/sdk/server/auth/handlers/register.js'
import { memoryAdapter } from 'better-auth/adapters/memory'
import express from 'express'
import { readFileSync, readdirSync } from 'node:fs'
import { type RequestListener, createServer } from 'node:http'
import { register } from 'node:module'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { register as registerTypeScript } from 'tsx/esm/api'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

// Each kit under the real package: a client is registered, and one with a fault is refused by the rules.
const Kits = suite('kits')

// The kits import the sources of the package, also where these tests are compiled.
const unregister = registerTypeScript()
Kits.after(() => unregister())

const kits = new URL('../../examples/kits/', import.meta.url)
const kit = (name: string) => import(new URL(name, kits).href)

const valid = {
  client_name: 'Shop',
  redirect_uris: ['https://rp.example/callback'],
  token_endpoint_auth_method: 'none',
}
// None of the four packages refuses both of them by itself.
const faults = {
  invalid_redirect_uri: { ...valid, redirect_uris: ['https://rp.example/../callback'] },
  invalid_client_metadata: { ...valid, client_name: 'x'.repeat(201) },
}

type Answer = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }
type Register = (body: unknown) => Promise<Answer>

const answerOf = async (response: Response): Promise<Answer> => ({
  status: response.status,
  body: (await response.json()) as Answer['body'],
})

const request = (url: string, body: unknown): Request =>
  new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const onServer = async (listener: RequestListener, path: string, use: (register: Register) => Promise<void>) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await use(async (body) => answerOf(await fetch(request(`http://127.0.0.1:${port}${path}`, body))))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const followsTheRules = async (registerClient: Register): Promise<void> => {
  const { status, body } = await registerClient(valid)
  assert.is(status, 201, JSON.stringify(body))
  assert.is(typeof body['client_id'], 'string')
  assert.equal(body['redirect_uris'], valid.redirect_uris)
  for (const [code, sent] of Object.entries(faults)) {
    const refused = await registerClient(sent)
    assert.is(refused.status, 400, JSON.stringify(refused.body))
    assert.is(refused.body['error'], code)
    assert.match(String(refused.body['error_description']), /^(an entry of redirect_uris|client_name) must/)
  }
}

Kits('the clients store of the MCP SDK', async () => {
  const { createClientsStore } = await kit('mcp-sdk.mjs')
  const clientsStore = createClientsStore({
    openRegistrationScopes: 'files:read',
    policy: { ceilings: { open: { grant_types: ['authorization_code', 'refresh_token'] } } },
  })
  const app = express().use('/register', clientRegistrationHandler({ clientsStore, rateLimit: false }))
  await onServer(app, '/register', async (registerClient) => {
    await followsTheRules(registerClient)
    const { body } = await registerClient({ ...valid, token_endpoint_auth_method: undefined, scope: 'files:read' })
    const stored = clientsStore.getClient(String(body['client_id']))
    assert.equal(JSON.parse(JSON.stringify(stored)), body)
    assert.is(stored.scope, 'files:read')
    assert.is(stored.client_secret_expires_at, 0)
    const beyond = [
      { ...valid, scope: 'files:write' },
      { ...valid, grant_types: ['implicit'], response_types: ['token'] },
      { ...valid, grant_types: ['client_credentials'], redirect_uris: [] },
    ]
    for (const sent of beyond) assert.is((await registerClient(sent)).status, 400)
    const { body: told } = await registerClient(beyond[0])
    assert.match(
      String(told['error_description']),
      /^this is beyond open registration: ask for no more scope than files:read,/,
    )
  })
})

Kits('the validator of oidc-provider', async () => {
  const { judgedByRules } = await kit('oidc-provider.mjs')
  const provider = new Provider('http://127.0.0.1', {
    features: { registration: { enabled: true }, devInteractions: { enabled: false } },
    extraClientMetadata: judgedByRules(),
  })
  const handle = provider.callback()
  await onServer((request, response) => void handle(request, response), '/reg', followsTheRules)
})

/** A KV namespace as far as registration uses it. */
const keyValues = () => {
  const values = new Map<string, string>()
  return {
    values,
    get: (key: string) => Promise.resolve(values.get(key) ?? null),
    put: (key: string, value: string) => Promise.resolve(void values.set(key, value)),
  }
}

// Workers have this module, and Node does not: the package takes one class of it.
const worker = 'data:text/javascript,export class WorkerEntrypoint {}'
const hooks = `export const resolve = (name, context, next) =>
  name === 'cloudflare:workers' ? { url: '${worker}', shortCircuit: true } : next(name, context)`

Kits('workers-oauth-provider', async () => {
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
  const { default: provider } = await kit('workers-oauth-provider.mjs')
  const store = keyValues()
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
  await followsTheRules(async (body) =>
    answerOf(await provider.fetch(request('https://op.example/register', body), { OAUTH_KV: store }, context)),
  )
  assert.is([...store.values.keys()].filter((key) => key.startsWith('client:')).length, 1)
})

const tables = ['user', 'session', 'account', 'verification', 'jwks', 'oauthClient']

Kits('Better Auth', async () => {
  const { createAuth } = await kit('better-auth.mjs')
  const rows = Object.fromEntries(tables.map((name) => [name, []]))
  const auth = createAuth({
    baseURL: 'https://op.example',
    secret: 'q4Xc0yB7vN2mK9sT5wE8rU1iO6pA3dF0',
    database: memoryAdapter(rows),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
  })
  const url = 'https://op.example/api/auth/oauth2/register'
  await followsTheRules(async (body) => answerOf(await auth.handler(request(url, body))))
  assert.is(rows['oauthClient']?.length, 1)
})

Kits('each is at most sixty lines', () => {
  const names = readdirSync(kits)
  assert.is(names.length, 4)
  for (const name of names) assert.ok(readFileSync(new URL(name, kits), 'utf8').split('\n').length <= 61, name)
})

Kits.run()
