import {
  type ManagementPrivileges,
  issuableManagementPrivileges,
  managementScope,
  missingManagement,
} from '@clientele/domain/authorization'
import { issuablePrivileges, law } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Route } from '../../src/routes/route.js'
import { type World, createWorld, master, nameOf, previous } from '../support/every-route.js'

const Every = suite('every route, for every operator token')
const it = law(Every)

// Routes that no operator needs a privilege for: what they answer is public, or for browsers.
const forAnybody = [
  'GET /health/live',
  'GET /health/ready',
  'GET /jwks.json',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
  'GET /openapi.json',
  'GET /reference',
  'GET /reference/:id',
  'GET /rules',
  'GET /rules/:id',
  'GET /logout',
  'POST /logout',
  'GET /logout/confirm',
  'POST /logout/confirm',
]

const membersOf = async (response: Response): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries(Object.entries((await response.json()) ?? {}))

const issued = async ({ ask, handlers }: World, privileges: ManagementPrivileges): Promise<string> => {
  const json = { scope: managementScope(privileges), lifetime: 600 }
  const answer = await ask(handlers.management, '/operator-tokens', { method: 'POST', token: master, json })
  assert.is(answer.status, 200)
  return String((await membersOf(answer))['access_token'])
}

const registered = async ({ ask, handlers }: World) => {
  const json = { redirect_uris: ['https://rp.example/cb'] }
  const answer = await ask(handlers.public, '/clients', { method: 'POST', token: master, json })
  const members = await membersOf(answer)
  const credentials = [members['client_secret'], members['registration_access_token']].map(String)
  return { id: String(members['client_id']), credentials }
}

// All that requests could change.
const stateOf = ({ store, counted, foreignKeys }: World): string =>
  JSON.stringify([[...store.clients], [...store.tokens], counted, foreignKeys()])

// A body that is well-formed for as many routes as possible: a refusal for a lack of privileges comes before it is read.
const body = { redirect_uris: ['https://rp.example/other'], sub: 'alice', alg: 'RS999', id: 'x' }
const bodies: Readonly<Record<string, object>> = {
  '/direct-authz': { scope: 'client-reg' },
  '/operator-tokens': { scope: 'keys' },
  '/console/links': { scope: 'keys' },
  '/manage/v1/clients/suspension': { filter: { registered_by: 'master' }, dry_run: true },
  '/manage/v1/clients/resumption': { filter: { registered_by: 'master' }, dry_run: true },
  '/manage/v1/clients/removal': { filter: { registered_by: 'master' }, count: 0 },
  '/manage/v1/connections/revocation': { filter: { state: 'live' }, count: 0 },
}

type Requested = {
  readonly at: keyof World['routes']
  readonly route: Route
  readonly token: string
  readonly id: string
  readonly query?: string
}

const request = ({ ask, handlers }: World, { at, route, token, id, query = '' }: Requested): Promise<Response> => {
  const json = ['POST', 'PUT', 'PATCH'].includes(route.method) ? { json: bodies[route.path] ?? body } : {}
  return ask(handlers[at], route.path.replace(/:\w+/, id) + query, { method: route.method, token, ...json })
}

Every('each route is for anybody, or declares the privileges that an operator needs', () => {
  const { routes } = createWorld()
  const all = [...routes.public, ...routes.management]
  const names = new Set(all.filter(({ needs }) => needs === undefined).map(nameOf))
  assert.equal([...names].sort(), [...forAnybody].sort())
  assert.ok(all.every(({ needs }) => needs === undefined || needs.length > 0))
})

