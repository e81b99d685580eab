// Errors do not lead a browser to clients that anybody registered: RFC 9700 §4.11.2.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { type Application, confidential, configuredAs, signIn } from './support/relying-party.js'

const held = suite<{ world: World }>('errors of clients of open registration')

held.before(async (context) => {
  const flags = { engine: 'oidc-provider', 'registration-status': '201', 'allow-open-registration': 'true' }
  context.world = await startTwo(flags)
})
held.after(({ world }) => stopTwo(world))

const metadata = { ...confidential, grant_types: ['authorization_code', 'refresh_token'] }

const errors: ReadonlyArray<Readonly<Record<string, string>>> = [
  { scope: 'openid \u0001' },
  { prompt: 'consent none' },
  { prompt: 'never' },
  { max_age: '-1' },
  { response_mode: 'carrier_pigeon' },
  { response_type: 'token' },
  { response_type: 'code code' },
  { code_challenge_method: 'plain' },
  { id_token_hint: 'junk' },
  { request: 'a.b.c' },
  { request_uri: 'https://rp.example/request' },
  { registration: '{}' },
]

/** Whether the error of each request led the browser away. */
const redirected = async (world: World, application: Application, browser: Browser, more = {}) =>
  Promise.all(
    errors.map(async (parameters) => {
      const { url } = await application.request({ ...parameters, ...more })
      const { end, page } = await goThrough(browser, world.one, url)
      assert.is(page === undefined || page.status === 400, true, url)
      return end !== undefined
    }),
  )

held('stay on a page until the end-user of the browser has consented', async ({ world }) => {
  const application = await configuredAs(world.one, metadata)
  const browser = new Browser()
  assert.equal(new Set(await redirected(world, application, browser)), new Set([false]))
  await signIn(world.one, application, browser)
  assert.equal(new Set(await redirected(world, application, browser)), new Set([true]))
  assert.equal(new Set(await redirected(world, application, new Browser())), new Set([false]))
})

held('are answered at once where the request is silent', async ({ world }) => {
  const application = await configuredAs(world.one, metadata)
  const { url } = await application.request({ prompt: 'none' })
  const { end } = await goThrough(new Browser(), world.one, url)
  assert.is(end?.searchParams.get('error'), 'login_required')
})

held('are answered at once for a client that the operator registered', async ({ world }) => {
  const application = await configuredAs(world.one, metadata, masterToken)
  assert.equal(new Set(await redirected(world, application, new Browser())), new Set([true]))
})

held.run()
