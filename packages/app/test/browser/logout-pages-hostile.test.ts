import * as assert from 'uvu/assert'
import { expectAccessible, expectNoSidewaysScrolling } from './support/accessibility.js'
import { browserSuite, saveScreenshot, openPage } from './support/browser.js'
import { type Application, type Page, form, languages, openLogoutPages } from './support/shown-pages.js'
import { standsBefore } from './support/reading-order.js'

// Applications choose their names. Registration refuses some of these; the page must be safe by itself.
const hostile = browserSuite('hostile names on the logout pages')

const named = (name: string): Application => ({ name, host: 'a.example' })

const confirmationWith = (...applications: ReadonlyArray<Application>): Page => ({
  kind: 'dialog',
  form,
  back: applications[0],
  notice: undefined,
  applications,
  more: 0,
})

const markup = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '</title><script>alert(1)</script>',
  '</bdi></main><form action=//evil.example><button>',
  '{{7*7}}{% raw %}${7*7}',
  '\'"`=/>&amp;&#60;',
  '</style><style>*{display:none}',
]

hostile('markup and template syntax are text, and nothing of them is loaded or run', async (browser) => {
  const site = await openLogoutPages(
    Object.fromEntries(markup.map((name, at) => [`hostile-${at}`, confirmationWith(named(name))])),
  )
  const page = await openPage(browser)
  const noticed: Array<string> = []
  page.on('dialog', (confirmation) => {
    noticed.push(confirmation.message())
    void confirmation.dismiss()
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(`${site.origin}/hostile-`)) noticed.push(request.url())
  })
  for (const [at, name] of markup.entries()) {
    await page.goto(`${site.origin}/hostile-${at}/en`)
    assert.is(await page.locator('.name').first().textContent(), name)
    assert.is(await page.locator('button').count(), 2, name)
    assert.is(await page.locator('form').getAttribute('action'), form.action, name)
    assert.ok(await page.getByRole('button', { name: 'Stay signed in' }).isVisible(), name)
  }
  assert.equal(noticed, [])
  await site.close()
})

const long = [
  'x'.repeat(200),
  'W'.repeat(200),
  '漢'.repeat(200),
  `متجر${'ـ'.repeat(196)}`,
  `e${'\u0301'.repeat(199)}`,
  '\u202Eelpmaxe.knab (',
  '\u2066\u2067\u2068 never closed',
]

const longPages = Object.fromEntries(
  long.flatMap((name, at): ReadonlyArray<[string, Page]> => [
    [
      `long-${at}`,
      confirmationWith({ name, host: 'a.example' }, { name, host: `${'a'.repeat(60)}.${'b'.repeat(60)}.example` }),
    ],
    [`long-nobody-${at}`, { kind: 'nobody', form, back: named(name), notice: undefined }],
  ]),
)

hostile(
  'names of 200 characters, of marks upon each other and of other directions keep the page whole',
  async (browser) => {
    const site = await openLogoutPages(longPages)
    const page = await openPage(browser, { width: 320 })
    for (const name of Object.keys(longPages))
      for (const language of languages.filter((one) => ['en', 'ar'].includes(one))) {
        await page.goto(`${site.origin}/${name}/${language}`)
        await expectNoSidewaysScrolling(page)
        await expectAccessible(page, { mayBeUndecided: true })
        const [sentence] = await page.locator('p, button').allTextContents()
        assert.ok(sentence !== undefined && sentence.trim().length > 0)
        await saveScreenshot(page, `${name}-${language}`)
      }
    await site.close()
  },
)

hostile('a name that turns the direction around leaves its host and the sentence as they are', async (browser) => {
  const site = await openLogoutPages(longPages)
  const page = await openPage(browser, { width: 1280, height: 800 })
  await page.goto(`${site.origin}/long-5/en`)
  assert.ok(await standsBefore(page, 'p', '.name', '.host'))
  assert.is(await page.locator('p .host').textContent(), 'a.example')
  await site.close()
})

hostile.run()
