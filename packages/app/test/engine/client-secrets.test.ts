// Two client_secrets over the wire: a second one is added at one instance, both authenticate at each, and the one before ends.
// docs/use/register.md.
import { type State, emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { createHmac } from 'node:crypto'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { post, run } from '../cli/run.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser } from './support/browser.js'
import { type Application, confidential, configured, refused, signIn } from './support/relying-party.js'

type Members = Readonly<Record<string, unknown>>

const ask = async (
  { url }: Service,
  method: string,
  { registered }: Application,
  { below = '', token = masterToken, json }: { below?: string; token?: string; json?: object } = {},
) => {
  const path = `/manage/v1/clients/${encodeURIComponent(registered.client_id)}/client-secrets${below}`
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await answer.text()
  return { status: answer.status, members: (text === '' ? {} : JSON.parse(text)) as Members }
}

const added = async (service: Service, application: Application, json: object = {}): Promise<string> => {
  const { status, members } = await ask(service, 'POST', application, { json })
  assert.is(status, 200, JSON.stringify(members))
  return String(members['client_secret'])
}

const secretsOf = async (service: Service, application: Application): Promise<ReadonlyArray<Members>> =>
  (await ask(service, 'GET', application)).members['secrets'] as ReadonlyArray<Members>

/** The status of a token request that the client authenticates by the secret. */
const status = async ({ url }: Service, { registered }: Application, secret: string): Promise<number> => {
  const credentials = Buffer.from(`${registered.client_id}:${secret}`).toString('base64')
  const answer = await fetch(`${url}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  return answer.status
}

const statuses = (world: World, application: Application, ...secrets: ReadonlyArray<string>) =>
  Promise.all([world.one, world.other].flatMap((each) => secrets.map((secret) => status(each, application, secret))))

type Opened = { readonly world: World; readonly clock: { ahead: number }; readonly state: State }

const open = async (more: Readonly<Record<string, string>> = {}): Promise<Opened> => {
  const clock = { ahead: 0 }
  const state = emptyState()
  const now = () => secondsAfter(epochSeconds(Date.now()), clock.ahead)
  const settings = { engine: 'oidc-provider', 'registration-status': '201', ...more }
  return { world: await startTwo(settings, { now }, openInMemoryStore(state)), clock, state }
}

const two = suite<Opened>('two client_secrets')

two.before(async (context) => {
  Object.assign(context, await open())
})
two.after(({ world }) => stopTwo(world))

two('a second one is shown once; both authenticate, and the dropped one does not', async ({ world }) => {
  const application = await configured(world.one, confidential)
  const first = application.registered.client_secret
  const second = await added(world.one, application)
  assert.is.not(second, first)
  assert.equal(await statuses(world, application, first, second, 'another'), [200, 200, 401, 200, 200, 401])
  const third = await ask(world.other, 'POST', application, { json: {} })
  assert.equal([third.status, third.members['error']], [409, 'client_secret_conflict'])
  const listed = await ask(world.other, 'GET', application)
  for (const secret of [first, second]) assert.not(JSON.stringify(listed).includes(secret))
  assert.equal(
    (await secretsOf(world.other, application)).map((each) => each['secret']),
    ['newest', 'preceding'],
  )
  assert.is((await ask(world.other, 'DELETE', application, { below: '/preceding' })).status, 200)
  assert.equal(await statuses(world, application, first, second), [401, 200, 401, 200])
  const again = await ask(world.one, 'DELETE', application, { below: '/preceding' })
  assert.equal([again.status, again.members['unchanged']], [200, true])
})

two('both are taken in the body and as the key of an assertion', async ({ world }) => {
  const methods = [
    ['client_secret_post', client.ClientSecretPost],
    ['client_secret_jwt', client.ClientSecretJwt],
  ] as const
  for (const [token_endpoint_auth_method, authenticate] of methods) {
    const application = await configured(world.one, { ...confidential, token_endpoint_auth_method })
    const { client_id, client_secret: first } = application.registered
    const second = await added(world.one, application)
    const as = async (secret: string): Promise<unknown> => {
      const execute = [client.allowInsecureRequests]
      const config = await client.discovery(new URL(world.other.url), client_id, {}, authenticate(secret), { execute })
      return client.clientCredentialsGrant(config)
    }
    for (const secret of [first, second]) await as(secret)
    assert.is(await refused(as('x'.repeat(43))), 'invalid_client')
    await ask(world.one, 'DELETE', application, { below: '/preceding' })
    assert.is(await refused(as(first)), 'invalid_client')
    await as(second)
  }
})

two('the one before ends at its time, without another request', async ({ world, clock }) => {
  const application = await configured(world.one, confidential)
  const first = application.registered.client_secret
  const end = Math.floor(Date.now() / 1000) + 600
  const second = await added(world.one, application, { preceding_ends_at: end })
  assert.equal(await statuses(world, application, first, second), [200, 200, 200, 200])
  assert.is(
    (await ask(world.one, 'PUT', application, { below: '/preceding', json: { ends_at: end + 600 } })).status,
    200,
  )
  clock.ahead = 700
  assert.equal(await statuses(world, application, first, second), [200, 200, 200, 200])
  clock.ahead = 1300
  assert.equal(await statuses(world, application, first, second), [401, 200, 401, 200])
  assert.is((await secretsOf(world.one, application)).length, 1)
  const late = await ask(world.one, 'PUT', application, { below: '/preceding', json: { ends_at: end + 9999 } })
  assert.is(late.status, 409)
  const past = await ask(world.one, 'POST', application, { json: { preceding_ends_at: end } })
  assert.is(past.status, 400)
  clock.ahead = 0
})

two('the day of the last use is shown of each, from both instances', async ({ world }) => {
  const application = await configured(world.one, confidential)
  const first = application.registered.client_secret
  const second = await added(world.one, application)
  assert.equal(
    (await secretsOf(world.one, application)).map((each) => each['last_use']),
    [undefined, undefined],
  )
  await status(world.one, application, first)
  await status(world.other, application, second)
  const today = Math.floor(Date.now() / 86_400_000) * 86_400
  for (let tries = 0; tries < 100; tries += 1) {
    const days = (await secretsOf(world.other, application)).map((each) => each['last_use'])
    if (days.every((day) => day === today)) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  assert.unreachable('the uses were not written')
})

const updated = async ({ url }: Service, { registered }: Application): Promise<Members> => {
  const { client_id, registration_access_token, client_secret } = registered
  const answer = await fetch(`${url}/clients/${client_id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${registration_access_token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...confidential, client_id, client_secret }),
  })
  assert.is(answer.status, 200)
  return (await answer.json()) as Members
}

