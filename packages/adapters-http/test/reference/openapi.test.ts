import { shouldNotBeCalled } from '@clientele/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { describeRoutes, openApi, operationName } from '../../src/reference/openapi.js'
import { operations } from '../../src/reference/operations.js'
import { managementRoutes, publicRoutes } from '../../src/routes.js'
import { checkAnswer, createWorld as createEveryWorld } from '../support/every-route.js'
import { createWorld, httpSettings } from '../support/in-memory-ports.js'
import { createSignIn } from '../support/sign-in.js'
import { suiteOnShells } from '../support/shells.js'
import { send, withServer } from '../support/wire.js'

const Described = suite('the OpenAPI document')

const every = createEveryWorld()
const settings = httpSettings()
const { httpPorts } = await createSignIn({
  login: {
    kind: 'elsewhere',
    parties: [{ id: undefined, name: 'One', begin: shouldNotBeCalled, complete: shouldNotBeCalled }],
  },
})
const everyRoute = [
  ...every.routes.public,
  ...every.routes.management,
  ...publicRoutes(settings, httpPorts, { withOperators: true }),
]

Described('describes every route, and nothing else', () => {
  const names = new Set(everyRoute.map((route) => operationName(settings, route)))
  for (const name of names) assert.ok(operations[name] !== undefined, `${name} is not described`)
  for (const name of Object.keys(operations)) assert.ok(names.has(name), `${name} is no route`)
})

Described('has the addresses below a base path, outside of it, and of another path of the logout', () => {
  const { registration, logout } = settings
  const moved = httpSettings({
    basePath: '/op',
    registration: { ...registration, issuer: 'https://op.example/op' },
    logout: { ...logout, path: '/bye' },
  })
  const routes = publicRoutes(moved, createWorld(), { withOperators: true })
  const all = describeRoutes(moved, routes)
  const names = all.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const name of ['POST /clients', 'GET /bye', 'GET /logouts', 'GET /.well-known/openid-configuration'])
    assert.ok(names.includes(name), name)
  const { paths } = openApi(moved, all) as { paths: Record<string, Record<string, { servers?: unknown }>> }
  assert.is(paths['/bye']?.['get']?.servers, undefined)
  assert.equal(paths['/health/live']?.['get']?.servers, [{ url: 'https://op.example' }])
})

Described('has the management port, and not the issuer, as the server of what that port alone answers', () => {
  const { registration } = settings
  const moved = httpSettings({ basePath: '/op', registration: { ...registration, issuer: 'https://op.example/op' } })
  const world = createWorld()
  const routes = publicRoutes(moved, world, { withOperators: false })
  const all = describeRoutes(moved, routes, managementRoutes(moved, world))
  const { paths } = openApi(moved, all) as {
    paths: Record<string, Record<string, { servers?: ReadonlyArray<{ url: string; variables?: object }> }>>
  }
  for (const [path, url] of [
    ['/keys', '{management}/op'],
    ['/health/ready', '{management}'],
  ] as const) {
    const [server] = paths[path]?.['get']?.servers ?? []
    assert.is(server?.url, url)
    assert.equal(Object.keys(server?.variables ?? {}), ['management'])
  }
  assert.is(paths['/clients']?.['post']?.servers, undefined)
})

Described('names each operation once, by a word that a program can use', () => {
  const ids = describeRoutes(settings, everyRoute).map(({ id }) => id)
  assert.is(new Set(ids).size, ids.length)
  for (const id of ids) assert.match(id, /^[a-z][a-z0-9-]+$/)
})

Described('has the privileges that a route declares', () => {
  const { paths } = openApi(settings, describeRoutes(settings, everyRoute)) as {
    paths: Record<string, Record<string, { security: ReadonlyArray<object> }>>
  }
  assert.equal(paths['/exported-clients']?.['get']?.security, [{ operator: ['clients:read', 'clients:secrets'] }])
  assert.equal(paths['/jwks.json']?.['get']?.security, [])
  assert.equal(paths['/clients']?.['post']?.security, [{ operator: ['clients:write'] }, { initial_access_token: [] }])
})

Described('is what all tests over the wire compare their answers with', () => {
  const type = 'application/json'
  const client = {
    client_id: 'shop',
    client_id_issued_at: 1,
    registration_client_uri: 'https://op.example/clients/shop',
  }
  const check = (status: number, value: object) => () =>
    checkAnswer('GET', '/clients/shop', { status, type, text: JSON.stringify(value) })
  check(200, { ...client, 'client_name#fr': 'Boutique' })()
  check(401, { error: 'invalid_token', error_description: 'The token is unknown' })()
  assert.throws(check(200, { ...client, more: 1 }), 'additional properties')
  assert.throws(check(200, { client_id: 'shop' }), 'client_id_issued_at')
  assert.throws(check(401, { error: 'invalid_token' }), 'error_description')
  assert.throws(check(418, client), 'the status is not there')
})

Described.run()

const pages = suiteOnShells('pages of the reference')

pages('there is a page for each operation, and the list leads to it', async (shell) => {
  const listener = shell.createPublicListener(settings, createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const document = await send(wire, 'GET', '/openapi.json')
    assert.equal([document.status, document.headers['access-control-allow-origin']], [200, '*'])
    const list = (await send(wire, 'GET', '/reference')).body.toString()
    const { paths } = JSON.parse(document.body.toString())
    for (const [path, methods] of Object.entries<Record<string, { operationId: string }>>(paths))
      for (const [method, { operationId }] of Object.entries(methods)) {
        assert.match(list, `href="https://op.example/reference/${operationId}"`)
        const page = await send(wire, 'GET', `/reference/${operationId}`)
        assert.is(page.status, 200, path)
        assert.match(page.body.toString(), `<h1>${method.toUpperCase()} ${path}</h1>`)
      }
    assert.is((await send(wire, 'GET', '/reference/none')).status, 404)
  })
})

pages('the page of an operation has an example, the privilege, the answer and the refusals', async (shell) => {
  const listener = shell.createPublicListener(settings, createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const html = (await send(wire, 'GET', '/reference/post-clients')).body.toString()
    for (const text of [
      'curl -X POST &quot;https://op.example/clients&quot;',
      'initial access token',
      'clients:write',
      'client_id_issued_at',
      '422',
    ])
      assert.match(html, text)
  })
})

pages('what only the management port answers is not asked at the issuer', async (shell) => {
  const listener = shell.createPublicListener(settings, createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const html = (await send(wire, 'GET', '/reference/get-keys')).body.toString()
    for (const text of ['&quot;$MANAGEMENT/keys&quot;', 'Only the management port answers it']) assert.match(html, text)
  })
})

pages.run()
