// When an end-user who allowed an application is asked again: RFC 9700 §4.16, RFC 8252 §8.6.
import * as E from 'fp-ts/lib/Either.js'
import * as client from 'openid-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Registered, type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, consented, goThrough } from './support/browser.js'
import {
  type Application,
  callback,
  confidential,
  configured,
  configuredFor,
  introspected,
  refused,
  signIn,
} from './support/relying-party.js'

const again = suite<{ world: World }>('consent is asked for again')

again.before(async (context) => {
  context.world = await startTwo({
    engine: 'oidc-provider',
    'registration-status': '201',
    'first-party-clients': 'operator',
  })
})
again.after(({ world }) => stopTwo(world))

const named = { ...confidential, client_name: 'Example' }

/** The application with its new secret. */
const change = async ({ one }: World, { registered }: Application, metadata: object): Promise<Application> => {
  const answer = await fetch(`${one.url}/clients/${registered.client_id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(metadata),
  })
  assert.is(answer.status, 200, await answer.clone().text())
  return configuredFor(one, { ...metadata }, (await answer.json()) as Registered)
}

const changes: ReadonlyArray<readonly [string, object]> = [
  ['name', { ...named, client_name: 'Example Bank' }],
  ['hosts', { ...named, redirect_uris: [callback, 'https://other.example/cb'] }],
  ['keys', { ...named, jwks_uri: 'https://rp.example/keys' }],
]

for (const [what, changed] of changes)
  again(`after a change of the ${what} of the application, in every browser`, async ({ world }) => {
    const application = await configured(world.one, named)
    const browser = new Browser()
    assert.equal((await signIn(world.one, application, browser)).prompts, ['login', 'consent'])
    assert.equal((await signIn(world.one, application, browser)).prompts, [])
    await change(world, application, changed)
    const silent = await goThrough(browser, world.one, (await application.request({ prompt: 'none' })).url)
    assert.is(silent.end?.searchParams.get('error'), 'consent_required')
    const elsewhere = await goThrough(new Browser(), world.one, (await application.request()).url)
    assert.equal(elsewhere.prompts, ['login', 'consent'])
    assert.equal((await goThrough(browser, world.one, (await application.request()).url)).prompts, [])
  })

for (const [what, changed] of changes)
  again(`after a change of the ${what}, for all that the new page did not list`, async ({ world }) => {
    const original = await configured(world.one, named)
    const browser = new Browser()
    const elsewhere = new Browser()
    const whole = 'openid email'
    const before = await signIn(world.one, original, browser, { scope: whole })
    const beforeElsewhere = await signIn(world.one, original, elsewhere, { scope: whole })
    const application = await change(world, original, changed)
    const narrow = await signIn(world.one, application, browser, { scope: 'openid' })
    assert.equal(narrow.prompts, ['consent'])
    assert.is(narrow.tokens.scope, 'openid')
    const refresh = (token: string | undefined) => client.refreshTokenGrant(application.config, String(token))
    const isEnded = async () => {
      for (const { tokens } of [before, beforeElsewhere]) {
        assert.is(await refused(refresh(tokens.refresh_token)), 'invalid_grant')
        assert.is((await introspected(application, tokens.access_token)).active, false)
      }
    }
    await isEnded()
    assert.is((await refresh(narrow.tokens.refresh_token)).scope, 'openid')
    for (const each of [browser, elsewhere]) {
      const silent = await goThrough(each, world.one, (await application.request({ scope: whole, prompt: 'none' })).url)
      assert.is(silent.end?.searchParams.get('error'), 'consent_required')
    }
    const asked = await signIn(world.one, application, elsewhere, { scope: whole })
    assert.equal(asked.prompts, ['consent'])
    assert.is(asked.tokens.scope, whole)
    // What was given anew is given to the application as it is now.
    await isEnded()
  })

again(
  'by an application of the operator that has changed, which goes on with what is allowed then',
  async ({ world }) => {
    const portal = await configured(world.one, { ...named, preferred_client_id: 'operator' })
    const browser = new Browser()
    await signIn(world.one, portal, browser)
    const renamed = await change(world, portal, { ...named, client_name: 'Example Bank' })
    const { prompts, tokens } = await signIn(world.one, renamed, browser, { scope: 'openid', prompt: 'consent' })
    assert.equal(prompts, ['consent'])
    assert.is(tokens.scope, 'openid')
  },
)

again('a page that waits goes on where its grant ended in another browser', async ({ world }) => {
  const original = await configured(world.one, named)
  const browser = new Browser()
  await signIn(world.one, original, browser, { scope: 'openid email' })
  const asked = await browser.open((await original.request({ prompt: 'login' })).url)
  const page = new URL(String(asked.headers.get('location')), world.one.url).href
  const application = await change(world, original, { ...named, client_name: 'Another Shop' })
  const narrow = await signIn(world.one, application, new Browser(), { scope: 'openid' })
  assert.equal(narrow.prompts, ['login', 'consent'])
  const { interactions } = world.one.provider
  assert.ok(interactions)
  const id = String(page.split('/').at(-1))
  const denied = await interactions.answerInteraction(id, { cookie: browser.cookieFor(page) }, { answer: 'denied' })()
  assert.ok(E.isRight(denied), JSON.stringify(denied))
})

again('two answers to one page at once end nothing that was granted before', async ({ world }) => {
  const application = await configured(world.one, named)
  const browser = new Browser()
  const { tokens } = await signIn(world.one, application, browser)
  const asked = await browser.open((await application.request({ prompt: 'consent' })).url)
  const page = new URL(String(asked.headers.get('location')), world.one.url).href
  const id = String(page.split('/').at(-1))
  const { interactions } = world.one.provider
  assert.ok(interactions)
  const cookies = { cookie: browser.cookieFor(page) }
  const found = await interactions.findInteraction(id, cookies)()
  assert.ok(E.isRight(found))
  const answers = await Promise.all([1, 2].map(() => interactions.answerInteraction(id, cookies, consented)()))
  assert.equal(answers.map(E.isRight).sort(), [false, true])
  await client.refreshTokenGrant(application.config, String(tokens.refresh_token))
})

again('not by a change that the page would not show', async ({ world }) => {
  const application = await configured(world.one, named)
  const browser = new Browser()
  await signIn(world.one, application, browser)
  await change(world, application, { ...named, default_max_age: 86_400 })
  const { prompts } = await goThrough(browser, world.one, (await application.request()).url)
  assert.equal(prompts, [])
})

again('each time by an application on the device that proves nothing of itself', async ({ world }) => {
  const redirect_uri = 'http://127.0.0.1/cb'
  const metadata = {
    redirect_uris: [redirect_uri],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  }
  const application = await configured(world.one, metadata)
  const browser = new Browser()
  const open = async (expected: ReadonlyArray<string>) => {
    const { tokens, prompts } = await signIn(world.one, application, browser, { redirect_uri })
    assert.equal(prompts, expected)
    return tokens.refresh_token
  }
  const first = await open(['login', 'consent'])
  const second = await open(['consent'])
  // Another installation in the same session: neither signs the other one out.
  for (const token of [first, second]) await client.refreshTokenGrant(application.config, String(token))
})

again.run()
