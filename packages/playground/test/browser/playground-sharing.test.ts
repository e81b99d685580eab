import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { copyTexts } from '../../src/texts.js'
import { type OpenOptions, browserSuite, headlineOf, openPlayground, paste } from '../support/playground-page.js'

const sharing = browserSuite('what is shared of the playground')

const allowed: OpenOptions = { context: { permissions: ['clipboard-read', 'clipboard-write'] } }

const copied = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

const fieldsOf = (page: Page): Promise<unknown> =>
  page.evaluate(
    `[...document.querySelectorAll('input, textarea')].map(({ name, value, checked }) => [name, value, checked])`,
  )

sharing('a link brings everything back: what is typed, ticked and chosen', async (browser) => {
  const { page, noticed, close } = await openPlayground(browser, allowed)
  await paste(page, '{"client_name": "Ünïcödé 漢字 🦊", "redirect_uris": ["http://x"]}')
  await page.getByRole('radio', { name: /^open/ }).check()
  await page.locator('#openScope').fill('a b')
  await page.getByRole('checkbox', { name: /^client-reg:data/ }).check()
  await page.locator('#baseUrl').fill('https://other.example')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText(copyTexts.done).waitFor()
  const link = await copied(page)
  const before = await fieldsOf(page)
  const headline = await headlineOf(page)
  const other = await page.context().newPage()
  await other.goto(link)
  assert.equal(await fieldsOf(other), before)
  assert.is(await headlineOf(other), headline)
  assert.equal(noticed, [])
  await close()
})

sharing(
  'the address follows what is typed, a reload keeps it, and another link is followed in place',
  async (browser) => {
    const { page, address, close } = await openPlayground(browser)
    await paste(page, '{"grant_types": []}')
    await page.waitForURL(`${address}#1.*`)
    const link = page.url()
    await page.reload()
    assert.is(await page.locator('#body').inputValue(), '{"grant_types": []}')
    await page.locator('[data-example="3"]').click()
    await page.waitForURL((url) => url.href !== link)
    await page.evaluate(`location.href = ${JSON.stringify(link)}`)
    await page.waitForFunction(`document.getElementById('body').value.includes('[]')`)
    assert.is(await page.locator('#body').inputValue(), '{"grant_types": []}')
    await close()
  },
)

sharing('the command and the test are copied as they are shown', async (browser) => {
  const { page, close } = await openPlayground(browser, allowed)
  for (const [name, id] of [
    ['Copy command', 'curl'],
    ['Copy test', 'test'],
  ] as const) {
    await page.getByRole('button', { name }).click()
    await page.locator(`#${id}-status`).getByText(copyTexts.done).waitFor()
    assert.is(await copied(page), await page.locator(`#${id}`).textContent())
  }
  assert.is(await page.locator('#curl-status').textContent(), '')
  await close()
})

sharing('where copying is not allowed, the text is selected, and a word says how to go on', async (browser) => {
  const { page, close } = await openPlayground(browser)
  await page.evaluate(`Object.defineProperty(navigator, 'clipboard', { value: undefined })`)
  await page.getByRole('button', { name: 'Copy command' }).click()
  await page.getByText(copyTexts.selected).waitFor()
  assert.is(await page.evaluate('getSelection().toString()'), await page.locator('#curl').textContent())
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText(copyTexts.address).waitFor()
  await close()
})

sharing.run()
