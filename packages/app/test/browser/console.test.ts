import { addition, done, exampleClient, exampleConsent, giveConsent } from '@clientele/testing'
import type { Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { registered, startConsoleOnStore } from '../console/support/visitor.js'
import { expectAccessible, expectNoSidewaysScrolling } from './support/accessibility.js'
import { browserSuite, openPage, saveScreenshot } from './support/browser.js'

const pages = browserSuite('the console in a browser')

const { service, store } = await startConsoleOnStore()
const { base, master } = service
const { client_id } = await registered(service, {
  client_name: `Ledger ${'of a very long name '.repeat(9)}مرحبا`,
  client_uri: 'https://app.example.com/',
  contacts: ['ops@example.com'],
})

const signIn = async (page: Page, origin = base): Promise<void> => {
  await page.goto(`${origin}/console`)
  await page.getByLabel('Token').fill(master)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What needs you' }).waitFor()
}

const shown = [
  '',
  '/clients',
  '/register',
  '/register?template=web',
  '/register?template=as-claude-code',
  `/clients/${client_id}`,
  `/clients/${client_id}/edit`,
  '/approvals',
  '/refusals',
  '/removals',
  '/connections',
  `/connections?client_id=${client_id}`,
  '/sessions?sub=alice',
  '/deliveries',
  '/keys',
  '/tokens',
  '/operators',
  '/policy',
  '/audit',
]

const looksRight = async (page: Page, path: string, scheme: string): Promise<void> => {
  await page.setViewportSize({ width: 320, height: 800 })
  await page.goto(`${base}/console${path}`)
  const name = `console${path.replace(/[^a-z]+/gi, '-').slice(0, 30)}-${scheme}`
  await expectAccessible(page, { where: name, mayBeUndecided: true })
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoSidewaysScrolling(page, `${name} on ${width} px`)
    await saveScreenshot(page, `${name}-${width}`)
  }
}

for (const scheme of ['light', 'dark'] as const)
  pages(`${scheme}: axe finds nothing on any page, and nothing stands beside a phone or a desk`, async (browser) => {
    const page = await openPage(browser, { dark: scheme === 'dark' })
    await signIn(page)
    for (const path of shown) await looksRight(page, path, scheme)
  })

pages(
  'the table of the keys, which each have a long kid and two times, fits beside the navigation',
  async (browser) => {
    const page = await openPage(browser, { width: 1024, height: 800 })
    await signIn(page)
    await page.goto(`${base}/console/keys`)
    const [table, room] = await page
      .getByRole('region', { name: 'Keys', exact: true })
      .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
    assert.is(table, room)
  },
)

pages('by the keyboard alone, an application is registered, found, suspended and deleted', async (browser) => {
  const page = await openPage(browser, { width: 1280, height: 900 })
  await signIn(page)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${base}/console#main`)
  assert.is(await page.evaluate('document.activeElement.id'), 'main')
  await page.getByRole('link', { name: 'Register an application' }).press('Enter')
  await page.getByRole('link', { name: 'Web application' }).press('Enter')
  await page.getByLabel('Name', { exact: true }).fill('By keyboard')
  await page.getByLabel('Redirection URIs').fill('https://keyboard.example.com/callback')
  await page.getByRole('button', { name: 'Register it' }).press('Enter')
  await page.getByText('Give these to the application').waitFor()
  await page.getByRole('link', { name: 'To the client' }).press('Enter')
  await page.getByRole('button', { name: 'Suspend' }).press('Enter')
  await page.getByText('The client is suspended').waitFor()
  await page.getByRole('link', { name: 'Clients', exact: true }).press('Enter')
  await page.getByLabel('Name, client_id, host or contact').fill('by keyb')
  await page.getByRole('button', { name: 'Search' }).press('Enter')
  await page.getByRole('link', { name: 'By keyboard' }).press('Enter')
  await page.getByText('Delete it').press('Enter')
  await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByText('The client is deleted').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
  await page.getByLabel('Token').waitFor()
})

pages(
  'by plain http on another machine, its forms are sent, and those of another site sign nobody in',
  async (browser) => {
    const page = await openPage(browser, { width: 1280, height: 900 })
    const there = base.replace('127.0.0.1', 'console.machine.example')
    const evil = base.replace('127.0.0.1', 'evil.machine.example')
    const form = `<form method="post" action="${there}/console/sign-in"><input name="token" value="${master}"><button>Win</button></form>`
    for (const policy of ['no-referrer', 'unsafe-url', 'same-origin']) {
      await page.route(`${evil}/`, (route) =>
        route.fulfill({ contentType: 'text/html', headers: { 'Referrer-Policy': policy }, body: form }),
      )
      await page.goto(`${evil}/`)
      await page.getByRole('button', { name: 'Win' }).click()
      await page.getByText('Another site sent this form').waitFor()
    }
    await signIn(page, there)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    await page.goto(`${there}/console`)
    await page.getByLabel('Token').waitFor()
  },
)

pages(
  'by the keyboard alone, the connections of an application are counted, looked at and revoked',
  async (browser) => {
    const mail = exampleClient('mail')
    await done(store.registry.addClient(addition(mail)))
    for (const user of ['ann', 'zoe']) await done(giveConsent(store, exampleConsent(mail, user)))
    const page = await openPage(browser, { width: 320, height: 800 })
    await signIn(page)
    await page.getByRole('link', { name: 'Connections', exact: true }).press('Enter')
    await page.getByLabel('Client', { exact: true }).fill(mail.client_id)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Count them' }).press('Enter')
    await page.getByText('Their tokens count nowhere any more').waitFor()
    await expectAccessible(page, { where: 'the confirmation', mayBeUndecided: true })
    await expectNoSidewaysScrolling(page, 'the confirmation')
    await saveScreenshot(page, 'console-connections-confirmation')
    await page.getByRole('button', { name: 'Revoke 2' }).press('Enter')
    await page.getByText('2 revoked').waitFor()
    await page.getByRole('link', { name: 'Back to the connections' }).press('Enter')
    await page.getByText('There is none on this page').waitFor()
  },
)

pages.after(async () => void (await service.stop()))

pages.run()
