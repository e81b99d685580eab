import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rulesOf } from '../support/metadata/refusals.js'
import { type Answer, configurationOf, issueToken, register, registerOpenly, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const clients = suite<{ service: Service }>('what real clients register, in open registration')

clients.before(async (context) => {
  context.service = await startService({
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
    CLIENTELE_SIGNING_ALGORITHMS: 'RS256,ES256',
  })
})
clients.after(async ({ service }) => {
  await service.stop()
  discard(service.dataDir)
})

const modAuthOpenidc = {
  client_name: 'OpenID Connect Apache Module (mod_auth_openidc)',
  redirect_uris: ['https://rp.example/secure/redirect_uri'],
  response_types: ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token'],
  grant_types: ['authorization_code', 'implicit', 'refresh_token'],
  token_endpoint_auth_method: 'client_secret_basic',
  contacts: ['ops@rp.example'],
  initiate_login_uri: 'https://rp.example/secure/redirect_uri',
  frontchannel_logout_uri: 'https://rp.example/secure/redirect_uri?logout=get',
  backchannel_logout_uri: 'https://rp.example/secure/redirect_uri?logout=backchannel',
  post_logout_redirect_uris: ['https://rp.example/loggedout.html'],
}

const inrupt = {
  client_name: 'Solid application',
  redirect_uris: ['https://app.example/redirect'],
  id_token_signed_response_alg: 'ES256',
  grant_types: ['authorization_code', 'refresh_token'],
}

const mcp = {
  client_name: 'MCP client',
  redirect_uris: ['http://localhost:8090/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
}

const oidcAgent = {
  application_type: 'web',
  client_name: 'oidc-agent:name-host',
  response_types: ['code'],
  grant_types: ['refresh_token', 'authorization_code'],
  scope: 'openid offline_access',
  redirect_uris: ['http://localhost:4242'],
}

const accepted: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'mod_auth_openidc over https': modAuthOpenidc,
  'inrupt, without response_types': inrupt,
  'the MCP SDK': mcp,
  '@ai-sdk/mcp, native on loopback': {
    ...mcp,
    application_type: 'native',
    redirect_uris: ['http://127.0.0.1:33418/callback', 'http://[::1]:33418/callback'],
  },
  'Cursor, native': {
    ...mcp,
    client_name: 'Cursor',
    application_type: 'native',
    redirect_uris: [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
  },
  'Visual Studio Code': {
    ...mcp,
    application_type: 'native',
    redirect_uris: ['vscode://dynamicauthprovider/callback', 'vscode-insiders://x', 'http://127.0.0.1:33418/'],
    post_logout_redirect_uris: ['vscode://dynamicauthprovider/bye'],
  },
  'openid-client, next to nothing': { redirect_uris: ['https://rp.example/cb'] },
}

const assertHolds = (answer: Answer, metadata: Readonly<Record<string, unknown>>): void => {
  assert.is(answer.status, 200, answer.text.slice(0, 300))
  for (const [member, value] of Object.entries(metadata)) assert.equal(answer.json[member], value, member)
}

const forbidden = [
  'registration_access_token',
  'registration_client_uri',
  'client_id_issued_at',
  'client_secret_expires_at',
]
const renewed = ['registration_access_token', 'client_secret']
const without = (names: ReadonlyArray<string>, { json }: Answer): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.includes(name)))

for (const [name, metadata] of Object.entries(accepted)) {
  clients(`${name}: accepted as it is`, async ({ service }) => {
    assertHolds(await registerOpenly(service, metadata), metadata)
  })

  clients(`${name}: the answer, sent back without what PUT forbids, changes nothing`, async ({ service }) => {
    let answer = await registerOpenly(service, metadata)
    for (const round of [1, 2]) {
      const { path, token } = configurationOf(answer)
      const next = await send(service, path, { method: 'PUT', token, json: without(forbidden, answer) })
      assert.is(next.status, 200, `round ${round}: ${next.text.slice(0, 300)}`)
      assert.equal(without(renewed, next), without(renewed, answer))
      assert.equal((await send(service, path, { token: configurationOf(next).token })).json, next.json)
      answer = next
    }
  })
}

clients('mod_auth_openidc: its id_token_token_binding_cnf is dropped', async ({ service }) => {
  const answer = await registerOpenly(service, { ...modAuthOpenidc, id_token_token_binding_cnf: 'tbh' })
  assertHolds(answer, modAuthOpenidc)
  assert.not('id_token_token_binding_cnf' in answer.json)
  assert.type(answer.json['client_secret'], 'string')
  assert.is(answer.json['client_secret_expires_at'], 0)
})

clients('mod_auth_openidc over http is told why not, all of it', async ({ service }) => {
  const json: unknown = JSON.parse(JSON.stringify(modAuthOpenidc).replaceAll('https://', 'http://'))
  const answer = await registerOpenly(service, json)
  assert.is(answer.status, 400)
  assert.equal(rulesOf(answer), [
    '/redirect_uris/0 redirect-uri-implicit',
    '/initiate_login_uri https-uri',
    '/post_logout_redirect_uris/0 redirect-uri-web',
    '/frontchannel_logout_uri frontchannel-scheme',
    '/backchannel_logout_uri https-uri',
  ])
})

clients('inrupt gets the response type of its grant', async ({ service }) => {
  assert.equal((await registerOpenly(service, inrupt)).json['response_types'], ['code'])
})

clients('the MCP SDK gets redirect_uris, and no secret for a public client', async ({ service }) => {
  const answer = await registerOpenly(service, mcp)
  assert.not('client_secret' in answer.json)
  assert.not('client_secret_expires_at' in answer.json)
  assert.not(Object.values(answer.json).includes(null))
})

clients('the MCP SDK with a scope needs a token', async ({ service }) => {
  const answer = await registerOpenly(service, { ...mcp, scope: 'mcp:tools' })
  assert.is(answer.status, 401)
  assert.is(answer.headers.get('www-authenticate'), 'Bearer')
})

clients('oidc-agent needs a token for its scope, and is told the scope again', async ({ service }) => {
  assert.is((await registerOpenly(service, oidcAgent)).status, 401)
  const token = await issueToken(service, 'client-reg:grant:code client-reg:grant:refresh client-reg:scope')
  assertHolds(await register(service, oidcAgent, token), oidcAgent)
})

clients('oidc-agent without a port names a private-use scheme, which is not for a web client', async ({ service }) => {
  const more = [...oidcAgent.redirect_uris, 'edu.kit.data.oidc-agent:/redirect']
  const answer = await register(service, { ...oidcAgent, redirect_uris: more })
  assert.is(answer.status, 400)
  assert.equal(rulesOf(answer), ['/redirect_uris/1 redirect-uri-web'])
  const native = await register(service, { ...oidcAgent, redirect_uris: more, application_type: 'native' })
  assert.is(native.status, 200)
})

clients.run()
