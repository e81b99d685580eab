import { ClientId } from '@clientele/domain/client'
import { documentPolicy } from '@clientele/domain/policy'
import { describeForConsent, noConsentPolicy, shownFacts } from '@clientele/domain/provider'
import { giveConsent } from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { SignInPorts } from '../../src/ports.js'
import { getInteraction, postConsent } from '../support/handlers.js'
import { hiddenFields, html, open, submit } from '../support/browser-request.js'
import { at, httpSettings } from '../support/in-memory-ports.js'
import { alice, createSignIn, onward, subjectOf } from '../support/sign-in.js'

const consent = suite('consent')

const served = async (given: Partial<SignInPorts> = {}) => {
  const world = await createSignIn(given)
  world.waitFor({ prompt: 'consent', sub: alice, claims: { name: 'Alice Nordmann', email: 'alice@op.example' } })
  const show = getInteraction(httpSettings(), world.httpPorts)
  const post = postConsent(httpSettings(), world.httpPorts)
  const request = { client: world.client, redirectUri: 'https://rp.example/callback', scope: ['openid', 'email'] }
  const facts = describeForConsent(noConsentPolicy)({ ...request, resources: {} }, O.none)
  return { ...world, show, post, facts }
}

consent('the page leads with the host, then the name as claimed, what is asked and who is signed in', async () => {
  const { client, show, waitFor } = await served()
  waitFor({ client: { ...client, registered_by: 'nobody' } })
  const page = html(await open(show))
  const places = ['Alice Nordmann', 'alice@op.example', 'rp.example', 'Nordlicht Shop', 'Anybody can claim', 'e-mail']
  const found = places.map((text) => page.indexOf(text))
  assert.equal(
    found,
    [...found].sort((one, other) => one - other),
  )
  assert.ok(found.every((place) => place > 0))
})

consent(
  'the operator is the source of an application that an operator registered, in the place of anybody',
  async () => {
    const { show, waitFor } = await served()
    const source =
      /It calls itself (?:<[^>]*>)+Nordlicht Shop(?:<\/[^>]*>)+\. The operator of this service registered it\./
    assert.match(html(await open(show)), source)
    assert.not.match(html(await open(show)), 'Anybody can claim')
    waitFor({ uiLocales: 'de' })
    assert.match(html(await open(show)), 'Der Betreiber dieses Dienstes hat sie registriert')
  },
)

consent('allowing records the shown facts; declining refuses; each ends the interaction', async () => {
  const one = await served()
  const allowed = await submit(one.post, { ...hiddenFields(await open(one.show)), answer: 'allow' })
  assert.equal([allowed.status, allowed.headers['Location']], [303, onward])
  assert.equal(one.answers, [{ answer: 'consented', shown: shownFacts(one.facts) }])
  assert.is((await submit(one.post, { answer: 'allow' })).status, 400)
  const other = await served()
  const denied = await submit(other.post, { ...hiddenFields(await open(other.show)), answer: 'deny' })
  assert.equal([denied.status, other.answers], [303, [{ answer: 'denied' }]])
})

consent('nothing is allowed but what the page showed: a change in between asks again', async () => {
  const { client, show, post, waitFor, answers } = await served()
  const fields = hiddenFields(await open(show))
  const renamed = { ...client, metadata: { ...client.metadata, client_name: 'Another Shop' } }
  for (const changed of [
    { client: renamed },
    { client, scope: ['openid', 'email', 'profile'] },
    { scope: ['openid', 'email'], resources: { 'https://api.example': ['write'] } },
    { resources: {}, redirectUri: 'https://elsewhere.example/cb' },
    { redirectUri: 'https://rp.example/callback', sub: subjectOf('bob') },
  ]) {
    waitFor(changed)
    const answer = await submit(post, { ...fields, answer: 'allow' })
    assert.equal([answer.status, answer.reason], [200, 'stale_page'])
    assert.not.equal(hiddenFields(answer)['value'], fields['value'])
  }
  assert.equal(answers, [])
})

