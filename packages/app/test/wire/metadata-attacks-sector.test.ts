import { type AddressInfo, type Server, createServer } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allClients, assertCareful, assertUntold, faultsOf, rulesOf } from '../support/metadata/refusals.js'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

type Context = { service: Service; fetching: Service; listener: Server; port: number; connections: () => number }

const sectors = suite<Context>('attacks by sector_identifier_uri')

sectors.before(async (context) => {
  let connections = 0
  context.listener = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  await new Promise<void>((resolve) => context.listener.listen({ port: 0, host: '::', ipv6Only: false }, resolve))
  const { port } = context.listener.address() as AddressInfo
  Object.assign(context, { port, connections: () => connections })
  context.service = await startService({ CLIENTELE_LOG_LEVEL: 'trace' })
  context.fetching = await startService({ CLIENTELE_OUTBOUND_FETCHES: 'true', CLIENTELE_LOG_LEVEL: 'trace' })
})
sectors.after(async ({ service, fetching, listener }) => {
  await Promise.all([service.stop(), fetching.stop()])
  for (const each of [service, fetching]) discard(each.dataDir)
  await new Promise((resolve) => listener.close(resolve))
})

const withstand = async (service: Service, rule: string, uri: string): Promise<ReadonlyArray<string>> => {
  const registered = await register(service)
  const { path, token: rat } = configurationOf(registered)
  const token = await issueToken(service, 'client-reg')
  const before = await allClients(service)
  const json = { redirect_uris, sector_identifier_uri: uri }
  const answers = [
    await register(service, json, token),
    await send(service, path, { method: 'PUT', token: rat, json }),
    await send(service, '/clients?dry_run=true', { method: 'POST', token, json }),
  ]
  for (const answer of answers) {
    assertCareful(answer, 400, 'invalid_client_metadata')
    assert.equal(rulesOf(answer), [`/sector_identifier_uri ${rule}`], uri)
    await assertUntold(service, answer, uri)
  }
  assert.is(await allClients(service), before)
  assert.equal((await send(service, path, { token: rat })).json, registered.json)
  assert.is((await register(service, { redirect_uris }, token)).status, 200, 'the token is not spent')
  return answers.map(({ text }) => text)
}

sectors('with outbound-fetches off: 400 sector-identifier-off, which names the setting', async (context) => {
  const { service, port, connections } = context
  for (const uri of ['https://sector.example/list.json', `https://127.0.0.1:${port}/list.json`])
    await withstand(service, 'sector-identifier-off', uri)
  const answer = await register(service, { redirect_uris, sector_identifier_uri: 'https://sector.example/' })
  assert.match(faultsOf(answer)[0]?.description ?? '', 'outbound-fetches')
  assert.is(connections(), 0)
})

const local = (port: number): ReadonlyArray<string> => [
  `https://127.0.0.1:${port}/list.json`,
  `https://127.0.0.2:${port}/list.json`,
  `https://0.0.0.0:${port}/list.json`,
  `https://[::1]:${port}/list.json`,
  `https://localhost:${port}/list.json`,
  `https://LocalHost:${port}/list.json`,
  `https://a.localhost:${port}/list.json`,
]
const unreachable = [
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://0.0.0.1/',
]

sectors('row 65 with outbound-fetches on: loopback is refused, and nothing connects', async (context) => {
  const { fetching, port, connections } = context
  for (const uri of local(port)) await withstand(fetching, 'sector-identifier', uri)
  assert.is(connections(), 0)
})

for (const uri of unreachable)
  sectors(`row 65 with outbound-fetches on: ${uri} is refused at once`, async ({ fetching }) => {
    const began = performance.now()
    await withstand(fetching, 'sector-identifier', uri)
    assert.ok(performance.now() - began < 2_000, 'nobody waited for a connection')
  })

sectors('row 65 addresses in another form are no hosts', async ({ fetching, port, connections }) => {
  for (const host of [
    '[::ffff:127.0.0.1]',
    '[fd00::1]',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '127.1',
    '2130706433',
    '0x7f000001',
    '017700000001',
    '[::]',
  ])
    await withstand(fetching, 'uri-host', `https://${host}:${port}/list.json`)
  assert.is(connections(), 0)
})

sectors('row 70 the scheme is checked before anything is fetched', async ({ fetching, port, connections }) => {
  await withstand(fetching, 'https-uri', `http://127.0.0.1:${port}/list.json`)
  assert.is(connections(), 0)
})

sectors('row 72 an open and a closed port are told alike', async ({ fetching, port, connections }) => {
  const texts = [
    ...(await withstand(fetching, 'sector-identifier', `https://127.0.0.1:${port}/x.json`)),
    ...(await withstand(fetching, 'sector-identifier', 'https://127.0.0.1:1024/x.json')),
    ...(await withstand(fetching, 'sector-identifier', 'https://nowhere.invalid/x.json')),
  ]
  assert.is(new Set(texts).size, 1)
  assert.is(connections(), 0)
})

sectors('a port of other services is refused at registration, and nothing connects', async ({ fetching }) => {
  for (const port of [22, 25, 444, 1023])
    await withstand(fetching, 'fetched-port', `https://127.0.0.1:${port}/list.json`)
})

sectors('nobody else makes the service reach out: other faults and missing rights come first', async (context) => {
  const { fetching, port, connections } = context
  const sector_identifier_uri = `https://127.0.0.1:${port}/list.json`
  const invalid = await register(fetching, { redirect_uris, sector_identifier_uri, client_name: 7 })
  assert.equal(rulesOf(invalid), ['/client_name string'])
  const token = await issueToken(fetching, 'client-reg:data')
  assert.is((await register(fetching, { redirect_uris, sector_identifier_uri }, token)).status, 403)
  assert.is((await register(fetching, { redirect_uris, sector_identifier_uri }, 'junk')).status, 401)
  assert.is(connections(), 0)
})

sectors('no other URI is ever fetched', async ({ fetching, port, connections }) => {
  const at = (path: string): string => `https://127.0.0.1:${port}/${path}`
  const uris = {
    redirect_uris: [at('cb')],
    logo_uri: at('logo.png'),
    'logo_uri#fr': at('fr.png'),
    client_uri: at(''),
    policy_uri: at('policy'),
    tos_uri: at('tos'),
    jwks_uri: at('jwks'),
    signed_jwks_uri: at('signed-jwks'),
    initiate_login_uri: at('login'),
    request_uris: [at('request')],
    backchannel_logout_uri: at('back'),
    frontchannel_logout_uri: at('front'),
  }
  const answer = await register(fetching, uris)
  assert.is(answer.status, 200, answer.text)
  const { path, token } = configurationOf(answer)
  assert.is((await send(fetching, path, { method: 'PUT', token, json: uris })).status, 200)
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.is(connections(), 0)
})

sectors.run()
