import type { Page } from 'playwright-core'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import {
  type OpenOptions,
  browserSuite,
  expectAccessible,
  expectNoSidewaysScrolling,
  saveScreenshot,
  openPlayground,
  paste,
} from '../support/playground-page.js'

const looks = browserSuite('the look of the playground')

const examples = [0, 1, 2, 3, 4]

const load = (page: Page, example: number): Promise<void> => page.locator(`[data-example="${example}"]`).click()

for (const dark of [false, true])
  looks(`axe finds nothing in the ${dark ? 'dark' : 'light'}, whatever is decided`, async (browser) => {
    const { page, close } = await openPlayground(browser, { dark })
    for (const example of examples) {
      await load(page, example)
      await expectAccessible(page, { where: `example ${example}` })
      await saveScreenshot(page, `playground-${example}-${dark ? 'dark' : 'light'}`)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessible(page, { where: 'on a small screen' })
    await close()
  })

const long = JSON.stringify({
  redirect_uris: [`https://rp.example/${'x'.repeat(1900)}#`],
  ['x'.repeat(300)]: 0,
  client_name: 'W'.repeat(300),
  grant_types: ['y'.repeat(256)],
})

const screens: ReadonlyArray<OpenOptions> = [
  { width: 320, height: 640 },
  { width: 640, height: 400 },
  { width: 820, height: 1000 },
  { width: 1280, height: 800 },
  { width: 2200, height: 1200 },
]

looks(
  'nothing stands beside the screen, from 320 px on and with text twice as large (WCAG 2.2 §1.4.4, §1.4.10)',
  async (browser) => {
    for (const screen of screens) {
      const { page, close } = await openPlayground(browser, screen)
      for (const size of ['100%', '200%']) {
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`)
        for (const example of examples) {
          await load(page, example)
          await expectNoSidewaysScrolling(page, `${screen.width} px, ${size}, example ${example}`)
        }
        await paste(page, long)
        await expectNoSidewaysScrolling(page, `${screen.width} px, ${size}, long words`)
        await saveScreenshot(page, `playground-${screen.width}-${size}`)
      }
      await close()
    }
  },
)

looks('forced colours leave every control its edge', async (browser) => {
  const { page, close } = await openPlayground(browser, { context: { forcedColors: 'active' } })
  await load(page, 2)
  const edges: ReadonlyArray<string> = await page.evaluate(
    `[...document.querySelectorAll('button:not(.pointer, #jump), textarea, input:not([type]), pre')]
      .filter((each) => each.checkVisibility()).map((each) => getComputedStyle(each).borderStyle)`,
  )
  assert.ok(edges.length > 10)
  assert.equal([...new Set(edges)], ['solid'])
  await expectAccessible(page, { mayBeUndecided: true })
  await saveScreenshot(page, 'playground-forced-colours')
  await close()
})

looks('nothing moves by itself', async (browser) => {
  const { page, close } = await openPlayground(browser)
  await load(page, 2)
  assert.is(await page.evaluate('document.getAnimations().length'), 0)
  assert.equal(
    await page.evaluate(`[...document.querySelectorAll('*')].filter((each) =>
      parseFloat(getComputedStyle(each).transitionDuration) > 0 || getComputedStyle(each).scrollBehavior === 'smooth').length`),
    0,
  )
  await close()
})

// The picture of the documents, stored with SCREENSHOTS=1.
looks('at 1280 px, what is typed, the decision and its first faults are seen at once', async (browser) => {
  const { page, close } = await openPlayground(browser, { height: 860 })
  await load(page, 2)
  for (const seen of ['#body', '#decision', '#faults li >> nth=0', '#faults li >> nth=1']) {
    const box = await page.locator(seen).boundingBox()
    assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 860, seen)
  }
  if (process.env['SCREENSHOTS'] !== undefined) {
    await page.mouse.move(0, 0)
    await page.evaluate('document.activeElement.blur()')
    await page.screenshot({ path: fileURLToPath(new URL('../../../../docs/images/playground.png', import.meta.url)) })
  }
  await close()
})

looks.run()
