// Logout from end to end in a real browser: the running service on 127.0.0.1, and an application on localhost, which is
// another site.
import type { Browser, Page } from 'playwright-core'
import * as assert from 'uvu/assert'
import { type Client, type LogoutService, type Session, startLogoutService } from '../logout/support/logout-service.js'
import { expectAccessible, expectNoSidewaysScrolling } from './support/accessibility.js'
import { type OpenOptions, browserSuite, saveScreenshot, openPage } from './support/browser.js'
import { type Site, openSite } from './support/loopback-site.js'

const flow = browserSuite('logout in a browser')

const running: { service?: Promise<LogoutService> } = {}

// All tests share one service, because a start takes longer than a test.
const sharedService = (): Promise<LogoutService> => (running.service ??= startLogoutService())
flow.after(async () => (await running.service)?.end())

type Scene = {
  readonly service: LogoutService
  readonly site: Site
  readonly rp: string
  readonly client: Client
  readonly session: Session
  readonly page: Page
}

const state = `a&b=c #"'<>%\u00fc\u{1f600}+`

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

type Parameters = ReadonlyArray<readonly [name: string, value: string]>

// The page of the application: a link, a form, and the parent of a frame.
const startPage = (endpoint: string, parameters: Parameters): string => {
  const query = new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value]))
  const fields = parameters.map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
  return `<title>RP</title><a href="${escaped(`${endpoint}?${query.toString()}`)}">link</a>
    <form method="post" action="${endpoint}">${fields.join('')}<button>form</button></form>`
}

const withScene = async (
  browser: Browser,
  options: OpenOptions & { readonly more?: Parameters },
  use: (scene: Scene) => Promise<void>,
): Promise<void> => {
  const service = await sharedService()
  const pages = new Map<string, string>()
  const site = await openSite(({ path }) => ({ html: pages.get(path.split('?')[0] ?? '') ?? '<title>RP</title>back' }))
  try {
    const rp = site.origin.replace('127.0.0.1', 'localhost')
    const client = await service.register({
      client_name: 'Nordlicht Shop',
      redirect_uris: [`${rp}/callback`],
      post_logout_redirect_uris: [`${rp}/signed-out`],
    })
    const session = await service.startSession('alice')
    await service.join(session, client)
    const parameters: Parameters = [
      ['id_token_hint', await service.idToken(client)],
      ['post_logout_redirect_uri', `${rp}/signed-out`],
      ['state', state],
      ...(options.more ?? []),
    ]
    pages.set('/', startPage(`${service.base}/logout`, parameters))
    pages.set('/frame', `<title>RP</title><iframe src="${service.base}/logout"></iframe>`)
    const page = await openPage(browser, options)
    const [name = '', value = ''] = session.cookie.split('=')
    await page.context().addCookies([{ name, value, domain: '127.0.0.1', path: '/', httpOnly: true, sameSite: 'Lax' }])
    await use({ service, site, rp, client, session, page })
  } finally {
    for (const sid of await service.sessionsOf('alice')) await service.ask('DELETE', `/sessions/${sid}`)
    await site.close()
  }
}

const isBack = async ({ page, rp }: Scene): Promise<void> => {
  await page.waitForURL((url) => url.pathname === '/signed-out', { timeout: 10_000 })
  assert.is(new URL(page.url()).origin, rp)
  assert.equal([...new URL(page.url()).searchParams], [['state', state]])
}

const signedIn = async ({ service, session }: Scene): Promise<boolean> =>
  (await service.sessionsOf('alice')).includes(session.sid)

const answerBy = (page: Page, answer: string) => page.locator(`button[name="answer"][value="${answer}"]`)

/** Presses Tab until the button has the focus, like an end-user without a mouse. */
const answerByKeyboard = async (page: Page, answer: string): Promise<void> => {
  for (let presses = 0; presses < 10; presses += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate('document.activeElement.value')) === answer) {
      await page.keyboard.press('Enter')
      return
    }
  }
  throw new Error(`the keyboard does not reach ${answer}`)
}

flow('by a link, with the keyboard alone: signed out, and back with the state', (browser) =>
  withScene(browser, { width: 1280, height: 800 }, async (scene) => {
    await scene.page.goto(`${scene.rp}/`)
    await scene.page.click('a')
    assert.is(await scene.page.locator('html').getAttribute('lang'), 'en')
    await expectAccessible(scene.page)
    await saveScreenshot(scene.page, 'flow-dialog')
    assert.ok(await signedIn(scene))
    await answerByKeyboard(scene.page, 'logout')
    await isBack(scene)
    assert.not(await signedIn(scene))
    assert.equal(
      (await scene.page.context().cookies(scene.service.base)).filter(({ name }) => name.endsWith('session')),
      [],
    )
  }),
)

