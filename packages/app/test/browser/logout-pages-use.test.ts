import type { Page as BrowserPage } from 'playwright-core'
import * as assert from 'uvu/assert'
import { browserSuite, saveScreenshot, openPage } from './support/browser.js'
import { type Site, openSite } from './support/loopback-site.js'
import { directionOf, standsBefore } from './support/reading-order.js'
import { form, languages, mail, openLogoutPages, pages, served, shop } from './support/shown-pages.js'

const use = browserSuite('the use of the logout pages')

const withoutScript = { context: { javaScriptEnabled: false } }

const answered = (site: Site): ReadonlyArray<string> =>
  site.seen.filter(({ method }) => method === 'POST').map(({ path, body }) => `${path} ${body}`)

/** The element with the focus, as a screen reader reports it. */
const focused = (page: BrowserPage): Promise<string> =>
  page.evaluate(`[document.activeElement.localName, document.activeElement.value].filter(Boolean).join(' ')`)

const press = async (page: BrowserPage, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

use(
  'by keyboard alone and without script, the first stop signs out and the second stays, in every language',
  async (browser) => {
    const site = await openLogoutPages()
    const page = await openPage(browser, withoutScript)
    for (const language of languages)
      for (const [keys, answer] of [
        [['Tab'], 'logout'],
        [['Tab', 'Tab'], 'stay'],
      ] as const) {
        await page.goto(`${site.origin}/dialog/${language}`)
        await press(page, ...keys)
        assert.is(await focused(page), `button ${answer}`)
        await Promise.all([page.waitForURL('**/confirm'), press(page, 'Enter')])
        assert.is(answered(site).at(-1), `${form.action} value=${form.value}&answer=${answer}`)
      }
    await site.close()
  },
)

use('what is folded away opens by keyboard without script, before the answers', async (browser) => {
  const site = await openLogoutPages()
  const page = await openPage(browser, withoutScript)
  await page.goto(`${site.origin}/dialog-many/en`)
  assert.not.ok(await page.getByText(mail.host).last().isVisible())
  await press(page, 'Tab')
  assert.is(await focused(page), 'summary')
  await press(page, 'Enter')
  assert.ok(await page.getByText('and 9 more').isVisible())
  await saveScreenshot(page, 'unfolded')
  await press(page, 'Tab')
  assert.is(await focused(page), 'button logout')
  await site.close()
})

use('where nobody is signed in, the one button leads back, and a link continues when all is done', async (browser) => {
  const site = await openLogoutPages()
  const page = await openPage(browser, withoutScript)
  await page.goto(`${site.origin}/nobody/en`)
  await page.getByRole('button', { name: 'Return to Nordlicht Shop' }).click()
  assert.equal(answered(site), [`/confirm value=${form.value}&answer=stay`])
  await page.goto(`${site.origin}/signed-out-frames/en`)
  await press(page, 'Tab')
  assert.is(await focused(page), 'a')
  const link = page.getByRole('link', { name: 'Continue to Nordlicht Shop' })
  assert.is(await link.getAttribute('href'), 'https://shop.nordlicht.example/after')
  await site.close()
})

use('the focus is seen, and every target is 44 px high at least (WCAG 2.2 §2.4.7, §2.5.8)', async (browser) => {
  const site = await openLogoutPages()
  const page = await openPage(browser, { width: 320 })
  for (const name of ['dialog', 'dialog-many', 'nobody', 'signed-out-frames'])
    for (const forcedColors of ['none', 'active'] as const) {
      await page.emulateMedia({ forcedColors })
      await page.goto(`${site.origin}/${name}/de`)
      for (const target of await page.locator('button, summary, main a').all()) {
        await press(page, 'Tab')
        assert.is(await page.locator(':focus').textContent(), await target.textContent(), name)
        assert.ok(await page.evaluate('parseFloat(getComputedStyle(document.activeElement).outlineWidth) >= 2'), name)
        const box = await target.boundingBox()
        assert.ok((box?.height ?? 0) >= 44 && (box?.width ?? 0) >= 44, `${name}: ${JSON.stringify(box)}`)
      }
      await saveScreenshot(page, `focus-${name}-${forcedColors}`)
    }
  await site.close()
})

use('Arabic runs from right to left, and names and hosts keep their own direction', async (browser) => {
  const arabic = { name: 'متجر الشمال', host: 'shop.example' }
  const mixed = { ...pages['confirmation'], kind: 'dialog' as const, form, notice: undefined, more: 0, back: arabic }
  const site = await openLogoutPages({
    mixed: { ...mixed, applications: [arabic, { name: '(ABC) 1!', host: 'a.example' }] },
  })
  const page = await openPage(browser, { width: 1280, height: 800 })
  const expectOrder = async (direction: string): Promise<void> => {
    assert.equal(await Promise.all(['p', 'form'].map((each) => directionOf(page, each))), [direction, direction])
    const own = await Promise.all(
      ['p .name bdi', 'li + li .name bdi', '.host bdi'].map((each) => directionOf(page, each)),
    )
    assert.equal(own, ['rtl', 'ltr', 'ltr'], 'names and hosts keep their own direction')
    assert.ok(await standsBefore(page, 'p', '.name', '.host'), 'the name stands before its host')
    assert.ok(await standsBefore(page, 'form', '[value=logout]', '[value=stay]'), 'the first answer comes first')
  }
  await page.goto(`${site.origin}/mixed/ar`)
  assert.is(await page.locator('html').getAttribute('dir'), 'rtl')
  await saveScreenshot(page, 'mixed-ar')
  await expectOrder('rtl')
  await page.goto(`${site.origin}/mixed/en`)
  assert.is(await page.locator('html').getAttribute('dir'), 'ltr')
  await saveScreenshot(page, 'mixed-en')
  await expectOrder('ltr')
  await site.close()
})

use(
  'frames are loaded, and stop neither the keyboard nor a screen reader (Front-Channel Logout §3)',
  async (browser) => {
    const application = await openSite(() => ({ html: '<title>told</title><button>in the frame</button>' }))
    const frames = [`${application.origin}/one?sid=a&iss=b`, `${application.origin}/two`]
    const reported = { kind: 'signed_out' as const, applications: [shop, mail], more: 0, frames, back: undefined }
    const site = await openSite(() => served(reported, 'en', [application.origin]))
    const page = await openPage(browser)
    await page.goto(site.origin)
    assert.equal(application.seen.map(({ path }) => path).sort(), ['/one?sid=a&iss=b', '/two'])
    assert.not.match(await page.locator('body').ariaSnapshot(), /in the frame|iframe/)
    assert.not.ok(await page.locator('iframe').first().isVisible())
    await press(page, 'Tab')
    assert.is(await focused(page), 'a', 'the link to the service')
    await press(page, 'Tab')
    assert.is(await focused(page), 'body')
    await Promise.all([site.close(), application.close()])
  },
)

use.run()