two('a PUT that makes a new one leaves the old one good for the overlap alone', async () => {
  const rotating = { 'rotate-client-secret-on-update': 'true' }
  for (const overlap of [0, 60]) {
    const { world, clock } = await open({ ...rotating, 'client-secret-overlap': String(overlap) })
    const application = await configured(world.one, confidential)
    const first = application.registered.client_secret
    const answer = await updated(world.one, application)
    assert.equal(Object.keys(answer).sort(), Object.keys(application.registered).sort())
    const second = String(answer['client_secret'])
    assert.equal(
      await statuses(world, application, first, second),
      overlap === 0 ? [401, 200, 401, 200] : [200, 200, 200, 200],
    )
    clock.ahead = 61
    assert.equal(await statuses(world, application, first, second), [401, 200, 401, 200])
    await stopTwo(world)
  }
})

two('an ID token is signed by the newest one', async ({ world }) => {
  const metadata = { ...confidential, id_token_signed_response_alg: 'HS256' }
  const application = await configured(world.one, metadata)
  const second = await added(world.one, application)
  // The application has changed to the new one.
  const registered = { ...application.registered, client_secret: second }
  const execute = [client.allowInsecureRequests]
  const config = await client.discovery(
    new URL(world.one.url),
    registered.client_id,
    { ...registered },
    client.ClientSecretBasic(second),
    { execute },
  )
  const { tokens } = await signIn(world.one, { ...application, registered, config }, new Browser())
  const [head = '', payload = '', signature = ''] = (tokens.id_token ?? '').split('.')
  assert.is(createHmac('sha256', second).update(`${head}.${payload}`).digest('base64url'), signature)
})

two('where the newest has expired, the one before authenticates, and nothing is signed', async ({ world, state }) => {
  const application = await configured(world.one, { ...confidential, id_token_signed_response_alg: 'HS256' })
  const { client_id, client_secret: first } = application.registered
  const second = await added(world.one, application)
  const stored = state.clients.get(client_id)
  if (stored?.secret === undefined) throw new Error('the client has a secret')
  const expired = { ...stored.secret, client_secret_expires_at: epochSeconds(1000) }
  state.clients.set(client_id, { ...stored, secret: expired, version: stored.version + 1 })
  assert.equal(await statuses(world, application, first, second), [200, 401, 200, 401])
  const outcome = await signIn(world.one, application, new Browser()).catch((cause: unknown) => cause)
  assert.instance(outcome, client.WWWAuthenticateChallengeError)
})

two('commands add, show and drop; without the privileges nothing is done', async ({ world }) => {
  const application = await configured(world.one, confidential)
  const id = application.registered.client_id
  const environment = { CLIENTELE_DATA_DIR: world.directories[0] ?? '' }
  const shown = async (...words: ReadonlyArray<string>): Promise<string> => {
    const { status: ended, output, errors } = await run(['clients', ...words], environment)
    assert.is(ended, 0, errors)
    return output
  }
  const [, second = ''] =
    /^client_secret {2}(\S+)$/m.exec(await shown('add-secret', id, '--preceding-until', '2099-01-01')) ?? []
  assert.equal(await statuses(world, application, second), [200, 200])
  assert.match(await shown('secrets', id), /^newest .*no end\npreceding .*until 2099-01-01T00:00:00Z\n$/)
  assert.match(await shown('drop-secret', id, '--at', '2098-01-01'), 'ends at that time')
  assert.match(await shown('drop-secret', id), 'dropped')
  assert.match(await shown('drop-secret', id), 'one client_secret alone')
  assert.is((await run(['clients', 'add-secret', id, '--preceding-until', '1999-01-01'], environment)).status, 1)
  for (const [scope, method, below] of [
    ['clients:read clients:write', 'POST', ''],
    ['clients:read clients:secrets', 'DELETE', '/preceding'],
    ['clients:write clients:secrets', 'GET', ''],
  ] as const) {
    const issued = await post(`${world.one.url}/operator-tokens`, masterToken, { scope, lifetime: 600 })
    const { access_token: token } = (await issued.json()) as { access_token: string }
    assert.is(
      (await ask(world.one, method, application, { below, token, ...(method === 'POST' ? { json: {} } : {}) })).status,
      403,
    )
  }
})

two.run()
