// The steps of docs/start/mcp.md, run as they are written there; ports and data directory come from the environment.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { type Started, commandsIn, root, serviceReady, startCommand } from '../support/documented-commands.js'
import { send } from '../support/requests.js'
import { discard, newDataDir } from '../support/service.js'
import { openEndUser } from './support/end-user.js'
import { type Sdk, signInAt, withSdk1, withSdk2 } from './support/mcp-host.js'
import { developerIn } from './support/provider.js'

const document = 'docs/start/mcp.md'
const [start = '', serve = ''] = commandsIn(document)

type World = { dataDir: string; service: Started; server: Started; other: Started }

const mcp = suite<World>('the steps of docs/start/mcp.md')

const serveAt = async (issuer: string, dataDir: string): Promise<Started> => {
  const env = { ISSUER: issuer, PORT: `${await freePort()}`, TOKEN_FILE: join(dataDir, 'master-token') }
  return startCommand(serve, /^MCP server at (\S+)$/m, { env })
}

mcp.before(async (context) => {
  context.dataDir = newDataDir()
  const env = { CLIENTELE_PORT: '0', CLIENTELE_DATA_DIR: context.dataDir }
  context.service = await startCommand(start, serviceReady, { env })
  context.server = await serveAt(context.service.found, context.dataDir)
  context.other = await serveAt(context.service.found, context.dataDir)
})
mcp.after(async ({ dataDir, service, server, other }) => {
  for (const each of [other, server, service]) await each.stop()
  discard(dataDir)
})

const ask = async (server: Started, token?: string) => {
  const headers = { Accept: 'application/json, text/event-stream', 'Content-Type': 'application/json' }
  const { status, headers: answered } = await fetch(server.found, {
    method: 'POST',
    headers: token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })
  return { status, challenge: String(answered.get('www-authenticate')) }
}

mcp('without a token it is 401, with the place of the metadata', async ({ service, server }) => {
  const { status, challenge } = await ask(server)
  assert.is(status, 401)
  const [, place = '', scope] = /^Bearer resource_metadata="([^"]+)", scope="(tools)"$/.exec(challenge) ?? []
  const metadata = await fetch(place)
  assert.is(metadata.headers.get('content-type'), 'application/json')
  assert.equal(await metadata.json(), {
    resource: server.found,
    authorization_servers: [service.found],
    scopes_supported: [scope],
  })
})

const developerSub = (dataDir: string): string => {
  const file = readFileSync(join(dataDir, 'accounts.json'), 'utf8')
  return (JSON.parse(file) as { accounts: [{ sub: string }] }).accounts[0].sub
}

const signIn = ({ dataDir, service, server }: World, sdk: Sdk): Promise<void> =>
  signInAt(new URL(server.found), sdk, openEndUser(developerIn(dataDir), service.found))

for (const [name, create] of [
  ['1', withSdk1],
  ['2', withSdk2],
] as const)
  mcp(`SDK ${name}: it calls the tool; its token is for this server, and ends with the client`, async (context) => {
    const { dataDir, service, server, other } = context
    const sdk = create()
    await signIn(context, sdk)
    assert.match(JSON.stringify(await sdk.whoami(new URL(server.found))), `"text":"${developerSub(dataDir)}"`)
    const token = String(sdk.host.stored?.access_token)
    assert.is((await ask(server, token)).status, 200)

    const elsewhere = await ask(other, token)
    assert.is(elsewhere.status, 401)
    assert.match(elsewhere.challenge, 'error="invalid_token"')

    const master = readFileSync(join(dataDir, 'master-token'), 'utf8').trim()
    const path = `/clients/${String(sdk.host.information?.['client_id'])}`
    assert.is((await send({ base: service.found }, path, { method: 'DELETE', token: master })).status, 204)
    const ended = await ask(server, token)
    assert.is(ended.status, 401)
    assert.match(ended.challenge, 'error="invalid_token"')
  })

mcp('a token without the scope is refused with 403', async (context) => {
  const { server } = context
  const sdk = withSdk1({ scope: 'openid' })
  await signIn(context, sdk)
  const { status, challenge } = await ask(server, sdk.host.stored?.access_token)
  assert.is(status, 403)
  assert.match(challenge, /error="insufficient_scope".*scope="tools"/)
})

mcp('the example has 60 lines at most', () => {
  const [, file = ''] = /^node (\S+)$/.exec(serve) ?? []
  const lines = readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
  assert.ok(lines <= 60, String(lines))
})

mcp.run()
