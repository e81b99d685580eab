// What tests in a real browser stand on: Debian's chromium, driven by playwright-core; nothing is downloaded.
//
//   const pages = browserSuite('what it is about')
//   pages('what holds', async (browser) => { const page = await openPage(browser, { width: 320 }); … })
//   pages.run()
//
// Where chromium is not installed (`apt-get install chromium`), the tests are skipped and counted as such.
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { suite } from 'uvu'

const executablePath = '/usr/bin/chromium'

// Without sandbox, because it refuses to run as root, as in containers; only our own pages are opened.
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Another machine, to which a browser sends less by plain http than to loopback.
  '--host-resolver-rules=MAP *.machine.example 127.0.0.1',
]

export type BrowserSuite = {
  (name: string, test: (browser: Browser) => Promise<void>): void
  /** Runs once after all tests. */
  readonly after: (end: () => Promise<void>) => void
  readonly run: () => void
}

/** Tests that share one browser. */
export const browserSuite = (name: string): BrowserSuite => {
  const tests = suite<{ browser?: Browser }>(name)
  tests.before(async (context) => {
    if (existsSync(executablePath)) context.browser = await chromium.launch({ executablePath, args })
  })
  tests.after(({ browser }) => browser?.close())
  const add = (title: string, test: (browser: Browser) => Promise<void>): void => {
    if (!existsSync(executablePath)) return tests.skip(title)
    tests(title, async ({ browser }) => {
      if (browser === undefined) throw new Error('there is no browser')
      try {
        await test(browser)
      } finally {
        await Promise.all(browser.contexts().map((context) => context.close()))
      }
    })
  }
  return Object.assign(add, { after: (end: () => Promise<void>) => tests.after(end), run: () => tests.run() })
}

export type OpenOptions = {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
  readonly context?: BrowserContextOptions
}

/** A page in a profile of its own, by default as wide as a phone. */
export const openPage = async (
  browser: Browser,
  { width = 390, height = 844, dark = false, context = {} }: OpenOptions = {},
): Promise<Page> => {
  const opened = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    ...context,
  })
  opened.setDefaultTimeout(10_000)
  return opened.newPage()
}

const screenshots = fileURLToPath(new URL('../screenshots', import.meta.url))

/** `SCREENSHOTS=1` stores pictures for people, in a folder that git ignores. */
export const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env['SCREENSHOTS'] === undefined) return
  mkdirSync(screenshots, { recursive: true })
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true })
}
