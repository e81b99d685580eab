import { type OperatorRoute, neededPrivileges } from '../../src/routes/needed-privileges.js'
import {
  type ManagementPrivileges,
  issuableManagementPrivileges,
  managementScope,
  missingManagement,
} from '@clientele/domain/authorization'
import type { EncryptionKeyList } from '@clientele/domain/ports'
import { inMemoryPorts } from '@clientele/web'
import { issuablePrivileges, law } from '@clientele/testing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type FetchHandler,
  createManagementHandler,
  createPublicHandler,
  settingsWithDefaults,
} from '../../src/fetch.js'
import { managementRoutes, publicRoutes } from '../../src/routes/routes.js'
import type { Route } from '../../src/serve/routing.js'

const Every = suite('every route, for every operator token')
const it = law(Every)

const baseUrl = 'https://op.example'
const master = 'the-master-token-of-this-test-0123456789'
const previous = 'the-previous-master-token-of-this-test-01'

// Routes that no operator needs a privilege for: what they answer is public, or for browsers.
const forAnybody = [
  'GET /health/live',
  'GET /health/ready',
  'GET /jwks.json',
  'GET /.well-known/openid-configuration',
  'GET /.well-known/oauth-authorization-server',
  'GET /logout',
  'POST /logout',
  'GET /logout/confirm',
  'POST /logout/confirm',
]

type Sent = { readonly method?: string; readonly token?: string; readonly json?: unknown }

const createWorld = () => {
  const ports = inMemoryPorts({
    renderPage: ({ kind }) => ({ html: kind, styleHash: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' }),
  })
  const counted = { reloads: 0, seals: 0 }
  const described: EncryptionKeyList = {
    seals_with: 'a',
    opens_with: ['a'],
    kept_in: 'file',
    values: 0,
    sealing_otherwise: [],
  }
  const change = TE.fromIO(() => ((counted.seals += 1), described))
  const encryptionKeys = {
    listEncryptionKeys: TE.right(described),
    addEncryptionKey: change,
    dropEncryptionKeys: change,
  }
  const all = {
    ...ports,
    reload: () => TE.fromIO(() => ((counted.reloads += 1), { reloaded: [], waiting: [] })),
    metrics: () => () => Promise.resolve({ contentType: 'text/plain', text: '' }),
    auditLog: {
      listAudit: () => () => TE.right({ rows: [] }),
      verifyAudit: () => () =>
        TE.right({ findings: [], checkpoints: 0, rows: 0, waiting: 0, last: null, latest: 0, contains: null }),
    },
    encryption: {
      sealValues: () => () => TE.fromIO(() => ((counted.seals += 1), { values: 0, sealed: 0, unreadable: 0 })),
      keys: () => encryptionKeys,
    },
  }
  const settings = {
    ...settingsWithDefaults(baseUrl, ports.service.hashToken(master)),
    masterToken: [ports.service.hashToken(master), ports.service.hashToken(previous)],
  }
  const handlers = {
    public: createPublicHandler(settings, all, { withOperators: true }),
    management: createManagementHandler(settings, all),
  }
  const routes = {
    public: publicRoutes(settings, all, { withOperators: true }),
    management: managementRoutes(settings, all),
  }
  const ask = (handler: FetchHandler, path: string, { method = 'GET', token, json }: Sent): Promise<Response> =>
    handler(
      new Request(`${baseUrl}${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      }),
    )
  return { ...ports, counted, handlers, routes, ask }
}

type World = ReturnType<typeof createWorld>

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

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

const isOperators = (name: string): name is OperatorRoute => Object.hasOwn(neededPrivileges, name)

// A body that is well-formed for as many routes as possible: a refusal for a lack of privileges comes before it is read.
const body = { redirect_uris: ['https://rp.example/other'], sub: 'alice', alg: 'RS999', id: 'x' }
const bodies: Readonly<Record<string, object>> = {
  '/direct-authz': { scope: 'client-reg' },
  '/operator-tokens': { scope: 'keys' },
  '/manage/v1/clients/suspension': { filter: { registered_by: 'master' }, dry_run: true },
  '/manage/v1/clients/resumption': { filter: { registered_by: 'master' }, dry_run: true },
  '/manage/v1/clients/removal': { filter: { registered_by: 'master' }, count: 0 },
}

type Requested = {
  readonly at: 'public' | 'management'
  readonly route: Route
  readonly token: string
  readonly id: string
}

const request = ({ ask, handlers }: World, { at, route, token, id }: Requested): Promise<Response> => {
  const json = ['POST', 'PUT', 'PATCH'].includes(route.method) ? { json: bodies[route.path] ?? body } : {}
  return ask(handlers[at], route.path.replace(/:\w+/, id), { method: route.method, token, ...json })
}

Every('each route is for anybody, or has its privileges in the table; and each of the table is there', () => {
  const { routes } = createWorld()
  const names = new Set([...routes.public, ...routes.management].map(nameOf))
  assert.equal([...names].filter((name) => !isOperators(name)).sort(), [...forAnybody].sort())
  assert.equal(
    Object.keys(neededPrivileges).filter((name) => !names.has(name)),
    [],
  )
  assert.ok(Object.values(neededPrivileges).every((needed) => needed.length > 0))
})

const judge = async (world: World, granted: ManagementPrivileges, token: string): Promise<void> => {
  for (const at of ['public', 'management'] as const)
    for (const route of world.routes[at]) {
      const name = nameOf(route)
      if (!isOperators(name)) continue
      const { id, credentials } = await registered(world)
      const before = stateOf(world)
      const answer = await request(world, { at, route, token, id })
      const missing = missingManagement(granted)(neededPrivileges[name])
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

Every('a token that was revoked, and one that is unknown, are 401 at every route of operators', async () => {
  const world = createWorld()
  const token = await issued(world, issuableManagementPrivileges)
  const { ask, handlers, routes } = world
  const { id } = await registered(world)
  const path = `/operator-tokens/${world.service.hashToken(token)}`
  assert.is((await ask(handlers.management, path, { method: 'DELETE', token: master })).status, 204)
  assert.is((await ask(handlers.management, path, { method: 'DELETE', token: master })).status, 404)
  for (const at of ['public', 'management'] as const)
    for (const route of routes[at].filter((each) => isOperators(nameOf(each))))
      for (const presented of [token, 'unknown-token-of-nobody']) {
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
