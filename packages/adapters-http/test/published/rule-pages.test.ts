import { isRuleId, ruleTexts } from '@clientele/domain/kernel'
import * as assert from 'uvu/assert'
import { createWorld, httpSettings } from '../support/in-memory-ports.js'
import { suiteOnShells } from '../support/shells.js'
import { send, withServer } from '../support/wire.js'

const pages = suiteOnShells('pages of rules')

const ruleIds = Object.keys(ruleTexts).filter(isRuleId)

pages('there is a page for every rule, and the list leads to each', async (shell) => {
  const listener = shell.createPublicListener(httpSettings(), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const list = await send(wire, 'GET', '/rules')
    assert.equal([list.status, list.headers['content-type']], [200, 'text/html; charset=utf-8'])
    const { length } = list.body
    for (const rule of ruleIds) {
      assert.ok(list.body.includes(`href="https://op.example/rules/${rule}"`), rule)
      const page = await send(wire, 'GET', `/rules/${rule}`)
      assert.is(page.status, 200, rule)
      const html = page.body.toString()
      assert.match(html, `<h1>${rule}</h1>`)
      assert.match(html, '<html lang="en"')
      assert.match(String(page.headers['content-security-policy']), "default-src 'none'")
      const head = await send(wire, 'HEAD', `/rules/${rule}`)
      assert.equal([head.status, head.body.length], [200, 0])
    }
    assert.ok(length < 200_000, String(length))
  })
})

pages('a page that is known already is not sent again, and no other rule has one', async (shell) => {
  const listener = shell.createPublicListener(httpSettings(), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    for (const path of ['/rules', '/rules/uri-fragment']) {
      const { headers } = await send(wire, 'GET', path)
      const again = await send(wire, 'GET', path, { headers: { 'if-none-match': String(headers.etag) } })
      assert.equal([again.status, again.body.length, again.headers['cache-control']], [304, 0, 'public, max-age=60'])
    }
    for (const path of ['/rules/no-such-rule', '/rules/constructor', '/rules/%00']) {
      const missing = await send(wire, 'GET', path)
      assert.equal([missing.status, missing.headers['cache-control']], [404, 'public, max-age=60'], path)
    }
  })
})

pages('the page of a rule says what breaks it, what keeps it, and where the standard says so', async (shell) => {
  const listener = shell.createPublicListener(httpSettings(), createWorld(), { withOperators: false })
  await withServer(listener, async (wire) => {
    const page = (await send(wire, 'GET', '/rules/uri-fragment')).body.toString()
    assert.match(page, 'an entry of redirect_uris must not have a fragment')
    assert.match(page, 'https://app.example/callback#start')
    assert.match(page, 'href="https://www.rfc-editor.org/rfc/rfc6749#section-3.1.2"')
    assert.match(page, '<code>redirect_uris</code>')
  })
})

pages(
  'the page of a rule says what happens to a registration and to a metadata document that break it',
  async (shell) => {
    const listener = shell.createPublicListener(httpSettings(), createWorld(), { withOperators: false })
    await withServer(listener, async (wire) => {
      for (const [rule, registration, document] of [
        [
          'uri-fragment',
          /If a registration breaks this rule, the service refuses it\./,
          /the service refuses the document\./,
        ],
        [
          'redirect-uri-web',
          /the service refuses it, or repairs it/,
          /ignores that part and uses the rest\. It refuses the document only if/,
        ],
        ['text', /the service refuses it, or repairs it/, /shortens or ignores that part and uses the rest/],
      ] as const) {
        const page = (await send(wire, 'GET', `/rules/${rule}`)).body.toString()
        assert.match(page, registration)
        assert.match(page, document)
      }
    })
  },
)

pages.run()
