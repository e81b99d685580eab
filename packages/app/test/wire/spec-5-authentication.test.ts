import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurationOf, issueToken, redirect_uris, register, send } from '../support/requests.js'
import { type Service, discard, startService } from '../support/composed-service.js'

const specification = suite<{ service: Service; open: Service }>('specification 5: authentication')

specification.before(async (context) => {
  context.service = await startService()
  context.open = await startService({
    CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true',
    CLIENTELE_OPEN_REGISTRATION_SCOPES: 'openid email',
  })
})
specification.after(async ({ service, open }) => {
  for (const each of [service, open]) {
    await each.stop()
    discard(each.dataDir)
  }
})

/** RFC 6750 §3.1: the token is valid, but its scope is insufficient. */
const isInsufficient = async (answer: ReturnType<typeof send>): Promise<void> => {
  const { status, headers } = await answer
  assert.is(status, 403)
  assert.match(String(headers.get('www-authenticate')), 'Bearer error="insufficient_scope"')
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const samlBearer = 'urn:ietf:params:oauth:grant-type:saml2-bearer'

const bodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'client-reg:grant:code': { redirect_uris },
  'client-reg:grant:implicit': { redirect_uris, grant_types: ['implicit'], response_types: ['id_token'] },
  'client-reg:grant:refresh': { grant_types: ['refresh_token'] },
  'client-reg:grant:password': { grant_types: ['password'] },
  'client-reg:grant:client': { grant_types: ['client_credentials'] },
  'client-reg:grant:jwt': { grant_types: [jwtBearer] },
  'client-reg:grant:saml': { grant_types: [samlBearer] },
  'client-reg:scope': { grant_types: [], scope: 'openid email' },
  'client-reg:scope:openid': { grant_types: [], scope: 'openid' },
  'client-reg:data': { grant_types: [], data: { any: 1 } },
  'client-reg:set-id': { grant_types: [], preferred_client_id: 'chosen' },
  'client-reg:set-secret': { grant_types: [], preferred_client_secret: 'a chosen secret of 32 characters!' },
}

for (const [scope, body] of Object.entries(bodies)) {
  specification(`5.1 ${scope} permits what it names`, async ({ service }) => {
    const answer = await register(service, body, await issueToken(service, scope))
    assert.is(answer.status, 200, answer.text)
  })

  specification(`5.1 the other scope values do not permit what ${scope} names`, async ({ service }) => {
    const others = Object.keys(bodies).filter((other) => !other.startsWith(scope) && !scope.startsWith(other))
    const json = { ...body, ...(body['preferred_client_id'] === undefined ? {} : { preferred_client_id: 'other' }) }
    const answer = await register(service, json, await issueToken(service, others.join(' ')))
    assert.is(answer.status, 403)
    assert.match(
      String(answer.headers.get('www-authenticate')),
      `${scope === 'client-reg:scope' ? 'client-reg:scope:email client-reg:scope:openid' : scope}"`,
    )
  })
}

specification('5.1 client-reg permits registration with any grant type and with scope', async ({ service }) => {
  const json = {
    redirect_uris,
    grant_types: ['authorization_code', 'password', 'urn:ietf:params:oauth:grant-type:device_code'],
    scope: 'a b c',
    data: {},
    preferred_client_id: 'by-client-reg',
  }
  assert.is((await register(service, json, await issueToken(service, 'client-reg'))).status, 200)
})

specification('5.1 scope values are space-separated and each adds', async ({ service }) => {
  const scope = 'client-reg:grant:code client-reg:grant:implicit'
  const both = { redirect_uris, grant_types: ['authorization_code', 'implicit'], response_types: ['code', 'token'] }
  assert.is((await register(service, both, await issueToken(service, scope))).status, 200)
  const third = { ...both, grant_types: [...both.grant_types, 'refresh_token'] }
  assert.is((await register(service, third, await issueToken(service, scope))).status, 403)
})

for (const scope of ['openid email', 'OPENID', 'openid2', 'open'])
  specification(`5.1 client-reg:scope:openid does not permit the scope ${scope}`, async ({ service }) => {
    const token = await issueToken(service, 'client-reg:scope:openid')
    assert.is((await register(service, { grant_types: [], scope }, token)).status, 403)
  })

specification('5.1 omitting grant_types asks for authorization_code', async ({ service }) => {
  const token = await issueToken(service, 'client-reg:grant:password')
  assert.is((await register(service, { redirect_uris }, token)).status, 403)
})

for (const scope of ['', 'openid', 'client-reg:scope:', 'client-reg:grant:unknown', 'client-reg  client-reg:data'])
  specification(`5.1 no initial access token is issued for the scope "${scope}"`, async ({ service }) => {
    const answer = await send(service, '/direct-authz', { method: 'POST', token: service.master, json: { scope } })
    assert.is(answer.status, 400)
    assert.is(answer.json['error'], 'invalid_scope')
  })

