// The built page, served as a plain file, and its undesired actions.
import { readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { type OpenOptions, openPage } from '../../../app/test/browser/support/browser.js'
import { openSite } from '../../../app/test/browser/support/loopback-site.js'
import { pageFile } from '../../src/index.js'

export { expectAccessible, expectNoSidewaysScrolling } from '../../../app/test/browser/support/accessibility.js'
export { browserSuite, saveScreenshot, type OpenOptions } from '../../../app/test/browser/support/browser.js'

/** Made by `node tools/build.mjs`. */
export const html = readFileSync(pageFile, 'utf8')

export type Playground = {
  readonly page: Page
  readonly address: string
  /** Errors, messages of the console, and requests for other files than the page. */
  readonly noticed: ReadonlyArray<string>
  /** The requests to the server. */
  readonly seen: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

const watch = (page: Page, address: string): ReadonlyArray<string> => {
  const noticed: Array<string> = []
  page.on('pageerror', ({ message }) => noticed.push(`error: ${message}`))
  page.on('console', (message) => noticed.push(`console: ${message.text()}`))
  page.on('request', (request) => {
    const [url] = request.url().split('#')
    if (url !== address && !request.url().startsWith('data:')) noticed.push(`request: ${request.url()}`)
  })
  return noticed
}

export const openPlayground = async (
  browser: Browser,
  { fragment = '', ...options }: OpenOptions & { readonly fragment?: string } = {},
): Promise<Playground> => {
  const site = await openSite(() => ({ html }))
  const page = await openPage(browser, { width: 1280, height: 900, ...options })
  const address = `${site.origin}/playground`
  const noticed = watch(page, address)
  await page.goto(`${address}${fragment === '' ? '' : `#${fragment}`}`)
  const { seen, close } = site
  return {
    page,
    address,
    noticed,
    close,
    get seen() {
      return seen.map(({ method, path }) => `${method} ${path}`)
    },
  }
}

export const headlineOf = async (page: Page): Promise<string> =>
  (await page.locator('#decision .headline').textContent()) ?? ''

export const press = async (page: Page, ...keys: ReadonlyArray<string>): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Replaces the text in the editor at once, like a paste, so that no intermediate text reaches the address. */
export const paste = async (page: Page, text: string): Promise<void> => {
  await page.locator('#body').focus()
  await press(page, 'Control+A')
  await (text === '' ? press(page, 'Delete') : page.keyboard.insertText(text))
}
