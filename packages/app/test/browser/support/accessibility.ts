import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// Only findings are returned, because the full result is large.
const run = `axe
  .run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'], resultTypes: ['violations', 'incomplete'] })
  .then(({ violations, incomplete }) =>
    [violations, incomplete].map((all) => all.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join())))`

const prepared = new WeakSet<Page>()

// The script is long, so that it is added once for all documents of a page.
const prepare = async (page: Page): Promise<void> => {
  if (prepared.has(page)) return
  prepared.add(page)
  await page.addInitScript(axe)
  await page.evaluate(axe)
}

/**
 * WCAG 2.2 AA as far as a program can check. Undecided results of axe, for example contrast beneath clipped text, count
 * unless they are allowed.
 */
export const expectAccessible = async (
  page: Page,
  { where = page.url(), mayBeUndecided = false }: { where?: string; mayBeUndecided?: boolean } = {},
): Promise<void> => {
  await prepare(page)
  const [violations, undecided] = await page.evaluate<ReadonlyArray<ReadonlyArray<string>>>(run)
  assert.equal([...(violations ?? []), ...(mayBeUndecided ? [] : (undecided ?? []))], [], where)
}

/** WCAG 2.2 §1.4.10: no content is beside the screen. */
export const expectNoSidewaysScrolling = async (page: Page, where: string = page.url()): Promise<void> => {
  const [content, screen] = await page.evaluate<readonly [number, number]>(
    '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
  )
  assert.ok(content <= screen, `${where}: ${content} px on ${screen} px`)
}
