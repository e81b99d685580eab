import { Hono } from 'hono'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FetchHandler, createPublicHandler, settingsWithDefaults } from '../src/fetch.js'
import { createWorld, hashToken, master } from './support/in-memory-ports.js'

const mounted = suite('mounted in Hono')

const redirect_uris = ['https://rp.example/callback']

const handler = (): FetchHandler =>
  createPublicHandler(
    settingsWithDefaults('https://id.example/op', hashToken(master)),
    { ...createWorld(), remoteAddress: () => undefined },
    { withOperators: false },
  )

const registering = {
  method: 'POST',
  headers: { authorization: `Bearer ${master}`, 'content-type': 'application/json' },
  body: JSON.stringify({ redirect_uris }),
}

mounted('a route hands the path over as it is, beside what else the application has', async () => {
  const handle = handler()
  const app = new Hono()
    .get('/', (context) => context.text('elsewhere'))
    .all('/op/*', ({ req }) => handle(req.raw))
    .all('/.well-known/*', ({ req }) => handle(req.raw))
  const registered = await app.request('/op/clients', registering)
  assert.is(registered.status, 200)
  const { registration_client_uri: uri }: { registration_client_uri: string } = JSON.parse(await registered.text())
  const { authorization } = registering.headers
  assert.is((await app.request(uri, { headers: { authorization } })).status, 200)
  for (const path of ['/.well-known/oauth-authorization-server/op', '/op/jwks.json'])
    assert.is((await app.request(path)).status, 200, path)
  assert.is(await (await app.request('/')).text(), 'elsewhere')
})

mounted('a mount that takes the base path away finds nothing; one that keeps it finds all', async () => {
  const rewriting = { replaceRequest: (request: Request) => request }
  const statusAt = async (path: string, options: object = {}) => {
    const app = new Hono()
    app.mount(path, handler(), options)
    return (await app.request('/op/clients', registering)).status
  }
  assert.equal([await statusAt('/op'), await statusAt('/op', rewriting), await statusAt('/')], [404, 200, 200])
})

mounted.run()
