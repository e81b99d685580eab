import * as assert from 'uvu/assert'
import { publicRoutes } from '../src/routes.js'
import { redirect_uris } from './support/http-request.js'
import { createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { registered } from './support/registered.js'
import { type Shell, suiteOnShells } from './support/shells.js'
import { type Wire, exchange, send, withServer } from './support/wire.js'

const served = suiteOnShells('a shell')

const serving = (shell: Shell, world = createWorld(), settings = httpSettings(), withOperators = true) => ({
  world,
  run: (use: (wire: Wire) => Promise<void>) =>
    withServer(shell.createPublicListener(settings, world, { withOperators }), use),
})

const allows = {
  '/clients': 'POST, GET, HEAD',
  '/clients/some-id': 'GET, HEAD, PUT, DELETE',
  '/direct-authz': 'POST',
  '/.well-known/openid-configuration': 'GET, HEAD',
  '/.well-known/oauth-authorization-server': 'GET, HEAD',
  '/health/live': 'GET, HEAD',
  '/health/ready': 'GET, HEAD',
}

served(
  'another method is 405 with the methods of the path in Allow, and has no effect (RFC 9110 §15.5.6)',
  async (shell) => {
    const { run, world } = serving(shell)
    await run(async (wire) => {
      for (const [path, allow] of Object.entries(allows))
        for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']) {
          if (allow.split(', ').includes(method) || (method === 'OPTIONS' && path.includes('.well-known'))) continue
          const answer = await send(wire, method, path, { token: master, json: { redirect_uris } })
          assert.equal([answer.status, answer.headers.allow, answer.body.length], [405, allow, 0], `${method} ${path}`)
        }
    })
    assert.is(world.store.clients.size, 0)
  },
)

served('an unknown path is 404 with an empty body, whatever the credential', async (shell) => {
  const paths = [
    '/clients/',
    '/clients/a/b',
    '/Clients',
    '//clients',
    '/clients%2Fa',
    '/%63lients',
    '/clients.json',
    '/jwks',
  ]
  await serving(shell).run(async (wire) => {
    for (const path of paths)
      for (const token of [master, 'unknown']) {
        const answer = await send(wire, 'GET', path, { token })
        assert.equal([answer.status, answer.body.length, answer.headers['www-authenticate']], [404, 0, undefined], path)
      }
  })
})

served('a path without a parameter is found before a pattern that has it as well', async (shell) => {
  const about = { path: '/clients/about', headers: { 'Content-Type': 'text/plain' }, text: 'About' }
  const settings = { ...httpSettings(), documents: [about] }
  await serving(shell, createWorld(), settings).run(async (wire) => {
    const answer = await fetch(`${wire.base}/clients/about`)
    assert.equal([answer.status, await answer.text()], [200, 'About'])
    assert.is((await send(wire, 'GET', '/clients/other', {})).status, 401)
    assert.is((await send(wire, 'DELETE', '/clients/about', {})).status, 401)
  })
})

served('HEAD is answered as GET, without the body (RFC 9110 §9.3.2)', async (shell) => {
  const world = createWorld()
  const { id } = await registered(world)
  await serving(shell, world).run(async (wire) => {
    for (const path of ['/clients', `/clients/${id}`, '/.well-known/openid-configuration', '/health/ready']) {
      const head = await send(wire, 'HEAD', path, { token: master })
      const get = await send(wire, 'GET', path, { token: master })
      assert.equal([head.status, head.body.length], [200, 0], path)
      for (const name of ['content-type', 'cache-control', 'pragma', 'vary'])
        assert.is(head.headers[name], get.headers[name], `${path} ${name}`)
    }
    assert.is((await send(wire, 'HEAD', `/clients/${id}`)).status, 401)
  })
})

const answers = [
  ['POST', '/clients', 200],
  ['GET', '/clients', 200],
  ['GET', '/clients/unknown', 404],
  ['PATCH', '/clients', 405],
  ['PUT', '/direct-authz', 405],
] as const

served(
  'no registration answer may be stored, refusals too, and no answer is sniffed (RFC 7591 §3.2.1)',
  async (shell) => {
    await serving(shell).run(async (wire) => {
      for (const [method, path, status] of answers)
        for (const token of [master, 'unknown']) {
          const answer = await send(wire, method, path, { token, json: { redirect_uris } })
          assert.is(answer.status, token === master || status === 405 ? status : 401, `${method} ${path}`)
          assert.equal(
            [answer.headers['cache-control'], answer.headers.pragma],
            ['no-store', 'no-cache'],
            `${method} ${path}`,
          )
        }
      for (const path of ['/clients', '/nowhere', '/health/live', '/.well-known/openid-configuration'])
        assert.is((await send(wire, 'GET', path)).headers['x-content-type-options'], 'nosniff', path)
    })
  },
)