flow('by a link, staying: still signed in, and back all the same', (browser) =>
  withScene(browser, {}, async (scene) => {
    await scene.page.goto(`${scene.rp}/`)
    await scene.page.click('a')
    await answerByKeyboard(scene.page, 'stay')
    await isBack(scene)
    assert.ok(await signedIn(scene))
  }),
)

for (const answer of ['logout', 'stay'])
  flow(`by a form of another site, without JavaScript: ${answer}`, (browser) =>
    withScene(browser, { context: { javaScriptEnabled: false } }, async (scene) => {
      await scene.page.goto(`${scene.rp}/`)
      await scene.page.click('button')
      assert.is(await scene.page.locator('h1').count(), 1)
      await answerBy(scene.page, answer).click()
      await isBack(scene)
      assert.is(await signedIn(scene), answer === 'stay')
    }),
  )

flow('in Arabic, in the dark, on a phone: from right to left, and axe finds nothing', (browser) =>
  withScene(browser, { dark: true, more: [['ui_locales', 'ar']] }, async (scene) => {
    await scene.page.goto(`${scene.rp}/`)
    await scene.page.click('button')
    assert.is(await scene.page.locator('html').getAttribute('dir'), 'rtl')
    await expectAccessible(scene.page)
    await expectNoSidewaysScrolling(scene.page)
    await answerBy(scene.page, 'logout').click()
    await isBack(scene)
    assert.not(await signedIn(scene))
  }),
)

flow('without a way back the last page is ours, in the language of the first', (browser) =>
  withScene(browser, { context: { locale: 'de-AT' } }, async ({ page, service }) => {
    await page.goto(`${service.base}/logout?ui_locales=fr`)
    await answerBy(page, 'logout').click()
    await page.waitForURL((url) => url.pathname === '/logout/confirm')
    assert.is(await page.locator('html').getAttribute('lang'), 'fr')
    await expectAccessible(page)
    assert.equal(await service.sessionsOf('alice'), [])
    await page.goto(`${service.base}/logout`)
    assert.is(await page.locator('html').getAttribute('lang'), 'de')
    assert.is(await page.locator('form').count(), 0)
  }),
)

flow('another site cannot frame the dialog', (browser) =>
  withScene(browser, {}, async ({ page, rp }) => {
    await page.goto(`${rp}/frame`)
    const [, frame] = page.frames()
    assert.is(await frame?.locator('form').count(), 0)
    assert.match(frame?.url() ?? '', /^chrome-error:/)
  }),
)

flow(
  'another site that opens the dialog in a window has no hold on it, and the way leads back in that window',
  (browser) =>
    withScene(browser, {}, async (scene) => {
      await scene.page.goto(`${scene.rp}/`)
      const opening = scene.page.waitForEvent('popup')
      await scene.page.evaluate(`void (window.opened = open(document.querySelector('a').href))`)
      const confirmation = await opening
      await answerBy(confirmation, 'logout').waitFor()
      assert.is(await confirmation.evaluate('window.opener'), null)
      assert.equal(await scene.page.evaluate('[opened.closed, opened.length]'), [true, 0])
      await answerBy(confirmation, 'logout').click()
      await isBack({ ...scene, page: confirmation })
      assert.not(await signedIn(scene))
    }),
)

flow('going back and answering again does nothing more', (browser) =>
  withScene(browser, {}, async (scene) => {
    const { page, service } = scene
    await page.goto(`${service.base}/logout`)
    const value = await page.locator('input[name="value"]').getAttribute('value')
    await answerBy(page, 'stay').click()
    await page.waitForURL((url) => url.pathname === '/logout/confirm')
    await page.goBack()
    await page.goto(`${service.base}/logout`)
    await page.evaluate(`document.querySelector('input[name="value"]').value = ${JSON.stringify(value)}`)
    await answerBy(page, 'logout').click()
    await page.waitForURL((url) => url.pathname === '/logout/confirm')
    assert.ok(await signedIn(scene))
  }),
)

flow('an application in a frame is told by the browser, and then the way leads back by itself', (browser) =>
  withScene(browser, {}, async (scene) => {
    const { page, service, site, rp, session } = scene
    const front = await service.register({
      client_name: 'Front',
      redirect_uris: [`${rp}/callback`],
      frontchannel_logout_uri: `${rp}/front`,
      frontchannel_logout_session_required: true,
    })
    await service.join(session, front)
    await page.goto(`${rp}/`)
    await page.click('a')
    await answerBy(page, 'logout').click()
    await page.waitForURL((url) => url.pathname === '/logout/confirm')
    await expectAccessible(page)
    await saveScreenshot(page, 'flow-frames')
    await isBack(scene)
    const [reported] = site.seen.filter(({ path }) => path.startsWith('/front'))
    assert.equal(
      [...new URL(reported?.path ?? '', rp).searchParams],
      [
        ['iss', service.base],
        ['sid', session.sid],
      ],
    )
  }),
)

flow.run()
