// Cookies that another party planted in the browser of the end-user: RFC 6265 §8.6, RFC 9700 §4.7.
import { suite } from 'uvu'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { type World, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, endUser, goThrough } from './support/browser.js'
import { confidential, configured, signIn } from './support/relying-party.js'

const planted = suite<{ world: World }>('planted cookies at the authorization server')

planted.before(async (context) => {
  context.world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201' })
})
planted.after(({ world }) => stopTwo(world))

planted('who began the interaction does not go on as the end-user who signed in to it', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  await signIn(one, application, new Browser())
  const attacker = new Browser()
  const { url } = await application.request()
  const page = new URL(String((await attacker.open(url)).headers.get('location')), url).href
  const victim = new Browser()
  victim.cookies = attacker.cookies
  const { interactions } = one.provider
  assert.ok(interactions)
  const cookies = { cookie: victim.cookieFor(page) }
  const answered = await interactions.answerInteraction(
    page.slice(page.lastIndexOf('/') + 1),
    cookies,
    endUser('zoe'),
  )()
  if (E.isLeft(answered)) throw new Error(JSON.stringify(answered.left))
  victim.take(answered.right.setCookies)
  const resumed = new URL(answered.right.location, one.url).href
  const refused = await goThrough(attacker, one, resumed)
  assert.is(refused.end, undefined)
  assert.is(refused.page?.status, 400)
  assert.ok((await goThrough(victim, one, resumed)).end?.searchParams.has('code'))
})

planted('a session that was planted ends when another end-user signs in', async ({ world: { one } }) => {
  const application = await configured(one, confidential)
  const attacker = new Browser()
  await signIn(
    one,
    application,
    attacker,
    {},
    { login: endUser('mallory'), consent: { answer: 'consented', shown: {} } },
  )
  const victim = new Browser()
  victim.cookies = attacker.cookies
  await signIn(one, application, victim, { prompt: 'login' })
  const { end } = await goThrough(attacker, one, (await application.request({ prompt: 'none' })).url)
  assert.is(end?.searchParams.get('error'), 'login_required')
})

planted.run()
