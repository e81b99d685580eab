import { law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { suite } from 'uvu'
import { prefersHtml } from '../../src/pages/browser-pages.js'
import { createWorld, httpSettings } from '../support/in-memory-ports.js'
import { suiteOnShells } from '../support/shells.js'
import { send, withServer } from '../support/wire.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const pages = suiteOnShells('pages for browsers')

const settingsAt = (basePath: string, documents = [{ path: '/playground', headers: {}, text: '' }]) => {
  const { registration } = httpSettings()
  return httpSettings({
    basePath,
    documents,
    registration: { ...registration, issuer: `https://op.example${basePath}` },
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
        for (const link of ['/.well-known/openid-configuration', '/jwks.json', '/playground'])
          assert.match(html, `href="https://op.example${base}${link}"`)
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

pages('programs get the empty 404, at the base URL too', async (shell) => {
  const listener = shell.createPublicListener(settingsAt(''), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    for (const accept of [undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0'])
      for (const path of ['/', '/nothing-here']) {
        const answer = await send(wire, 'GET', path, accept === undefined ? {} : { headers: { accept } })
        assert.equal([answer.status, answer.body.length], [404, 0], accept)
      }
    assert.is((await send(wire, 'POST', '/', { headers: { accept: browser } })).body.length, 0)
  })
})

pages.run()

const preference = suite('prefersHtml')

law(preference)('any field whatever is judged', [fc.oneof(fc.string(), fc.constant(undefined))], (accept) => {
  assert.type(prefersHtml(accept), 'boolean')
})

preference.run()
