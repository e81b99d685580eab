// An authorization request with the ID token of an end-user: OpenID Connect Core §3.1.2.1.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answers, Browser, consented, endUser, goThrough } from './support/browser.js'
import { callback, confidential, configured, signIn } from './support/relying-party.js'
import { type World, startTwo, stopTwo } from '../support/two-services.js'

const hints = suite<{ world: World }>('an authorization request for the end-user of an ID token')

hints.before(async (context) => {
  context.world = await startTwo({ engine: 'oidc-provider', 'registration-status': '201' })
})
hints.after(({ world }) => stopTwo(world))

const maxLogins = 3

/** Signs in as this end-user whenever the page asks, as a login elsewhere does that asks for nothing. */
const alwaysAs = (sub: string): Answers => {
  const counted = { logins: 0 }
  return {
    get login() {
      counted.logins += 1
      if (counted.logins > maxLogins) throw new Error('the login has no end')
      return endUser(sub)
    },
    consent: consented,
  }
}

for (const subject_type of ['public', 'pairwise'])
  hints(`another end-user who signs in is reported to the application: ${subject_type}`, async ({ world: { one } }) => {
    const application = await configured(one, { ...confidential, subject_type })
    const { tokens } = await signIn(one, application, new Browser())
    assert.type(tokens.id_token, 'string')
    const id_token_hint = String(tokens.id_token)
    const other = new Browser()
    // At first no end-user is signed in, then the other one.
    for (const attempt of ['first', 'second']) {
      const { url, checks } = await application.request({ id_token_hint })
      const reached = await goThrough(other, one, url, alwaysAs('bob'))
      assert.equal(reached.prompts, ['login'], attempt)
      const sent = reached.end?.searchParams
      assert.equal(
        [sent?.get('error'), sent?.get('state'), sent?.get('iss')],
        ['login_required', checks.expectedState, one.url],
      )
    }
    const { url } = await application.request({ id_token_hint })
    const right = await goThrough(other, one, url, alwaysAs('zoe'))
    assert.type(right.end?.searchParams.get('code'), 'string')
  })

hints(
  'a port is no part of a sector: two applications of one host know the end-user by one sub',
  async ({ world: { one } }) => {
    const subs = []
    for (const redirect_uris of [[callback], [callback.replace('rp.example', 'rp.example:8443'), callback]]) {
      const application = await configured(one, { ...confidential, redirect_uris, subject_type: 'pairwise' })
      subs.push((await signIn(one, application, new Browser())).tokens.claims()?.sub)
    }
    assert.type(subs[0], 'string')
    assert.is(subs[0], subs[1])
  },
)

hints.run()