consent(
  'links of an application lead to what it says of itself, with their hosts, where somebody vouches for it',
  async () => {
    const { client, show, post, waitFor, answers } = await served()
    const policy_uri = 'https://legal.example/policy?a=b&c=d'
    const linked = { ...client, metadata: { ...client.metadata, policy_uri, tos_uri: 'http://rp.example/terms' } }
    waitFor({ client: { ...linked, registered_by: 'nobody' } })
    assert.not.match(html(await open(show)), 'legal.example')
    waitFor({ client: { ...linked, registered_by: 'master' } })
    const page = await open(show)
    assert.match(
      html(page),
      '<a href="https://legal.example/policy?a=b&amp;c=d" target="_blank" rel="noopener noreferrer">The application’s privacy policy</a> <span class="host"><bdi dir="ltr">legal.example</bdi></span>',
    )
    assert.not.match(html(page), '/terms')
    // Another policy than the one that was linked to is not agreed to.
    const changed = { ...linked.metadata, policy_uri: 'https://legal.example/other' }
    waitFor({ client: { ...linked, metadata: changed, registered_by: 'master' } })
    assert.is((await submit(post, { ...hiddenFields(page), answer: 'allow' })).reason, 'stale_page')
    assert.equal(answers, [])
  },
)

const withPicture = async (picture: { logo?: string }) => {
  const asked: Array<string> = []
  const findLogo = (uri: string) => () => {
    asked.push(uri)
    return Promise.resolve(picture.logo)
  }
  const world = await served({ findLogo })
  const metadata = { ...world.client.metadata, logo_uri: 'https://rp.example/logo.png' }
  const vouched = { ...world.client, metadata, registered_by: 'master' as const }
  world.waitFor({ mustAsk: true, client: vouched })
  return { ...world, vouched, asked }
}

consent('the picture of an application stands on the page where somebody vouches for it', async () => {
  const picture = { logo: 'data:image/png;base64,aaaa' }
  const { vouched, asked, show, post, waitFor, answers } = await withPicture(picture)
  waitFor({ client: { ...vouched, registered_by: 'nobody' } })
  assert.not.match(html(await open(show)), 'class="logo"')
  assert.equal(asked, [])
  waitFor({ client: vouched })
  const page = await open(show)
  assert.match(html(page), '<img class="logo" src="data:image/png;base64,aaaa" alt="">')
  assert.match(String(page.headers['Content-Security-Policy']), 'img-src data:;')
  // The end-user agrees to what was on the page, and to no other picture.
  const fields = hiddenFields(page)
  for (const value of [fields['value']?.split('.')[0] ?? '', `${String(fields['value']).slice(0, -1)}x`])
    assert.is((await submit(post, { ...fields, value, answer: 'allow' })).reason, 'stale_page')
  assert.equal(answers, [])
})

consent('a picture is fetched to show a page, and for nothing else', async () => {
  const picture = { logo: 'data:image/png;base64,aaaa' }
  const { vouched, world, asked, show, post, waitFor, answers } = await withPicture(picture)
  const fields = hiddenFields(await open(show))
  assert.is(asked.length, 1)
  // What another picture has become meanwhile was not on the page.
  picture.logo = 'data:image/png;base64,bbbb'
  await submit(post, { ...fields, answer: 'allow' })
  const [answer] = answers
  const shown = answer?.answer === 'consented' ? answer.shown : {}
  assert.type(shown['logo'], 'string')
  const given = { scope: ['openid', 'email'], resources: {}, shown, given_at: at }
  await giveConsent(world.store, { sub: alice, client: vouched, ...given })()
  const again = { prompt: 'consent', sub: alice, client: vouched } as const
  waitFor({ ...again, mustAsk: false })
  assert.is((await open(show)).status, 303)
  waitFor({ ...again, mustAsk: true })
  assert.is((await submit(post, { answer: 'deny' })).status, 303)
  assert.is(asked.length, 1)
})

consent('the picture of a document is shown where the policy names its host, and its links always', async () => {
  const client_id = 'https://app.example/client.json'
  if (!ClientId.is(client_id)) throw new Error('not a client_id')
  const metadata = { logo_uri: 'https://app.example/logo.png', tos_uri: 'https://app.example/terms' }
  const pageBy = async (accept: 'any' | 'listed', ...allowed_hosts: ReadonlyArray<string>) => {
    const findLogo = () => () => Promise.resolve('data:image/png;base64,aaaa')
    const policies = { documentPolicy: () => documentPolicy({ accept, allowed_hosts }) }
    const { client, show, waitFor } = await served({ findLogo, ...policies })
    const documented = { ...client, client_id, registered_by: 'nobody' as const }
    waitFor({ mustAsk: true, client: { ...documented, metadata: { ...client.metadata, ...metadata } } })
    const page = html(await open(show))
    return [page.includes('class="logo"'), page.includes('https://app.example/terms')]
  }
  assert.equal(await pageBy('any'), [false, true])
  assert.equal(await pageBy('any', 'other.example'), [false, true])
  assert.equal(await pageBy('any', '*.example'), [true, true])
  assert.equal(await pageBy('listed', 'app.example'), [true, true])
})