const judge = async (world: World, granted: ManagementPrivileges, token: string): Promise<void> => {
  for (const at of ['public', 'management'] as const)
    for (const route of world.routes[at]) {
      const { needs } = route
      if (needs === undefined) continue
      const name = nameOf(route)
      const { id, credentials } = await registered(world)
      const before = stateOf(world)
      const answer = await request(world, { at, route, token, id })
      const missing = missingManagement(granted)(needs)
      const challenge = answer.headers.get('WWW-Authenticate') ?? ''
      const text = await answer.text()
      if (missing.length > 0) {
        assert.is(answer.status, 403, name)
        assert.match(challenge, /^Bearer error="insufficient_scope", error_description="[^"]+", scope="[^"]+"$/)
        assert.match(challenge, `scope="${missing.join(' ')}"`)
        assert.match(text, /^\{"error":"insufficient_scope","error_description":"This needs the master token/)
        assert.is(stateOf(world), before, name)
      } else assert.not.ok([401, 403].includes(answer.status), `${name} answered ${answer.status}`)
      if (!granted.includes('clients:secrets'))
        for (const secret of credentials) assert.not.ok(text.includes(secret), `${name} shows a secret`)
    }
}

it(
  'a token does what its privileges permit, and of all else it changes and shows nothing',
  [issuablePrivileges()],
  async (granted) => {
    const world = createWorld()
    await judge(world, granted, await issued(world, granted))
  },
)

Every('each single privilege, and all but one', async () => {
  for (const one of issuableManagementPrivileges)
    for (const granted of [[one], issuableManagementPrivileges.filter((each) => each !== one)]) {
      const world = createWorld()
      await judge(world, granted, await issued(world, granted))
    }
})

Every('both master tokens permit everything', async () => {
  for (const token of [master, previous]) {
    const world = createWorld()
    await judge(world, [...issuableManagementPrivileges, 'operators'], token)
  }
})

Every('whoever asks for a dry run, in any spelling, changes nothing', async () => {
  const world = createWorld()
  const { id } = await registered(world)
  for (const at of ['public', 'management', 'commands'] as const)
    for (const route of world.routes[at].filter(({ method, needs }) => method !== 'GET' && needs !== undefined))
      for (const query of ['?dry_run=true', '?dryRun=true']) {
        const before = stateOf(world)
        const answer = await request(world, { at, route, token: master, id, query })
        assert.is(stateOf(world), before, nameOf(route) + query)
        if (route.runsDry === 'query') continue
        assert.is(answer.status, 400, nameOf(route) + query)
        const remedy = route.runsDry === 'body' ? 'put it into the body' : 'leave it out'
        assert.match(String((await membersOf(answer))['error_description']), `nothing was done: ${remedy}`)
      }
})

Every('who asks for a dry run that there is not is 401 without a token, and with a wrong one', async () => {
  const world = createWorld()
  const { ask, handlers } = world
  const { id, credentials } = await registered(world)
  const other = await registered(world)
  const before = stateOf(world)
  const remove = (token: string | undefined, query: string, path = id) =>
    ask(handlers.public, `/clients/${path}${query}`, { method: 'DELETE', ...(token === undefined ? {} : { token }) })
  for (const token of [undefined, 'unknown-token-of-nobody', other.credentials[1]])
    for (const path of [id, 'nobody'])
      for (const query of ['?dry_run=true', '?dryRun=true', ''])
        assert.is((await remove(token, query, path)).status, 401, `${String(token)} ${path} ${query}`)
  assert.is((await remove(credentials[1], '?dry_run=true')).status, 400)
  assert.is((await remove(master, '?dry_run=true', 'nobody')).status, 404)
  assert.is(stateOf(world), before)
})

Every('dry_run=false asks for the change, also where there is no dry run', async () => {
  const world = createWorld()
  const { ask, handlers } = world
  const { id, credentials } = await registered(world)
  const suspension = { method: 'POST', token: master }
  assert.is((await ask(handlers.public, `/clients/${id}/suspension?dry_run=false`, suspension)).status, 200)
  assert.is((await ask(handlers.public, `/clients/${id}/suspension?dryRun=false`, suspension)).status, 400)
  await ask(handlers.public, `/clients/${id}/suspension`, { method: 'DELETE', token: master })
  const removal = { method: 'DELETE', token: String(credentials[1]) }
  assert.is((await ask(handlers.public, `/clients/${id}?dry_run=false`, removal)).status, 204)
})

Every(
  'a parameter of the audit log that is misspelt or repeated is named, and verifies or selects nothing',
  async () => {
    const { ask, handlers } = createWorld()
    for (const [address, said] of [
      ['?actr=master', 'The query parameter actr is unknown: known are client_id, actor, '],
      ['?actor=a&actor=b', 'The query parameter actor must be there once at most'],
      ['/verification?checkpoint=x', 'The query parameter checkpoint is unknown: known are digest, after'],
      ['/verification?digest=x&digest=y', 'The query parameter digest must be there once at most'],
    ] as const) {
      const answer = await ask(handlers.management, `/manage/v1/audit${address}`, { token: master })
      assert.is(answer.status, 400, address)
      assert.match(String((await membersOf(answer))['error_description']), said)
    }
  },
)

Every('a revoked token, an unknown one, and the ticket of a link to the console are 401 at every route', async () => {
  const world = createWorld()
  const token = await issued(world, issuableManagementPrivileges)
  const { ask, handlers, routes } = world
  const { id } = await registered(world)
  const path = `/operator-tokens/${world.service.hashToken(token)}`
  assert.is((await ask(handlers.management, path, { method: 'DELETE', token: master })).status, 204)
  assert.is((await ask(handlers.management, path, { method: 'DELETE', token: master })).status, 404)
  const json = { scope: managementScope(issuableManagementPrivileges) }
  const link = await ask(handlers.management, '/console/links', { method: 'POST', token: master, json })
  const ticket = String((await membersOf(link))['ticket'])
  for (const at of ['public', 'management', 'commands'] as const)
    for (const route of routes[at].filter(({ needs }) => needs !== undefined))
      for (const presented of [token, 'unknown-token-of-nobody', ticket]) {
        const answer = await request(world, { at, route, token: presented, id })
        assert.is(answer.status, 401, nameOf(route))
        const { error, error_description } = await membersOf(answer)
        assert.is(
          answer.headers.get('WWW-Authenticate'),
          `Bearer error="${String(error)}", error_description="${String(error_description)}"`,
        )
        assert.is(error, 'invalid_token')
      }
})

Every.run()
