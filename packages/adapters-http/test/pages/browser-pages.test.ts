import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { suite } from 'uvu'
import { prefersHtml } from '../../src/pages/page-response.js'
import { createWorld, httpSettings } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'
import { suiteOnShells } from '../support/shells.js'
import { send, withServer } from '../support/wire.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const pages = suiteOnShells('pages for browsers')

const settingsAt = (basePath: string, documents = [{ path: '/playground', headers: {}, text: '' }]) => {
  const { registration } = httpSettings()
  return httpSettings({
    basePath,
    documents,
    registration: {
      ...registration,
      issuer: `https://op.example${basePath}`,
      registrationEndpoint: `https://op.example${basePath}/clients`,
    },
  })
}

for (const base of ['', '/op'])
  pages(`a browser at the base URL is told what this is and where to go on (base path "${base}")`, async (shell) => {
    const listener = shell.createPublicListener(settingsAt(base), createWorld(), { withOperators: false })
    await withServer(listener, async (wire) => {
      for (const path of base === '' ? ['/'] : [base, `${base}/`]) {
        const answer = await send(wire, 'GET', path, { headers: { accept: browser, 'accept-language': 'de' } })
        assert.equal([answer.status, answer.headers['content-type']], [200, 'text/html; charset=utf-8'])
        assert.match(String(answer.headers['content-security-policy']), "default-src 'none'")
        assert.is(answer.headers['cache-control'], 'no-store')
        const html = answer.body.toString()
        assert.match(html, '<html lang="de"')
        for (const link of ['/.well-known/openid-configuration', '/jwks.json', '/playground', '/rules'])
          assert.match(html, `href="https://op.example${base}${link}"`)
        for (const copied of ['', '/clients', '/logout'])
          assert.match(html, `<code class="copied">https://op.example${base}${copied}</code>`)
        assert.not.match(html.replace(/<style>[^<]*/, ''), /\d+\.\d+\.\d+|Koa|Node|nunjucks/i)
      }
    })
  })

pages('without a playground the page has no link to it', async (shell) => {
  const listener = shell.createPublicListener(settingsAt('', []), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const { body } = await send(wire, 'GET', '/', { headers: { accept: browser } })
    assert.not.match(body.toString(), 'playground')
  })
})

pages('elsewhere a browser gets 404 with a page, which says nothing of what was asked', async (shell) => {
  const listener = shell.createPublicListener(settingsAt(''), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const answer = await send(wire, 'GET', '/nothing-here', { headers: { accept: browser } })
    assert.equal([answer.status, answer.headers['content-type']], [404, 'text/html; charset=utf-8'])
    assert.not.match(answer.body.toString(), 'nothing-here')
  })
})

pages('programs get JSON at the base URL, for health checks too, and elsewhere the empty 404', async (shell) => {
  const listener = shell.createPublicListener(settingsAt(''), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0'])
      for (const method of ['GET', 'HEAD']) {
        const headers = accept === undefined ? {} : { accept }
        const elsewhere = await send(wire, method, '/nothing-here', { headers })
        assert.equal([elsewhere.status, elsewhere.body.length], [404, 0], accept)
        const home = await send(wire, method, '/', { headers })
        assert.equal([home.status, home.headers['content-type']], [200, 'application/json'], accept)
        if (method === 'GET')
          assert.equal(JSON.parse(home.body.toString()), {
            issuer: 'https://op.example',
            openid_configuration: 'https://op.example/.well-known/openid-configuration',
            jwks_uri: 'https://op.example/jwks.json',
          })
        else assert.is(home.body.length, 0)
      }
    const posted = await send(wire, 'POST', '/', { headers: { accept: browser } })
    assert.equal([posted.status, posted.body.length], [404, 0])
  })
})

const challenged = [
  ['/clients', 401],
  ['/clients/none', 401],
  ['/sessions', 401],
  ['/keys', 401],
  ['/manage/v1/clients', 401],
  ['/direct-authz', 405],
] as const

pages('an address for programs shows a browser a page, with the challenge or the methods', async (shell) => {
  const listener = shell.createPublicListener(settingsAt(''), createWorld(), { withOperators: true })
  await withServer(listener, async (wire) => {
    for (const [path, status] of challenged) {
      const page = await send(wire, 'GET', path, { headers: { accept: browser } })
      assert.equal([page.status, page.headers['content-type']], [status, 'text/html; charset=utf-8'], path)
      assert.match(String(page.headers['content-security-policy']), "default-src 'none'")
      assert.is(page.headers['cache-control'], 'no-store')
      const other = await send(wire, 'GET', path, {})
      for (const name of ['www-authenticate', 'allow']) assert.is(page.headers[name], other.headers[name], path)
      const head = await send(wire, 'HEAD', path, { headers: { accept: browser } })
      assert.equal([head.status, head.body.length], [status, 0], path)
    }
    // What a page of this browser sends as a form is answered as all programs are.
    const posted = await send(wire, 'POST', '/clients', { headers: { accept: browser }, json: {} })
    assert.equal([posted.status, posted.headers['content-type']], [401, 'application/json'])
  })
})

pages('a browser too sees no difference between a missing client and one of somebody else', async (shell) => {
  const world = createWorld()
  const { id } = await registered(world)
  const listener = shell.createPublicListener(settingsAt(''), world, { withOperators: false })
  await withServer(listener, async (wire) => {
    for (const headers of [{ accept: browser }, {}])
      for (const token of ['unknown', undefined]) {
        const bearing = token === undefined ? {} : { token }
        const [there, missing] = await Promise.all(
          [id, 'none'].map((each) => send(wire, 'GET', `/clients/${each}`, { headers, ...bearing })),
        )
        assert.equal(there?.body.toString(), missing?.body.toString())
        assert.ok((there?.body.length ?? 0) > 0)
        const own = { date: '', 'x-request-id': '' }
        assert.equal({ ...there?.headers, ...own }, { ...missing?.headers, ...own })
      }
  })
})

pages.run()

const preference = suite('prefersHtml')

law(preference)('any field whatever is judged', [fc.oneof(fc.string(), fc.constant(undefined))], (accept) => {
  assert.type(prefersHtml(accept), 'boolean')
})

preference.run()
