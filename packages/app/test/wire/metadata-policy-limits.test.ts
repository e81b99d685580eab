import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { withPolicy } from '../support/metadata/policies.js'
import { allClients } from '../support/metadata/refusals.js'
import {
  type Answer,
  configurationOf,
  issueToken,
  redirect_uris,
  register,
  registerOpenly,
  send,
} from '../support/requests.js'
import type { Service } from '../support/composed-service.js'

const limits = suite('the limits and ceilings of the registration policy')

const open = { CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' }
const body = { redirect_uris }

const assertFull = (answer: Answer): void => {
  assert.is(answer.status, 403, answer.text)
  assert.is(answer.json['error'], 'access_denied')
  assert.type(answer.json['error_description'], 'string')
  assert.match(String(answer.headers.get('content-type')), /^application\/json/)
  assert.is(answer.headers.get('www-authenticate'), null)
  assert.is(answer.headers.get('cache-control'), 'no-store')
  assert.is(answer.headers.get('x-content-type-options'), 'nosniff')
}

const count = async (service: Service): Promise<number> => JSON.parse(await allClients(service)).length

const remove = async (service: Service, answer: Answer): Promise<void> => {
  const { path, token } = configurationOf(answer)
  assert.is((await send(service, path, { method: 'DELETE', token })).status, 204)
}

limits('maximum_clients: 403 access_denied for everybody, and room again after DELETE', async () => {
  await withPolicy({ maximum_clients: 2 }, open, async (service) => {
    const first = await register(service)
    const second = await registerOpenly(service, body)
    assert.is(second.status, 200)
    const token = await issueToken(service, 'client-reg')
    assertFull(await register(service, body, token))
    assertFull(await register(service))
    assertFull(await registerOpenly(service, body))
    assert.is(await count(service), 2)
    const { path, token: rat } = configurationOf(first)
    const updated = await send(service, path, { method: 'PUT', token: rat, json: { ...body, client_name: 'B' } })
    assert.is(updated.status, 200, 'an update needs no room')
    await remove(service, updated)
    assert.is((await register(service, body, token)).status, 200, 'the token is not spent, and there is room')
    assertFull(await register(service))
  })
})

limits('maximum_clients: faults of the body and of the token come first', async () => {
  await withPolicy({ maximum_clients: 0 }, {}, async (service) => {
    assert.is((await register(service, {})).status, 400)
    assert.is((await register(service, body, 'junk')).status, 401)
    const weak = await issueToken(service, 'client-reg:data')
    assert.is((await register(service, body, weak)).json['error'], 'insufficient_scope')
    assertFull(await register(service))
    const dry = await send(service, '/clients?dry_run=true', { method: 'POST', token: service.master, json: body })
    assert.is(dry.status, 200, 'a dry run does not count')
  })
})

limits('maximum_clients holds in a crowd', async () => {
  await withPolicy({ maximum_clients: 5 }, {}, async (service) => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issueToken(service, 'client-reg')))
    const answers = await Promise.all(tokens.map((token) => register(service, body, token)))
    assert.is(answers.filter(({ status }) => status === 200).length, 5)
    answers.filter(({ status }) => status !== 200).forEach(assertFull)
    assert.is(await count(service), 5)
  })
})

limits('maximum_unused_open_clients bounds those that nobody vouched for, and only them', async () => {
  await withPolicy({ maximum_unused_open_clients: 2 }, open, async (service) => {
    const [first] = [await registerOpenly(service, body), await registerOpenly(service, body)]
    assertFull(await registerOpenly(service, body))
    assert.is((await register(service)).status, 200, 'MASTER')
    const token = await issueToken(service, 'client-reg:grant:code')
    assert.is((await register(service, body, token)).status, 200, 'a token')
    assertFull(await registerOpenly(service, body))
    await remove(service, first)
    assert.is((await registerOpenly(service, body)).status, 200, 'room again')
    assertFull(await registerOpenly(service, body))
    assert.is(await count(service), 4)
  })
})

