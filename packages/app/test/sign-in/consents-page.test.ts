// The page of consents at the composed service, against other sites and other end-users: RFC 6819 §5.1.5.4.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type LibraryClient, scope, signIn } from './support/journey.js'
import type { EndUser } from './support/end-user.js'
import { openidClient6 } from './support/openid-client-6.js'
import { type Provider, startProvider } from './support/provider.js'

const consents = suite<{ provider: Provider; client: LibraryClient }>('the page of consents')

consents.before(async (context) => {
  context.provider = await startProvider({ CLIENTELE_ALLOW_OPEN_REGISTRATION: 'true' })
  context.client = await openidClient6(context.provider)
})
consents.after(({ provider }) => provider.stop())

const page = async ({ service: { base } }: Provider, endUser: EndUser): Promise<string> => {
  const response = await endUser.browserOf(base).open(`${base}/consents`, { headers: { 'Sec-Fetch-Mode': 'navigate' } })
  assert.equal([response.status, response.headers.get('cache-control')], [200, 'no-store'])
  assert.match(String(response.headers.get('content-security-policy')), /frame-ancestors 'none'/)
  return response.text()
}

const valuesIn = (html: string): ReadonlyArray<string> =>
  [...html.matchAll(/name="value" value="([^"]+)"/g)].map(([, value = '']) => value)

const submit = async (
  { service: { base } }: Provider,
  endUser: EndUser,
  value: string | undefined,
  headers: Readonly<Record<string, string>> = { Origin: base },
): Promise<string> => {
  const body = new URLSearchParams(value === undefined ? {} : { value })
  const answer = await endUser.browserOf(base).open(`${base}/consents`, { method: 'POST', body, headers })
  return `${answer.status} ${answer.headers.get('location') ?? ''}`
}

const consented = async (client: LibraryClient, endUser: EndUser): Promise<boolean> => {
  const { end } = await endUser.visit((await client.begin({ scope, prompt: 'none' })).url)
  return end?.searchParams.has('code') ?? false
}

consents('a form of another site, and the form of another end-user, removes nothing', async ({ provider, client }) => {
  const one = provider.endUser(provider.developer)
  const other = provider.endUser(provider.other)
  const tokens = await signIn(client, one)
  await signIn(client, other)
  const [ofOne] = valuesIn(await page(provider, one))
  const [ofOther] = valuesIn(await page(provider, other))
  assert.ok(ofOne !== undefined && ofOther !== undefined)
  assert.is.not(ofOne, ofOther)
  for (const headers of [
    { Origin: 'https://attacker.example' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: provider.service.base, 'Sec-Fetch-Site': 'same-site' },
  ])
    assert.is(await submit(provider, one, ofOne, headers), '303 /consents', JSON.stringify(headers))
  for (const value of [ofOther, undefined, '', `${ofOne}x`])
    assert.is(await submit(provider, one, value), '303 /consents', String(value))
  for (const each of [one, other]) assert.ok(await consented(client, each))
  assert.ok(await provider.isActive(tokens.access_token))
})

consents('a browser in which nobody is signed in sees and removes nothing', async ({ provider, client }) => {
  const one = provider.endUser(provider.developer)
  await signIn(client, one, ['login'])
  const [value] = valuesIn(await page(provider, one))
  const stranger = provider.endUser()
  const { base } = provider.service
  const shown = await stranger.browserOf(base).open(`${base}/consents`)
  assert.equal(valuesIn(await shown.text()), [])
  await submit(provider, stranger, value)
  assert.ok(await consented(client, one))
})

consents('a removed consent ends the tokens of that end-user alone, in every browser', async ({ provider, client }) => {
  const one = provider.endUser(provider.developer)
  const elsewhere = provider.endUser(provider.developer)
  const other = provider.endUser(provider.other)
  const ofOne = [await signIn(client, one, ['login']), await signIn(client, elsewhere, ['login'])]
  const ofOther = await signIn(client, other, ['login'])
  const [value] = valuesIn(await page(provider, one))
  assert.is(await submit(provider, one, value), '303 /consents?revoked=1')
  assert.is(await submit(provider, one, value), '303 /consents', 'the form is good once')
  for (const { access_token, refresh_token } of ofOne)
    for (const token of [access_token, refresh_token]) assert.not(await provider.isActive(token))
  for (const each of [one, elsewhere]) assert.not(await consented(client, each))
  assert.ok(await provider.isActive(ofOther.access_token))
  assert.ok(await consented(client, other))
})

consents.run()
