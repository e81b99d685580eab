import * as fc from 'fast-check'
import { createHash } from 'node:crypto'
import * as assert from 'uvu/assert'
import { firstState } from '../../src/examples.js'
import { brokenLinkTexts, unshareableTexts } from '../../src/texts.js'
import { headline } from '../../src/sections.js'
import { view } from '../../src/view.js'
import { maxFragment, toBase64url } from '../../src/share-link.js'
import { browserSuite, headlineOf, html, openPlayground, paste } from '../support/playground-page.js'
import { bodyText } from '../support/states.js'

const hostile = browserSuite('what is hostile to the playground')

const first = firstState('https://op.example')

hostile('whatever is pasted, the page decides as the domain does, and never fails', async (browser) => {
  const { page, noticed, close } = await openPlayground(browser)
  await fc.assert(
    fc.asyncProperty(bodyText(), async (text) => {
      await paste(page, text)
      const [body, shown, count]: readonly [string, string, string] = await page.evaluate(
        `[document.getElementById('body').value, document.querySelector('.headline').textContent, document.getElementById('fault-count').textContent]`,
      )
      const { decision, faults } = view({ ...first, body })
      assert.equal([shown, count], [headline(decision), String(faults.length)])
      assert.equal(noticed, [])
    }),
    { numRuns: 60 },
  )
  await close()
})

hostile('markup is text, wherever it is shown', async (browser) => {
  const { page, noticed, close } = await openPlayground(browser)
  const markup = '<img src=x onerror=alert(1)></script><script>alert(1)</script>'
  await paste(
    page,
    JSON.stringify({ [markup]: markup, client_name: markup, redirect_uris: [markup], 'client_name#x<b>': 1 }),
  )
  await page.locator('#scopeValues').fill('<b>x</b>')
  await page.locator('#baseUrl').fill(`https://a.example/${markup}`)
  assert.is(await page.locator('img, b, main script').count(), 0)
  assert.match((await page.locator('#metadata').textContent()) ?? '', '<img src=x onerror=alert(1)>')
  assert.equal(noticed, [])
  await close()
})

const fragments: ReadonlyArray<readonly [string, string]> = [
  ['decision', brokenLinkTexts.malformed],
  ['1.%00%E0%A4%A', brokenLinkTexts.malformed],
  ['1._w', brokenLinkTexts.malformed],
  [`1.${toBase64url('{"__proto__": 1}')}`, brokenLinkTexts.malformed],
  [`1.${toBase64url(JSON.stringify(['open', '', 'toString', '', '', '']))}`, brokenLinkTexts.malformed],
  ['<img src=x onerror=alert(1)>', brokenLinkTexts.malformed],
  ['2.abc', brokenLinkTexts.other_version],
  [`1.${'A'.repeat(maxFragment)}`, brokenLinkTexts.too_long],
  ['x'.repeat(500_000), brokenLinkTexts.too_long],
]

hostile('a link that cannot be read begins with the first example, and says so', async (browser) => {
  for (const [fragment, text] of fragments) {
    const { page, noticed, close } = await openPlayground(browser, { fragment })
    assert.is(await page.getByRole('status').first().textContent(), text)
    assert.is(await page.locator('#body').inputValue(), first.body)
    assert.is(await headlineOf(page), 'Registered')
    assert.equal(noticed, [])
    await close()
  }
})

hostile('the policy of the page names its script and style, and lets nothing else run or load', async (browser) => {
  const playground = await openPlayground(browser)
  const { page, address, noticed, close } = playground
  const inner = (tag: string): string => new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(html)?.[1] ?? ''
  const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = (await page.locator('meta[http-equiv]').getAttribute('content')) ?? ''
  assert.ok(policy.startsWith("default-src 'none'; "))
  assert.ok(policy.includes(`script-src ${hash(inner('script'))};`))
  assert.ok(policy.includes(`style-src ${hash(inner('style'))};`))
  assert.equal(noticed, [])
  await page.evaluate(`{
    const made = document.createElement('style')
    made.textContent = 'body { display: none }'
    document.body.append(made)
    for (const source of ['img', 'iframe', 'script']) {
      try { document.body.append(Object.assign(document.createElement(source), { src: '${address}/x' })) } catch {}
    }
  }`)
  assert.not.ok(await page.evaluate(`fetch('${address}').then(() => true, () => false)`))
  assert.not.ok(
    await page.evaluate(`(() => { try { document.body.innerHTML = '<p>x'; return true } catch { return false } })()`),
  )
  assert.ok(await page.locator('#body').isVisible())
  assert.equal(playground.seen, ['GET /playground'])
  await close()
})

hostile('without script the page says what it is and what it needs', async (browser) => {
  const { page, close } = await openPlayground(browser, { context: { javaScriptEnabled: false } })
  assert.match(
    await page.locator('body').innerText(),
    /Registration playground[\s\S]+decides OpenID Connect and OAuth 2.0[\s\S]+allow scripts/,
  )
  assert.not.ok(await page.locator('#main').isVisible())
  await close()
})

hostile('a text with a client secret is not put into the address', async (browser) => {
  const { page, address, close } = await openPlayground(browser)
  await page.locator('[data-example="1"]').click()
  await page.waitForURL(`${address}#1.*`)
  await paste(page, '{"preferred_client_secret": "s3cret"}')
  await page.waitForURL(address)
  await page.getByRole('button', { name: 'Copy link' }).click()
  assert.is(await page.locator('#link-status').textContent(), unshareableTexts.secret)
  assert.is(page.url(), address)
  await close()
})

hostile.run()
