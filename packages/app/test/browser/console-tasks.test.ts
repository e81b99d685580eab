// The tasks of an operator in the console, by the keyboard alone, in a browser on a phone and one at a desk.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { started } from '../cli/run.js'
import { Browser } from '../engine/support/browser.js'
import { callback, configuredAs, confidential, signIn } from '../engine/support/relying-party.js'
import { masterToken } from '../support/two-services.js'
import { browserSuite, openPage } from './support/browser.js'
import { expectAccessible } from './support/accessibility.js'

const tasks = browserSuite('the tasks of an operator in the console')

const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
const policy = join(directory, 'policy.json')
writeFileSync(policy, JSON.stringify({ approve: ['anonymous'] }))
const service = await started({
  'data-dir': directory,
  'master-token': masterToken,
  engine: 'oidc-provider',
  'allow-open-registration': 'true',
  'registration-status': '201',
  'registration-policy': policy,
  console: 'true',
})
const home = `${service.url}/console`

type Json = Readonly<Record<string, unknown>>

const read = async (path: string): Promise<Json> => {
  const response = await fetch(`${service.url}${path}`, { headers: { Authorization: `Bearer ${masterToken}` } })
  return (await response.json()) as Json
}

const kids = async (): Promise<ReadonlyArray<unknown>> =>
  ((await read('/keys'))['keys'] as ReadonlyArray<Json>).map((key) => key['kid'])

const opened = async (
  browser: Parameters<Parameters<typeof tasks>[1]>[0],
  options: { readonly width: number; readonly height: number; readonly dark?: boolean },
): Promise<Page> => {
  const page = await openPage(browser, options)
  await page.goto(home)
  await page.getByLabel('Token').fill(masterToken)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'What needs you' }).waitFor()
  return page
}

/** Moves on by the tabulator until the element has the focus, as who has no pointer does, and presses the key. */
const press = async (page: Page, element: Locator, key = 'Enter'): Promise<void> => {
  for (let steps = 0; steps < 150; steps += 1) {
    if (await element.evaluate((each) => each === each.ownerDocument.activeElement)) return page.keyboard.press(key)
    await page.keyboard.press('Tab')
  }
  throw new Error(`the tabulator does not lead to ${String(element)}`)
}

const pressed = (page: Page, name: string | RegExp): Promise<void> =>
  press(page, page.getByRole('button', { name, exact: true }).first())

const typed = async (page: Page, label: string, text: string): Promise<void> => {
  await press(page, page.getByLabel(label, { exact: true }), 'End')
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

const says = (page: Page, text: string | RegExp): Promise<void> => page.getByText(text).first().waitFor()

const sizes = [
  ['a phone', { width: 320, height: 800, dark: true }],
  ['a desk', { width: 1280, height: 900 }],
] as const

for (const [name, size] of sizes) {
  tasks(`${name}: a client is edited with a fault beside its member, and stored`, async (browser) => {
    const { registered } = await configuredAs(service, confidential, masterToken)
    const page = await opened(browser, size)
    await page.goto(`${home}/clients/${registered.client_id}/edit`)
    await typed(page, 'Redirection URIs', 'https://rp.example/cb#part')
    await pressed(page, 'Store the changes')
    await page.locator('#f-redirect_uris[aria-invalid="true"]').waitFor()
    await expectAccessible(page, { where: `the fault on ${name}`, mayBeUndecided: true })
    await typed(page, 'Redirection URIs', 'https://rp.example/other')
    await pressed(page, 'Store the changes')
    await says(page, 'The changes are stored')
    assert.equal((await read(`/clients/${registered.client_id}`))['redirect_uris'], ['https://rp.example/other'])
  })

  tasks(`${name}: a client is suspended, resumed, and gets a second secret`, async (browser) => {
    const { registered } = await configuredAs(service, confidential, masterToken)
    const page = await opened(browser, size)
    await page.goto(`${home}/clients/${registered.client_id}`)
    await pressed(page, 'Suspend')
    await says(page, 'The client is suspended')
    assert.is((await read(`/manage/v1/clients/${registered.client_id}`))['state'], 'suspended')
    await pressed(page, 'Resume')
    await says(page, 'The client is resumed')
    await pressed(page, /^Add a second/)
    await pressed(page, 'Drop the preceding one')
    await says(page, 'The preceding secret authenticates nobody any more')
  })

  tasks(`${name}: one that waits is approved, another is refused with a reason`, async (browser) => {
    const page = await opened(browser, size)
    for (const [decision, state, told] of [
      ['Approve', 'unused', 'The client is approved'],
      ['Refuse', 'refused', 'The client is refused'],
    ] as const) {
      const { registered } = await configuredAs(service, { redirect_uris: [callback], client_name: `${decision} me` })
      await page.goto(`${home}/approvals`)
      if (decision === 'Refuse') await typed(page, 'Reason, where you refuse it', 'No contact')
      await pressed(page, decision)
      await says(page, told)
      const { state: stored } = await read(`/manage/v1/clients/${registered.client_id}`)
      assert.is(stored, state)
    }
  })

  tasks(`${name}: what is connected is found and ended`, async (browser) => {
    const application = await configuredAs(service, confidential, masterToken)
    await signIn(service, application, new Browser())
    const { client_id } = application.registered
    const page = await opened(browser, size)
    await page.goto(`${home}/connections`)
    await typed(page, 'Client', client_id)
    await pressed(page, 'Search')
    await pressed(page, /^Revoke the connection/)
    await says(page, 'The connection is revoked')
    assert.equal((await read(`/manage/v1/connections?client_id=${client_id}`))['connections'], [])
  })

  tasks(`${name}: tokens are issued, keys are rolled over, a policy is tried, the log is verified`, async (browser) => {
    const page = await opened(browser, size)
    for (const path of ['tokens', 'operators']) {
      await page.goto(`${home}/${path}`)
      await press(page, page.getByRole('checkbox').first(), 'Space')
      await pressed(page, 'Issue a token')
      await says(page, 'This page shows it once')
    }
    await page.goto(`${home}/keys`)
    const before = await kids()
    await pressed(page, /^What if \S+ is compromised/)
    await pressed(page, 'Take it out')
    await says(page, 'The key is taken out')
    assert.is((await kids()).filter((kid) => before.includes(kid)).length, before.length - 1)
    await pressed(page, 'What would a roll-over do?')
    await says(page, 'After the roll-over')
    await page.goto(`${home}/policy`)
    await typed(page, 'Policy', '{"required_members": ["tos_uri"]}')
    await pressed(page, 'What would it refuse?')
    await says(page, /^[1-9]\d* of \d+ clients/)
    await page.goto(`${home}/audit`)
    await pressed(page, 'Verify the log')
    await page
      .getByRole('status')
      .getByText(/^\d+ rows are as they were written/)
      .waitFor()
  })
}

tasks.after(async () => {
  await service.stop()
  rmSync(directory, { recursive: true })
})

tasks.run()
