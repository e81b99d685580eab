// The example application of the README in a real browser: an end-user signs in by the pages of the service, and signs out.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { discard, startService } from '../support/service.js'
import { expectAccessible } from './support/accessibility.js'
import { browserSuite, openPage, saveScreenshot } from './support/browser.js'

const signIn = browserSuite('the example application in a browser')

const program = fileURLToPath(new URL('../../examples/application.mjs', import.meta.url))

type Scene = { readonly page: Page; readonly application: string; readonly base: string; readonly password: string }

const startApplication = async (issuer: string, dataDir: string) => {
  const port = await freePort()
  const env = { ...process.env, ISSUER: issuer, PORT: `${port}`, TOKEN_FILE: join(dataDir, 'master-token') }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('close', (code) => reject(new Error(`the application ended with ${String(code)}`)))
  })
  const stop = (): Promise<unknown> =>
    new Promise((resolve) => {
      child.once('close', resolve)
      child.kill()
    })
  return { origin: `http://127.0.0.1:${port}`, stop }
}

const withScene = async (browser: Browser, use: (scene: Scene) => Promise<void>): Promise<void> => {
  const service = await startService({ CLIENTELE_ENGINE: 'oidc-provider' })
  try {
    const application = await startApplication(service.base, service.dataDir)
    const password = readFileSync(join(service.dataDir, 'accounts-first-password'), 'utf8').trim()
    try {
      const page = await openPage(browser)
      await use({ page, application: application.origin, base: service.base, password })
    } finally {
      await application.stop()
    }
  } finally {
    await service.stop()
    discard(service.dataDir)
  }
}

const proceed = async (page: Page): Promise<void> => {
  await page.click('button.first')
  await page.waitForLoadState()
}

const heading = async (page: Page): Promise<string | null> => page.textContent('h1')

const logIn = async ({ page, application, password }: Scene): Promise<void> => {
  await page.goto(`${application}/sign-in`)
  assert.is(await heading(page), 'Sign in')
  await expectAccessible(page)
  await saveScreenshot(page, 'sign-in')
  await page.fill('input[name=username]', 'developer')
  await page.fill('input[name=password]', password)
  await proceed(page)
}

const isSignedIn = async ({ page, application }: Scene): Promise<void> => {
  assert.is(page.url(), `${application}/`)
  assert.match(String(await page.textContent('body')), 'Signed in as Developer.')
}

signIn('login, consent, logout; the next sign-in needs a login again, and no consent', (browser) =>
  withScene(browser, async (scene) => {
    const { page, application } = scene
    await logIn(scene)
    assert.is(await heading(page), 'Allow access?')
    await expectAccessible(page)
    await saveScreenshot(page, 'consent')
    await proceed(page)
    await isSignedIn(scene)
    await page.click('a')
    await page.waitForLoadState()
    await saveScreenshot(page, 'logout-with-name')
    assert.match(String(await page.textContent('main')), 'Developer')
    await proceed(page)
    assert.is(page.url(), `${application}/`)
    assert.match(String(await page.textContent('body')), 'Nobody is signed in.')
    await logIn(scene)
    await isSignedIn(scene)
  }),
)

signIn('an end-user who stays signed in needs no second login', (browser) =>
  withScene(browser, async (scene) => {
    const { page, application } = scene
    await logIn(scene)
    await proceed(page)
    await page.click('a')
    await page.waitForLoadState()
    await page.click('button[value=stay]')
    await page.waitForLoadState()
    assert.is(page.url(), `${application}/`)
    await page.goto(`${application}/sign-in`)
    await isSignedIn(scene)
  }),
)

signIn('a wrong password and a refused consent end at a page that leads on, or at the application', (browser) =>
  withScene(browser, async (scene) => {
    const { page, application } = scene
    await page.goto(`${application}/sign-in`)
    await page.fill('input[name=username]', 'developer')
    await page.fill('input[name=password]', 'wrong')
    await proceed(page)
    assert.is(await heading(page), 'Sign in')
    await expectAccessible(page)
    await logIn(scene)
    await page.click('button:not(.first)')
    await page.waitForLoadState()
    assert.match(String(await page.textContent('body')), 'The sign-in failed: authorization response from the server')
  }),
)

signIn.run()