served('only what is published may be stored, whatever becomes of a request to any route', async (shell) => {
  const { run, world } = serving(shell)
  const routes = publicRoutes(httpSettings(), world, { withOperators: true })
  await run(async (wire) => {
    for (const { method, path, stored } of routes)
      for (const sent of [
        {},
        { json: {} },
        { token: master, json: {} },
        { token: 'unknown', body: 'x'.repeat(70_000) },
      ]) {
        const { headers } = await send(wire, method, path.replace(/:\w+/, 'some-id'), sent)
        assert.is(headers['x-request-id'], 'request-1', `${method} ${path}`)
        assert.match(
          headers['cache-control'] ?? '',
          stored ? /^public, max-age=\d+$/ : /^no-store$/,
          `${method} ${path}`,
        )
        assert.is(headers.pragma, stored ? undefined : 'no-cache', `${method} ${path}`)
      }
  })
  assert.ok(routes.some(({ stored }) => stored) && routes.some(({ stored }) => !stored))
})

served('an identifier that cannot be decoded is an unknown client, never a defect', async (shell) => {
  await serving(shell).run(async (wire) => {
    for (const id of ['%FF', '%', '%E0%A4%A', '%00', '%2F', 'a%20b', '__proto__', 'x'.repeat(4000)]) {
      assert.is((await send(wire, 'GET', `/clients/${id}`, { token: master })).status, 404, id)
      assert.is((await send(wire, 'GET', `/clients/${id}`, { token: 'unknown' })).status, 401, id)
    }
  })
})