limits('maximum_unused_open_clients: a client that signed an end-user in is not counted any more', async () => {
  await withPolicy({ maximum_unused_open_clients: 5 }, open, async (service) => {
    const asMaster = async (path: string, json: unknown): Promise<Answer> => {
      const answer = await send(service, path, { method: 'POST', token: service.master, json })
      assert.ok(answer.status === 200 || answer.status === 201, answer.text)
      return answer
    }
    const registered = await Promise.all(Array.from({ length: 5 }, () => registerOpenly(service, body)))
    assertFull(await registerOpenly(service, body))
    for (const { json } of registered) {
      const { sid } = (await asMaster('/sessions', { sub: 'alice' })).json
      await asMaster(`/sessions/${String(sid)}/clients`, { client_id: json['client_id'] })
    }
    assert.is((await registerOpenly(service, body)).status, 200, 'the sixth')
  })
})

const ceilings = {
  open: { grant_types: ['authorization_code'], scope: ['openid'] },
  managed: {
    grant_types: ['authorization_code', 'client_credentials'],
    scope: ['openid', 'email'],
    data: false,
    preferred_client_id: false,
    preferred_client_secret: false,
  },
}
const openScopes = { ...open, CLIENTELE_OPEN_REGISTRATION_SCOPES: 'openid email' }
const grants = (...grant_types: ReadonlyArray<string>): object => ({ ...body, grant_types })

const exceedingOpen: ReadonlyArray<object> = [
  grants('authorization_code', 'refresh_token'),
  { redirect_uris, grant_types: ['implicit'], response_types: ['id_token'] },
  { ...body, scope: 'openid email' },
]
const exceedingManaged: ReadonlyArray<object> = [
  grants('authorization_code', 'refresh_token'),
  grants('authorization_code', 'password'),
  { ...body, scope: 'openid profile' },
  { ...body, data: { a: 1 } },
  { ...body, preferred_client_id: 'mine' },
  { ...body, preferred_client_secret: 'a chosen secret of 32 characters!' },
]

// RFC 6750 §3.1: no scope of a token would help.
const assertTooLittle = (answer: Answer): void => {
  assert.is(answer.status, 403)
  assert.is(answer.json['error'], 'insufficient_scope')
  const challenge = String(answer.headers.get('www-authenticate'))
  assert.match(challenge, /^Bearer error="insufficient_scope", error_description="[^"]*ask the operator[^"]*"$/)
}

limits('the open ceiling: 401 beyond it without a token', async () => {
  await withPolicy({ ceilings }, openScopes, async (service) => {
    assert.is((await registerOpenly(service, { ...body, scope: 'openid' })).status, 200)
    for (const json of exceedingOpen) assert.is((await registerOpenly(service, json)).status, 401, JSON.stringify(json))
    const { json } = await registerOpenly(service, { ...body, scope: 'openid email' })
    assert.match(
      String(json['error_description']),
      'leave scope out, or ask for no more than openid (the operator sets open-registration-scopes)',
    )
    assert.is(await count(service), 1)
  })
})

limits('the managed ceiling: 403 beyond it with the greatest token, which is not spent; MASTER has none', async () => {
  await withPolicy({ ceilings }, {}, async (service) => {
    const token = await issueToken(service, 'client-reg')
    for (const json of exceedingManaged) assertTooLittle(await register(service, json, token))
    assert.is(await count(service), 0)
    const permitted = { ...grants('authorization_code', 'client_credentials'), scope: 'openid email' }
    assert.is((await register(service, permitted, token)).status, 200)
    for (const json of exceedingManaged) assert.is((await register(service, json)).status, 200, JSON.stringify(json))
  })
})

limits('the ceilings bound updates by the client, and not those by MASTER', async () => {
  await withPolicy({ ceilings }, openScopes, async (service) => {
    const byAnonymous = configurationOf(await registerOpenly(service, body))
    const byToken = configurationOf(await register(service, body, await issueToken(service, 'client-reg')))
    const put = (path: string, token: string, json: object): Promise<Answer> =>
      send(service, path, { method: 'PUT', token, json })
    for (const json of exceedingOpen) assertTooLittle(await put(byAnonymous.path, byAnonymous.token, json))
    for (const json of exceedingManaged.slice(0, 4)) assertTooLittle(await put(byToken.path, byToken.token, json))
    const raised = { ...body, data: { a: 1 }, scope: 'openid profile' }
    const byMaster = await put(byToken.path, service.master, raised)
    assert.is(byMaster.status, 200)
    assertTooLittle(await put(byToken.path, configurationOf(byMaster).token, raised))
    assert.is((await put(byToken.path, configurationOf(byMaster).token, { ...body, scope: 'email' })).status, 200)
  })
})

limits.run()
