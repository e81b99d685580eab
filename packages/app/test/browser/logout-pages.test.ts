import type { Browser, Page } from 'playwright-core'
import { expectAccessible, expectNoSidewaysScrolling } from './support/accessibility.js'
import { browserSuite, saveScreenshot, openPage } from './support/browser.js'
import { type Language, languages, openLogoutPages, pages } from './support/shown-pages.js'

const looks = browserSuite('the look of the logout pages')

const screens = [
  { width: 320, height: 640 },
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]

const looksRight = async (page: Page, where: string): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const screen of screens) {
      const picture = `${where}-${colorScheme}-${screen.width}`
      await page.setViewportSize(screen)
      await expectNoSidewaysScrolling(page, picture)
      // The results of axe hardly depend on the width, and it takes long.
      if (screen.width === 390) await expectAccessible(page, { where: picture })
      await saveScreenshot(page, picture)
    }
  }
}

// WCAG 2.2 §1.4.4 and §1.4.10: a screen of 1280 px at 200 %, and text alone twice as large on the smallest
const standsEnlarged = async (page: Page, where: string): Promise<void> => {
  await page.setViewportSize({ width: 640, height: 400 })
  await expectNoSidewaysScrolling(page, `${where} at 200 %`)
  await page.setViewportSize({ width: 320, height: 640 })
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`)
  await expectNoSidewaysScrolling(page, `${where} with large text`)
  await saveScreenshot(page, `${where}-large-text`)
}

const everyPage = async (browser: Browser, language: Language): Promise<void> => {
  const site = await openLogoutPages()
  const page = await openPage(browser)
  for (const name of Object.keys(pages)) {
    await page.goto(`${site.origin}/${name}/${language}`)
    await looksRight(page, `${name}-${language}`)
    await standsEnlarged(page, `${name}-${language}`)
  }
  await site.close()
}

for (const language of languages)
  looks(
    `${language}: axe finds nothing, light or dark, on small and large screens, and nothing stands beside them`,
    (browser) => everyPage(browser, language),
  )

looks.run()