served('of two Authorization headers none counts, although Node keeps the first', async (shell) => {
  await serving(shell).run(async (wire) => {
    const answer = await exchange(
      wire,
      `GET /clients HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${master}\r\naUTHORIZATION: junk\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 401 [\s\S]*error="invalid_token"/)
  })
})

served('Host, X-Forwarded-Host and X-HTTP-Method-Override decide nothing', async (shell) => {
  const { run, world } = serving(shell)
  await run(async (wire) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-http-method-override': 'DELETE' }
    const answer = await send(wire, 'POST', '/clients', { token: master, json: { redirect_uris }, headers })
    assert.is(answer.status, 200)
    assert.not.match(JSON.stringify(answer.headers) + answer.body.toString(), /evil/)
    const absolute = await exchange(
      wire,
      'GET http://evil.example/health/live HTTP/1.1\r\nHost: a"b\r\nConnection: close\r\n\r\n',
    )
    assert.match(absolute, /^HTTP\/1\.1 200 /)
    assert.not.match(absolute, /evil|a"b/)
  })
  assert.is(world.store.clients.size, 1)
})

served("with * a page of any origin may call registration, and the operator's routes stay closed", async (shell) => {
  await serving(shell, createWorld(), httpSettings({ corsOrigins: ['*'] })).run(async (wire) => {
    const headers = { origin: 'https://any.example' }
    const preflight = await send(wire, 'OPTIONS', '/clients', { headers })
    assert.equal([preflight.status, preflight.headers['access-control-allow-origin']], [204, '*'])
    const registered = await send(wire, 'POST', '/clients', { token: master, json: { redirect_uris }, headers })
    assert.equal([registered.status, registered.headers['access-control-allow-origin']], [200, '*'])
    assert.is(registered.headers['access-control-allow-credentials'], undefined)
    const management = await send(wire, 'OPTIONS', '/direct-authz', { headers })
    assert.equal([management.status, management.headers['access-control-allow-origin']], [405, undefined])
  })
})

served('a listed origin may call registration: preflight, answers and refusals; nobody else may', async (shell) => {
  const origin = 'https://a.example'
  await serving(shell, createWorld(), httpSettings({ corsOrigins: [origin] })).run(async (wire) => {
    const preflight = await send(wire, 'OPTIONS', '/clients', {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
    assert.equal([preflight.status, preflight.body.length], [204, 0])
    assert.is(preflight.headers['access-control-allow-methods'], 'POST, GET, HEAD')
    assert.is(
      preflight.headers['access-control-allow-headers'],
      'Authorization, Content-Type, Idempotency-Key, If-Match, MCP-Protocol-Version',
    )
    for (const token of [master, 'unknown']) {
      const { headers } = await send(wire, 'POST', '/clients', {
        token,
        json: { redirect_uris },
        headers: { origin },
      })
      assert.equal([headers['access-control-allow-origin'], headers.vary], [origin, 'Origin'])
      assert.is(headers['access-control-expose-headers'], 'WWW-Authenticate, Location, ETag, Retry-After')
    }
    for (const other of ['null', 'https://evil.example', 'https://a.example.evil.example']) {
      const refused = await send(wire, 'OPTIONS', '/clients', { headers: { origin: other } })
      assert.equal([refused.status, refused.headers['access-control-allow-origin']], [405, undefined], other)
    }
    const management = await send(wire, 'OPTIONS', '/direct-authz', { headers: { origin } })
    assert.equal([management.status, management.headers['access-control-allow-origin']], [405, undefined])
  })
})

served('the metadata may be read by the pages of any origin', async (shell) => {
  await serving(shell).run(async (wire) => {
    const { headers } = await send(wire, 'GET', '/.well-known/openid-configuration', { headers: { origin: 'null' } })
    assert.is(headers['access-control-allow-origin'], '*')
    const preflight = await send(wire, 'OPTIONS', '/.well-known/openid-configuration')
    assert.equal([preflight.status, preflight.headers['access-control-allow-methods']], [204, 'GET, HEAD'])
  })
})

served(
  'with a base path the metadata stands appended and inserted, and nothing without it (RFC 8414 §3.1, §5)',
  async (shell) => {
    const { registration } = httpSettings()
    const settings = { basePath: '/op', registration: { ...registration, issuer: 'https://op.example/op' } }
    await serving(shell, createWorld(), httpSettings(settings)).run(async (wire) => {
      const known = '.well-known/oauth-authorization-server'
      const openid = '.well-known/openid-configuration'
      for (const path of [`/op/${known}`, `/${known}/op`, `/op/${openid}`, `/${openid}/op`, '/health/live'])
        assert.is((await send(wire, 'GET', path)).status, 200, path)
      for (const path of [`/${known}`, '/clients', '/.well-known/openid-configuration'])
        assert.is((await send(wire, 'GET', path, { token: master })).status, 404, path)
      assert.is((await send(wire, 'GET', '/op/clients', { token: master })).status, 200)
    })
  },
)

served('a base path is no pattern, whatever signs it has', async (shell) => {
  for (const basePath of ['/a:b', '/*all', '/a+b', '/a!', '/(a)', '/[a]', '/a.b', '/%C3%A9']) {
    const documents = [{ path: '/a:page', headers: {}, text: '' }]
    const { logout } = httpSettings()
    const settings = httpSettings({ basePath, documents, logout: { ...logout, path: '/out!' } })
    await serving(shell, createWorld(), settings).run(async (wire) => {
      for (const path of ['/clients', '/clients/any', '/keys', '/a:page', '/out!'])
        assert.is.not((await send(wire, 'GET', `${basePath}${path}`)).status, 404, basePath + path)
      for (const path of ['/aXb/clients', '/other/clients', '/clients', `${basePath}/aXpage`, `${basePath}/out`])
        assert.is((await send(wire, 'GET', path)).status, 404, `${basePath} ${path}`)
    })
  }
})

served(
  'where management has a port of its own, the public one has no health; management lists and registers clients for operators alone',
  async (shell) => {
    const world = createWorld()
    await serving(shell, world, httpSettings(), false).run(async (wire) => {
      for (const path of ['/health/live', '/health/ready']) assert.is((await send(wire, 'GET', path)).status, 404)
    })
    await withServer(shell.createManagementListener(httpSettings(), world), async (wire) => {
      assert.is((await send(wire, 'GET', '/health/ready')).status, 200)
      assert.is((await send(wire, 'GET', '/clients', { token: master })).status, 200)
      assert.is((await send(wire, 'GET', '/clients')).status, 401)
      assert.is((await send(wire, 'POST', '/clients', { token: master, json: { redirect_uris } })).status, 200)
      assert.is((await send(wire, 'POST', '/clients', { json: { redirect_uris } })).status, 401)
      assert.is((await send(wire, 'GET', '/clients/any', { token: master })).status, 404)
      assert.is(
        (await send(wire, 'POST', '/direct-authz', { token: master, json: { scope: 'client-reg' } })).status,
        200,
      )
      assert.is((await send(wire, 'POST', '/direct-authz', { json: { scope: 'client-reg' } })).status, 401)
    })
  },
)

served.run()
