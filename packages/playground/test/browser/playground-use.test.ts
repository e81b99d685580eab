import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, headlineOf, openPlayground, paste, press } from '../support/playground-page.js'

const use = browserSuite('the use of the playground')

/** The short accessible name of the element with the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(({ id, name, value, textContent, dataset }) =>
    id || (name && name + ' ' + value) || dataset.example || textContent.trim())(document.activeElement)`)

const tabTo = async (page: Page, wanted: string, most = 40): Promise<ReadonlyArray<string>> => {
  const passed: Array<string> = []
  while (passed.at(-1) !== wanted && passed.length < most) {
    await press(page, 'Tab')
    passed.push(await focused(page))
  }
  return passed
}

use('by keyboard alone: from an empty editor to a decision, and from there to a registration', async (browser) => {
  const { page, noticed, close } = await openPlayground(browser)
  await tabTo(page, 'body')
  await press(page, 'Control+A', 'Delete')
  assert.is(await headlineOf(page), '400 invalid_request')
  await page.keyboard.type('{"client_name": "Batch", "grant_types": ["password"]}')
  assert.is(await headlineOf(page), '403 insufficient_scope')
  await tabTo(page, 'ticked client-reg:grant:password')
  await press(page, 'Space')
  assert.is(await headlineOf(page), 'Registered')
  assert.equal(noticed, [])
  await close()
})

use('the keyboard meets every control once, in the order in which they stand', async (browser) => {
  const { page, close } = await openPlayground(browser)
  await page.locator('[data-example="2"]').click()
  // Tab continues from the position of the mouse click.
  await page.mouse.click(2, 2)
  const stops = await tabTo(page, 'Copy test', 60)
  const inOrder: ReadonlyArray<string> =
    await page.evaluate(`[...document.querySelectorAll('button, input, textarea, pre')]
    .filter((each) => each.checkVisibility() && (each.type !== 'radio' || each.checked))
    .map(({ id, name, value, textContent, dataset }) =>
      id || (name && name + ' ' + value) || dataset.example || textContent.trim())`)
  assert.equal(stops, inOrder)
  assert.ok(stops.length > 25)
  await close()
})

use(
  'where the focus is, is seen, and nothing covers it, on a small screen too (WCAG 2.2 §2.4.7, §2.4.11)',
  async (browser) => {
    for (const [width, height] of [
      [320, 640],
      [1280, 800],
    ] as const) {
      const { page, close } = await openPlayground(browser, { width, height })
      await page.locator('[data-example="2"]').click()
      for (let stop = 0; stop < 30; stop += 1) {
        await press(page, 'Tab')
        const [outline, covered]: readonly [number, string] = await page.evaluate(`(() => {
        const focused = document.activeElement
        const { left, top, width, height } = focused.getBoundingClientRect()
        const isSeen = [0.1, 0.3, 0.5, 0.7, 0.9].some((part) => {
          const at = document.elementFromPoint(left + width / 2, top + height * part)
          return at !== null && (focused.contains(at) || at.contains(focused))
        })
        return [parseFloat(getComputedStyle(focused).outlineWidth), isSeen ? '' : focused.outerHTML]
      })()`)
        assert.ok(outline >= 2, await focused(page))
        assert.is(covered, '')
      }
      await close()
    }
  },
)

use('the pointer of a fault leads to its place in the editor', async (browser) => {
  const { page, close } = await openPlayground(browser)
  await page.locator('[data-example="2"]').click()
  await page.getByRole('button', { name: '/redirect_uris/1' }).click()
  const selected = await page.evaluate(
    '[document.activeElement.id, document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)]',
  )
  assert.equal(selected, ['body', '"https://*.nordlicht.example/callback"'])
  await close()
})

use('what is missing is ticked by one button, and the focus goes to the decision', async (browser) => {
  const { page, close } = await openPlayground(browser)
  await page.locator('[data-example="3"]').click()
  assert.is(await headlineOf(page), '403 insufficient_scope')
  await page.getByRole('button', { name: 'Tick what is missing' }).press('Enter')
  assert.is(await headlineOf(page), 'Registered')
  assert.is(await focused(page), 'decision')
  assert.ok(await page.getByRole('checkbox', { name: /^client-reg:data/ }).isChecked())
  await close()
})

use('the decision is told politely, only when it changes, and every control has a name', async (browser) => {
  const { page, close } = await openPlayground(browser)
  const decision = page.locator('#decision')
  assert.equal(
    [await decision.getAttribute('aria-live'), await decision.getAttribute('aria-atomic')],
    ['polite', 'true'],
  )
  await page.evaluate(`{
    window.told = 0
    new MutationObserver(() => (window.told += 1)).observe(document.getElementById('decision'), { childList: true, subtree: true })
  }`)
  await page.locator('#body').press('Control+End')
  await page.keyboard.type('   \n')
  assert.is(await page.evaluate('window.told'), 0)
  await page.keyboard.type('x')
  assert.ok((await page.evaluate<number>('window.told')) > 0)
  for (const [role, name] of [
    ['textbox', 'Client metadata'],
    ['radio', /^managed/],
    ['radio', /^open/],
    ['textbox', 'Only these values of scope'],
    ['textbox', 'Base URL'],
    ['group', 'Registration is'],
    ['group', 'The initial access token permits'],
  ] as const)
    assert.is(await page.getByRole(role, { name }).count(), 1, String(name))
  await close()
})

use('open registration asks for what is open, and managed registration does not', async (browser) => {
  const { page, close } = await openPlayground(browser)
  const open = page.getByRole('textbox', { name: 'Values of scope that a registrant without a token may set' })
  assert.not.ok(await open.isVisible())
  await page.getByRole('radio', { name: /^open/ }).check()
  assert.ok(await open.isVisible())
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck()
  await page.getByRole('textbox', { name: 'Only these values of scope' }).fill('')
  assert.is(await headlineOf(page), '401 missing_token')
  await open.fill('openid profile')
  assert.is(await headlineOf(page), 'Registered')
  await close()
})

use('while one types, nothing of the form moves', async (browser) => {
  for (const width of [390, 1280]) {
    const { page, close } = await openPlayground(browser, { width })
    const places = (): Promise<unknown> =>
      page.evaluate(`[...document.querySelectorAll('#request button:not(#jump), #request input, #request textarea')]
        .filter((each) => each.checkVisibility())
        .map((each) => { const { x, y, width } = each.getBoundingClientRect(); return [x, y + scrollY, width] })`)
    const before = await places()
    for (const text of ['', '{', '{"redirect_uris": 7, "contacts": 8, "x": 9}', '[]', `"${'x'.repeat(70_000)}"`]) {
      await paste(page, text)
      assert.equal(await places(), before, text.slice(0, 50))
    }
    await close()
  }
})

use('on a small screen a bar tells the decision, and leads to it', async (browser) => {
  const { page, close } = await openPlayground(browser, { width: 320, height: 640 })
  const bar = page.getByRole('button', { name: 'Registered See why' })
  assert.ok(await bar.isVisible())
  await bar.click()
  assert.is(await focused(page), 'decision')
  const box = await page.locator('#decision').boundingBox()
  assert.ok(box !== null && box.y >= 0 && box.y < 640)
  await close()
})

use.run()