consent('a page with another picture than the end-user agreed to says so', async () => {
  const before = await withPicture({ logo: 'data:image/png;base64,aaaa' })
  await submit(before.post, { ...hiddenFields(await open(before.show)), answer: 'allow' })
  const [answer] = before.answers
  assert.is(answer?.answer, 'consented')
  const shown = answer?.answer === 'consented' ? answer.shown : {}
  const picture: { logo?: string } = { logo: 'data:image/png;base64,aaaa' }
  const { world, vouched, show } = await withPicture(picture)
  const given = { scope: ['openid', 'email'], resources: {}, shown, given_at: at }
  await giveConsent(world.store, { sub: alice, client: vouched, ...given })()
  const tells = async (): Promise<boolean> => html(await open(show)).includes('the picture of the application')
  assert.not.ok(await tells())
  picture.logo = 'data:image/png;base64,cccc'
  assert.ok(await tells())
  delete picture.logo
  assert.not.ok(await tells())
})

consent('a form of another site, without the value, or with another answer allows nothing', async () => {
  const { show, post, answers } = await served()
  const fields = hiddenFields(await open(show))
  assert.is((await submit(post, { ...fields, answer: 'allow' }, { site: 'cross-site' })).status, 400)
  for (const given of [
    { answer: 'allow' },
    { ...fields, value: 'x', answer: 'allow' },
    { ...fields, answer: 'yes' },
    {},
  ])
    assert.is((await submit(post, given)).status, 200)
  assert.equal(answers, [])
})

consent('what was allowed before is not asked again, unless the application insists or has changed', async () => {
  const { world, client, facts, show, waitFor, answers } = await served()
  const given = { scope: ['openid', 'email'], resources: {}, shown: shownFacts(facts), given_at: at }
  await giveConsent(world.store, { sub: alice, client, ...given })()
  waitFor({ mustAsk: true })
  assert.is((await open(show)).status, 200)
  waitFor({ mustAsk: false, client: { ...client, metadata: { ...client.metadata, client_name: 'Another' } } })
  assert.match(html(await open(show)), 'This has changed since you last allowed it')
  waitFor({ client })
  assert.equal([(await open(show)).status, answers.length], [303, 1])
})

consent('applications that the operator names are not asked for', async () => {
  const { client, ports, httpPorts, answers } = await served()
  const consentPolicy = () => ({ ...noConsentPolicy, firstPartyClients: [client.client_id] })
  const answer = await open(getInteraction(httpSettings(), { ...httpPorts, signIn: { ...ports, consentPolicy } }))
  assert.equal([answer.status, answers.map((each) => each.answer)], [303, ['consented']])
})

consent('warnings of the operator name what a name can be taken for', async () => {
  const protectedNames = [{ name: 'NordIicht', hosts: ['nordlicht.example'] }]
  const consentPolicy = () => ({ ...noConsentPolicy, protectedNames })
  const { show } = await served({ consentPolicy })
  assert.match(html(await open(show)), /can be taken for <span class="name"><bdi>NordIicht<\/bdi>/)
})

consent('without an end-user there is nobody to ask, and a store that cannot answer says so', async () => {
  const { show, post, waitFor } = await served()
  waitFor({ sub: undefined } as never)
  for (const answer of [await open(show), await submit(post, { answer: 'allow' })])
    assert.equal([answer.status, answer.reason], [400, 'no_end_user'])
  const down = await served({ findConsent: () => TE.left({ error: 'unavailable', detail: 'down' }) })
  for (const answer of [await open(down.show), await submit(down.post, { answer: 'allow' })])
    assert.equal([answer.status, answer.headers['Retry-After']], [503, '1'])
})

consent.run()
