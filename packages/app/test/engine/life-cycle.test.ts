// docs/operate/year.md#life-cycle-of-a-client: the table of states and doors, cell by cell, as two instances on one store answer.
import { emptyState, openInMemoryStore } from '@clientele/adapters-memory'
import { ClientId } from '@clientele/domain/client'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import {
  type ClientState,
  type Door,
  type DoorAnswers,
  type Withdrawn,
  answersOfDoors,
  clientStates,
  defaultLifeCycle,
  doors,
  stateOf,
  useUnit,
  withdrawnTexts,
} from '@clientele/domain/life-cycle'
import * as client from 'openid-client'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { done, masterToken } from '../support/two-services.js'
import { Browser } from './support/browser.js'
import {
  type Application,
  callback,
  confidential,
  configured,
  configuredAs,
  introspected,
  refused,
  signIn,
} from './support/relying-party.js'

type State = ReturnType<typeof emptyState>
type World = {
  readonly state: State
  readonly one: Service
  readonly other: Service
  readonly directories: Array<string>
}

const cycle = suite<{ world: World }>('the life cycle of a client at the doors')

cycle.before(async (context) => {
  const state = emptyState()
  const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'clientele-')))
  const flags = { 'master-token': masterToken, engine: 'oidc-provider', profile: 'mcp' }
  const [one, other] = await Promise.all(
    directories.map((each) => started({ 'data-dir': each, ...flags }, { openStore: openInMemoryStore(state) })),
  )
  if (one === undefined || other === undefined) throw new Error('two services were started')
  context.world = { state, one, other, directories }
})
cycle.after(async ({ world: { one, other, directories } }) => {
  for (const { stop } of [one, other]) await stop()
  for (const each of directories) rmSync(each, { recursive: true })
})

const bye = 'https://rp.example/bye'
const metadataOf = (name: string): Readonly<Record<string, unknown>> => ({
  client_name: name,
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  post_logout_redirect_uris: [bye],
  token_endpoint_auth_method: 'none',
})

const now = () => epochSeconds(Date.now())
const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

const idOf = ({ registered }: Application): ClientId => {
  const { client_id } = registered
  if (!ClientId.is(client_id)) throw new Error(client_id)
  return client_id
}

const suspension = async ({ other }: World, application: Application, method: 'POST' | 'DELETE'): Promise<void> => {
  const url = `${other.url}/clients/${idOf(application)}/suspension`
  assert.is((await fetch(url, { method, ...bearer(masterToken) })).status, 200)
}

const reach: Readonly<Record<ClientState, (world: World, application: Application) => Promise<unknown>>> = {
  unused: () => Promise.resolve(),
  active: ({ one }, application) => signIn(one, application, new Browser()),
  idle: async ({ one, state }, application) => {
    await signIn(one, application, new Browser())
    const use = state.uses.get(idOf(application)) ?? { position: 1 }
    state.uses.set(idOf(application), { ...use, last_use: secondsAfter(now(), -91 * useUnit) })
  },
  // In place of the days that pass.
  parked: ({ state }, application) => {
    state.uses.set(idOf(application), { position: 1, parked: { at: now(), notice: 23 } })
    return Promise.resolve()
  },
  // In place of a policy that lets all wait.
  pending: ({ state }, application) => {
    const stored = state.clients.get(idOf(application))
    if (stored === undefined) throw new Error('it is registered')
    state.clients.set(idOf(application), { ...stored, approval: { state: 'pending' } })
    return Promise.resolve()
  },
  refused: async (world, application) => {
    await reach.pending(world, application)
    const url = `${world.other.url}/manage/v1/clients/${idOf(application)}/refusal`
    const headers = { ...bearer(masterToken).headers, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ reason: 'Its <b>policy</b> is missing' })
    assert.is((await fetch(url, { method: 'POST', headers, body })).status, 200)
  },
  suspended: async (world, application) => {
    await signIn(world.one, application, new Browser())
    await suspension(world, application, 'POST')
  },
  gone: async ({ one }, application) => {
    const token = application.registered.registration_access_token
    const gone = await fetch(`${one.url}/clients/${idOf(application)}`, { method: 'DELETE', ...bearer(token) })
    assert.is(gone.status, 204)
  },
}

const text = (state: ClientState): string => (state in withdrawnTexts ? withdrawnTexts[state as Withdrawn] : state)

/** The status and the heading of the page for the end-user. */
const pages: Readonly<Record<Withdrawn, readonly [status: number, heading: string]>> = {
  pending: [403, 'The application waits for approval'],
  refused: [403, 'The application was not approved'],
  suspended: [400, 'The application is suspended'],
  gone: [400, 'The application made a mistake'],
}

type Answered = {
  readonly [At in Door]: (world: World, application: Application, state: ClientState) => Promise<DoorAnswers[At]>
}