specification('5.1 an initial access token is issued to the master token alone', async ({ service }) => {
  const json = { scope: 'client-reg' }
  const issued = await send(service, '/direct-authz', { method: 'POST', token: service.master, json })
  assert.is(issued.status, 200)
  assert.equal(issued.json, { ...issued.json, token_type: 'Bearer', expires_in: 3600, scope: 'client-reg' })
  assert.is(issued.headers.get('cache-control'), 'no-store')
  const token = String(issued.json['access_token'])
  const { token: ofClient } = configurationOf(await register(service))
  for (const valid of [token, ofClient])
    await isInsufficient(send(service, '/direct-authz', { method: 'POST', token: valid, json }))
  assert.is((await send(service, '/direct-authz', { method: 'POST', token: 'junk', json })).status, 401)
  assert.is((await send(service, '/direct-authz', { method: 'POST', json })).status, 401)
})

specification('5.1 an initial access token expires', async ({ service }) => {
  const token = await issueToken(service, 'client-reg', 1)
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  const answer = await register(service, { redirect_uris }, token)
  assert.is(answer.status, 401)
  assert.match(String(answer.headers.get('www-authenticate')), 'error="invalid_token"')
})

specification('5.2 a registration access token opens its own client alone', async ({ service }) => {
  const one = configurationOf(await register(service))
  const other = configurationOf(await register(service))
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const json = method === 'PUT' ? { json: { redirect_uris } } : {}
    assert.is((await send(service, other.path, { method, token: one.token, ...json })).status, 401)
  }
  assert.is((await send(service, other.path, { token: other.token })).status, 200)
  assert.is((await send(service, one.path, { token: one.token })).status, 200)
})

specification('5.3 GET /clients takes the master token alone', async ({ service }) => {
  const { token } = configurationOf(await register(service))
  for (const bearer of [token, await issueToken(service, 'client-reg')])
    await isInsufficient(send(service, '/clients', { token: bearer }))
  const consumed = await issueToken(service, 'client-reg')
  await register(service, { redirect_uris }, consumed)
  for (const bearer of [consumed, 'junk']) assert.is((await send(service, '/clients', { token: bearer })).status, 401)
  assert.is((await send(service, '/clients')).status, 401)
  assert.is((await send(service, '/clients', { token: service.master })).status, 200)
})

specification(
  '5.3 open registration: the configured scopes are free, a token adds, an invalid token is refused',
  async ({ open }) => {
    const post = (json: unknown, token?: string): ReturnType<typeof send> =>
      send(open, '/clients', { method: 'POST', json, ...(token === undefined ? {} : { token }) })
    assert.is((await post({ redirect_uris, scope: 'email openid' })).status, 200)
    assert.is((await post({ redirect_uris, scope: 'openid admin' })).status, 401)
    const token = await issueToken(open, 'client-reg:grant:password')
    assert.is((await post({ redirect_uris, grant_types: ['authorization_code', 'password'] }, token)).status, 200)
    assert.is((await post({ redirect_uris }, 'junk')).status, 401)
  },
)

specification('5.3 no step up by PUT: what the registration was allowed bounds its own token', async ({ service }) => {
  const registered = await register(service, { redirect_uris }, await issueToken(service, 'client-reg:grant:code'))
  const { path, token } = configurationOf(registered)
  for (const more of [{ grant_types: ['authorization_code', 'password'] }, { scope: 'openid' }, { data: {} }])
    assert.is((await send(service, path, { method: 'PUT', token, json: { redirect_uris, ...more } })).status, 403)
  assert.equal((await send(service, path, { token })).json, registered.json)
})

specification('credentials: schemes, headers and places that do not count', async ({ service }) => {
  const post = (headers: Readonly<Record<string, string>>, query = ''): ReturnType<typeof send> =>
    send(service, `/clients${query}`, { method: 'POST', json: { redirect_uris }, headers })
  for (const scheme of ['bearer', 'BEARER', 'Bearer '])
    assert.is((await post({ authorization: `${scheme} ${service.master}` })).status, 200, scheme)
  for (const authorization of [
    `Basic ${service.master}`,
    'Bearer',
    'Bearer ',
    `Bearer ${service.master}x`,
    `Bearer ${service.master.slice(1)}`,
    `Bearer a, Bearer ${service.master}`,
  ])
    assert.is((await post({ authorization })).status, 401, authorization)
  assert.is((await post({}, `?access_token=${service.master}`)).status, 401)
  const twice = await post({ authorization: `Bearer ${service.master}` }, `?access_token=${service.master}`)
  assert.is(twice.status, 401)
})

specification.run()
