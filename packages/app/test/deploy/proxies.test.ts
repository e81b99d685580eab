// The examples of proxies in front of a real service: what it learns of its clients, what they learn of it, and what stays
// behind the proxy. Skipped where the proxy is not installed.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { issueToken, register } from '../support/requests.js'
import { journey } from '../sign-in/support/journey.js'
import { openidClient6 } from '../sign-in/support/openid-client-6.js'
import { type Provider, startProvider } from '../sign-in/support/provider.js'
import { until } from '../support/receivers.js'
import { newDataDir } from '../support/service.js'
import { type Proxy, caddyAsItIs, freePorts, programs, startProxy } from './support/proxies.js'

type World = { readonly proxy: Proxy; readonly provider: Provider; readonly management: string }

const managementPaths = [
  ...['/health/live', '/health/ready', '/metrics', '/console', '/keys', '/logouts', '/initial-access-tokens'],
  ...[
    '/manage/v1/clients',
    '/exported-clients',
    '/encryption/keys',
    '/operator-tokens',
    '/registration-policy/judgement',
  ],
]

type Entry = { readonly route?: string; readonly remote_address?: string; readonly request_id?: string }

const entriesOf = ({ service }: Provider): ReadonlyArray<Entry> =>
  service
    .output()
    .stderr.split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}'))
    .map((line): Entry => JSON.parse(line))

for (const name of ['nginx', 'Caddy'] as const) {
  const proxies = suite<{ world?: World }>(name)
  const it = (title: string, test: (world: World) => Promise<void>): unknown => {
    if (!programs[name].isInstalled) return proxies.skip(title)
    return proxies(title, async ({ world }) => {
      assert.ok(world)
      await test(world)
    })
  }

  proxies.before(async (context) => {
    if (!programs[name].isInstalled) return
    const port = await freePort()
    const managementPort = await freePort()
    const proxy = await startProxy(name, [`127.0.0.1:${port}`], await freePorts())
    const settings = {
      CLIENTELE_BASE_URL: proxy.base,
      CLIENTELE_PORT: String(port),
      CLIENTELE_MANAGEMENT_PORT: String(managementPort),
      CLIENTELE_LIST_CLIENTS_ON_MANAGEMENT_PORT_ALONE: 'true',
      CLIENTELE_TRUSTED_PROXIES: '127.0.0.1',
    }
    const isReached = async (): Promise<boolean> => (await proxy.ask('/jwks.json')).status === 200
    const provider = await startProvider(settings, newDataDir(), () => until(isReached))
    context.world = { proxy, provider, management: `http://127.0.0.1:${managementPort}` }
  })
  proxies.after(async ({ world }) => {
    await world?.provider.stop()
    await world?.proxy.stop()
  })

  it('a client registers, signs an end-user in, refreshes, and is removed', async ({ provider }) =>
    journey(provider, await openidClient6(provider, await issueToken(provider.service, 'client-reg'))))

  it('every URL that the service tells is one of the proxy', async ({ proxy, provider }) => {
    const { text, headers } = await proxy.ask('/.well-known/openid-configuration')
    const metadata = JSON.parse(text) as Readonly<Record<string, unknown>>
    assert.is(metadata['issuer'], proxy.base)
    const urls = Object.values(metadata).filter((each) => typeof each === 'string' && /^https?:/.test(each))
    assert.ok(urls.length > 5)
    for (const url of urls) assert.ok(`${String(url)}/`.startsWith(`${proxy.base}/`), String(url))
    const client = await register(provider.service)
    assert.ok(String(client.json['registration_client_uri']).startsWith(`${proxy.base}/clients/`))
    assert.is(headers['strict-transport-security'], 'max-age=31536000')
  })

  it('leads http to https', async ({ proxy }) => {
    const { status, headers } = await proxy.ask(`${proxy.plain}/jwks.json?a=b`)
    assert.ok([301, 308].includes(status))
    const port = name === 'nginx' ? `:${new URL(proxy.base).port}` : ''
    assert.is(headers['location'], `https://localhost${port}/jwks.json?a=b`)
  })

  it('cookies of end-users are for https alone', async ({ proxy, provider }) => {
    const { json } = await register(provider.service)
    const query = new URLSearchParams({
      client_id: String(json['client_id']),
      response_type: 'code',
      redirect_uri: 'https://rp.example/callback',
      scope: 'openid',
    })
    const { authorization_endpoint } = JSON.parse((await proxy.ask('/.well-known/openid-configuration')).text) as {
      authorization_endpoint: string
    }
    const { headers } = await proxy.ask(`${authorization_endpoint}?${query.toString()}`)
    const cookies = headers['set-cookie'] ?? []
    assert.ok(cookies.length > 0)
    for (const each of cookies) assert.match(each, /; secure/i)
  })

  it('the service knows the address of a client, which chooses neither that nor the id of its request', async ({
    proxy,
    provider,
  }) => {
    const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9', 'X-Request-Id': 'chosen' }
    const path = '/clients/none'
    const { status, headers } = await proxy.ask(path, { ...forged, Authorization: 'Bearer a-guess' }, '127.0.0.2')
    assert.is(status, 401)
    const id = headers['x-request-id']
    assert.not.equal(id, 'chosen')
    const entry = (): Entry | undefined => entriesOf(provider).find(({ request_id }) => request_id === id)
    await until(() => entry() !== undefined)
    assert.is(entry()?.remote_address, '127.0.0.2')
  })

  it('the budgets of abuse are those of each client, not of the proxy', async ({ proxy }) => {
    const guess = async (from: string): Promise<number> =>
      (await proxy.ask('/clients/none', { Authorization: 'Bearer a-guess' }, from)).status
    let refused = 0
    // 100 of a source at once; nginx slows a client down before.
    for (let count = 0; count < 150 && refused === 0; count += 1) refused = (await guess('127.0.0.3')) === 429 ? 1 : 0
    assert.is(refused, 1)
    assert.is(await guess('127.0.0.4'), 401)
  })

  it('nothing of the management port is reached', async ({ proxy, provider, management }) => {
    const authorized = { Authorization: `Bearer ${provider.service.master}` }
    for (const path of managementPaths) {
      assert.is((await proxy.ask(path, authorized, '127.0.0.5')).status, 404, path)
      // The paths are those of the service.
      assert.not.equal((await fetch(management + path, { headers: authorized })).status, 404, path)
    }
    assert.is((await proxy.ask('/clients', authorized, '127.0.0.5')).status, 405)
  })

  proxies.run()
}

const asItIs = suite('the Caddyfile')
const check = programs.Caddy.isInstalled ? asItIs : asItIs.skip
check('is valid without variables', () => {
  const { status, output } = caddyAsItIs()
  assert.is(status, 0, output)
})
asItIs.run()