const answered: Answered = {
  registration: async ({ one }, application, state) => {
    const again = await configuredAs(one, metadataOf(state))
    assert.is.not(
      again.registered.registration_access_token,
      application.registered.registration_access_token,
      'each registration has a token of its own',
    )
    return again.registered.client_id === application.registered.client_id ? 'same_client_id' : 'new_client_id'
  },
  configuration: async ({ one }, application) => {
    const token = application.registered.registration_access_token
    const statuses = await Promise.all(
      ['GET', 'PUT'].map(async (method) => {
        const body = method === 'PUT' ? { body: '{}' } : {}
        const headers = { ...bearer(token).headers, 'Content-Type': 'application/json' }
        return (await fetch(`${one.url}/clients/${idOf(application)}`, { method, headers, ...body })).status
      }),
    )
    const [read, updated] = statuses
    if (read === 200) return (assert.is(updated, 400), 'answered')
    assert.is(read, updated)
    return read === 403 ? 'forbidden' : 'unauthorized'
  },
  authorize: async ({ one }, { request }, state) => {
    const { url } = await request()
    const response = await new Browser().open(url.replace(/^http:\/\/[^/]+/, one.url))
    if (response.status === 303) return 'answered'
    const page = await response.text()
    const [status, heading] = pages[state as Withdrawn]
    assert.equal([response.status, response.headers.get('content-type')?.split(';')[0]], [status, 'text/html'])
    assert.ok(page.includes(text(state)), page)
    assert.ok(page.includes(`<h1>${heading}</h1>`), page)
    assert.not.ok(page.includes(callback))
    assert.is(page.includes('Its &lt;b&gt;policy&lt;/b&gt; is missing'), state === 'refused')
    return 'page'
  },
  token: async ({ one }, application, state) => {
    const body = new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: 'none',
      client_id: application.registered.client_id,
    })
    const response = await fetch(`${one.url}/token`, { method: 'POST', body })
    const { error, error_description } = (await response.json()) as Readonly<Record<string, string>>
    if (error === 'invalid_grant') return 'answered'
    const expected = error === 'access_denied' ? [400, error] : [401, 'invalid_client']
    assert.equal([response.status, error, error_description], [...expected, text(state)])
    return error === 'access_denied' ? error : 'invalid_client'
  },
  logout: async ({ one }, application) => {
    const claims = { sub: 'zoe', aud: application.registered.client_id }
    const expiresAt = secondsAfter(now(), 60)
    const id_token_hint = await done(one.provider.signToken({ alg: 'RS256', typ: 'JWT', claims, expiresAt }))
    const query = new URLSearchParams({ id_token_hint, post_logout_redirect_uri: bye })
    const page = await (await fetch(`${one.url}/logout?${query.toString()}`)).text()
    return page.includes(new URL(bye).host) ? 'redirect' : 'no_redirect'
  },
}

for (const state of clientStates)
  cycle(`${state}: every door answers as the table says, at either instance`, async ({ world }) => {
    const application = await configuredAs(world.one, metadataOf(state))
    await reach[state](world, application)
    const stored = world.state.clients.get(idOf(application))
    const use = world.state.uses.get(idOf(application))
    const parked = use?.parked !== undefined
    const facts = stored === undefined ? undefined : { ...stored, parked }
    assert.is(stateOf(facts, use?.last_use, now(), defaultLifeCycle), state)
    const twins = [world, { ...world, one: world.other }]
    for (const door of ['configuration', 'authorize', 'token', 'logout', 'registration'] as const)
      for (const each of door === 'registration' ? [world] : twins)
        assert.is(await answered[door](each, application, state), answersOfDoors[state][door], door)
    assert.is(doors.length, 5)
  })

cycle('a suspension makes the tokens of a client without effect, and its end brings them back', async ({ world }) => {
  const application = await configuredAs(world.one, metadataOf('with tokens'))
  const other = await configured(world.one, confidential)
  const { tokens } = await signIn(world.one, application, new Browser())
  const isActive = async (): Promise<boolean> => (await introspected(other, tokens.access_token)).active
  const userinfo = async (): Promise<number> =>
    (await fetch(`${world.other.url}/userinfo`, bearer(tokens.access_token))).status
  const rotate = () => client.refreshTokenGrant(application.config, String(tokens.refresh_token))
  assert.equal([await isActive(), await userinfo()], [true, 200])
  await suspension(world, application, 'POST')
  assert.equal([await isActive(), await userinfo(), await refused(rotate())], [false, 401, 'invalid_client'])
  await suspension(world, application, 'DELETE')
  assert.equal([await isActive(), await userinfo()], [true, 200])
  await rotate()
})

cycle('a suspended client neither updates nor removes itself; the operator does', async ({ world }) => {
  const application = await configuredAs(world.one, metadataOf('removed'))
  await suspension(world, application, 'POST')
  const url = `${world.one.url}/clients/${idOf(application)}`
  const remove = async (token: string): Promise<number> =>
    (await fetch(url, { method: 'DELETE', ...bearer(token) })).status
  assert.is(await remove(application.registered.registration_access_token), 403)
  assert.is((await fetch(url, bearer(masterToken))).status, 200)
  assert.is(await remove(masterToken), 204)
})

cycle('a client counts as used when it gets a code, also without an ID token', async ({ world }) => {
  const application = await configuredAs(world.one, metadataOf('without openid'))
  const { url } = await application.request()
  await new Browser().open(url)
  assert.is(world.state.uses.get(idOf(application))?.last_use, undefined, 'to ask is no use')
  await signIn(world.one, application, new Browser(), { scope: 'email' })
  assert.is(world.state.uses.get(idOf(application))?.last_use, now() - (now() % useUnit))
})

cycle('of 50 registrations of one client there is one, and behind an unknown proxy there are 50', async ({ world }) => {
  const before = world.state.clients.size
  for (let each = 0; each < 50; each += 1)
    await configuredAs(each % 2 === 0 ? world.one : world.other, metadataOf('loop'))
  assert.is(world.state.clients.size, before + 1)
  for (let each = 0; each < 50; each += 1)
    await fetch(`${world.one.url}/clients`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '203.0.113.7' },
      body: JSON.stringify(metadataOf('loop')),
    })
  assert.is(world.state.clients.size, before + 51)
})

cycle.run()
