import { noRow, giveConsent } from '@clientele/testing'
import { secondsAfter } from '@clientele/domain/kernel'
import type { EndUserSession } from '@clientele/domain/logout'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SignInPorts } from '../../src/ports.js'
import { getConsents, postConsents } from '../support/handlers.js'
import { hiddenFields, html, open, submit } from '../support/browser-request.js'
import { at, hashToken, httpSettings } from '../support/in-memory-ports.js'
import { alice, createSignIn, subjectOf } from '../support/sign-in.js'

const consents = suite('the consents of an end-user')

const sessionOf = (sub: typeof alice, sid: string): EndUserSession => ({
  sid: subjectOf(sid),
  sub,
  auth_time: at,
  used_at: at,
  idle_lifetime: 3600,
  expires_at: secondsAfter(at, 3600),
  clients: [],
  declined: [],
  version: 1,
})

const cookie = '__Host-clientele-session=alice'

/** Alice and Bob, each with a session and a consent. */
const served = async (given: Partial<SignInPorts> = {}) => {
  const signIn = await createSignIn(given)
  const { world, client } = signIn
  const { addSession } = world.service
  for (const sub of [alice, subjectOf('bob')]) {
    await addSession(sessionOf(sub, `sid-${sub}`), hashToken(sub), at, noRow)()
    await giveConsent(world.store, {
      sub,
      client,
      scope: ['openid', 'email'],
      resources: {},
      shown: {},
      given_at: at,
    })()
  }
  const show = getConsents(httpSettings(), signIn.httpPorts)
  const post = postConsents(httpSettings(), signIn.httpPorts)
  const consentOf = (sub: typeof alice) => world.store.consents.findConsent(sub, client)()
  return { ...signIn, show, post, consentOf }
}

consents('the page names the end-user, and each application with its host, scope and date', async () => {
  const { show } = await served()
  const page = await open(show, { cookie })
  assert.is(page.status, 200)
  for (const text of ['Alice Nordmann', 'Nordlicht Shop', 'rp.example', 'Your e-mail address', 'November 14, 2023'])
    assert.match(html(page), text)
})

consents('removing a consent removes this one, and says so after a redirect', async () => {
  const { show, post, consentOf } = await served()
  const fields = hiddenFields(await open(show, { cookie }))
  const answer = await submit(post, fields, { cookie })
  assert.equal([answer.status, answer.headers['Location']], [303, '/consents?revoked=1'])
  assert.equal(await consentOf(alice), E.right(O.none))
  assert.ok(O.isSome(E.getOrElseW(() => O.none)(await consentOf(subjectOf('bob')))))
  assert.match(html(await open(show, { cookie, query: { revoked: ['1'] } })), 'was removed')
})

consents('the form of another end-user, of another site, or a made-up one removes nothing', async () => {
  const { show, post, consentOf } = await served()
  const fields = hiddenFields(await open(show, { cookie }))
  const ofBob = { cookie: '__Host-clientele-session=bob' }
  assert.is((await submit(post, fields, ofBob)).headers['Location'], '/consents')
  assert.is((await submit(post, fields, { cookie, site: 'cross-site' })).reason, 'cross_site')
  assert.is((await submit(post, { value: 'x' }, { cookie })).reason, 'stale_page')
  for (const sub of [alice, subjectOf('bob')]) assert.ok(O.isSome(E.getOrElseW(() => O.none)(await consentOf(sub))))
})

consents('nobody is signed in: the page says so, and leads on', async () => {
  const { show, post } = await served()
  for (const answer of [await open(show), await submit(post, {})]) assert.match(html(answer), 'You are not signed in')
})

consents('a store that cannot answer is a page that can be tried again', async () => {
  const down = TE.left({ error: 'unavailable' as const, detail: 'down' })
  for (const given of [{ findSession: () => down }, { searchConnections: () => down }, { findClients: () => down }]) {
    const { show, post } = await served(given)
    for (const answer of [await open(show, { cookie }), await submit(post, {}, { cookie })])
      assert.equal([answer.status, html(answer).includes('href="/consents"')], [503, true])
  }
  const { show, post } = await served({ revokeConnection: () => down, findEndUserClaims: () => down })
  const page = await open(show, { cookie })
  assert.match(html(page), '<bdi>alice</bdi>')
  assert.is((await submit(post, hiddenFields(page), { cookie })).status, 503)
})

consents.run()
