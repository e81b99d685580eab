// The way of a confidential or public client, whatever its library: from the login to dead tokens.
import * as assert from 'uvu/assert'
import type { EndUser } from './end-user.js'
import { type Json, type Provider, type Registered, callback, endRegistration, signedOut } from './provider.js'

export type Tokens = {
  readonly access_token: string
  readonly refresh_token: string
  readonly id_token: string
  readonly sub: string
}

export type Refreshed = Pick<Tokens, 'access_token' | 'refresh_token'>

/** What each library does in its own way. */
export type LibraryClient = {
  readonly metadata: Json
  readonly registered: Registered
  /** The URL of an authorization request with PKCE, state and nonce, and what makes tokens of its answer. */
  readonly begin: (
    parameters: Readonly<Record<string, string>>,
  ) => Promise<{ readonly url: URL; readonly finish: (answer: URL) => Promise<Tokens> }>
  readonly subOf: (tokens: Tokens) => Promise<string>
  readonly refresh: (tokens: Refreshed) => Promise<Refreshed>
  readonly logoutUrl: (tokens: Tokens, state: string) => Promise<URL>
}

export const metadata = {
  client_name: 'Example',
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  post_logout_redirect_uris: [signedOut],
}

export const scope = 'openid profile email'

export const signIn = async (
  { begin }: LibraryClient,
  endUser: EndUser,
  requested: ReadonlyArray<string> = ['login', 'consent'],
): Promise<Tokens> => {
  const { url, finish } = await begin({ scope })
  const arrival = await endUser.visit(url)
  assert.equal(arrival.requested, requested, arrival.page)
  if (arrival.end === undefined) throw new Error(arrival.page)
  return finish(arrival.end)
}

/** The error of an authorization request that must show no page. */
export const silently = async ({ begin }: LibraryClient, endUser: EndUser): Promise<string | null | undefined> => {
  const { end, requested } = await endUser.visit((await begin({ scope, prompt: 'none' })).url)
  assert.equal(requested, [])
  return end?.searchParams.get('error')
}

export const journey = async (provider: Provider, client: LibraryClient): Promise<void> => {
  const { isActive } = provider
  const endUser = provider.endUser()
  const first = await signIn(client, endUser)
  assert.is(await client.subOf(first), first.sub)
  const second = await client.refresh(first)
  assert.not.equal(second.refresh_token, first.refresh_token)
  assert.is(await isActive(second.access_token), true)

  const stayed = await endUser.visit(await client.logoutUrl(first, 'of a&b'), { logout: 'stay' })
  assert.equal(stayed.requested, ['logout'])
  assert.is(stayed.end?.href, `${signedOut}?state=of%20a%26b`)
  assert.is(await silently(client, endUser), null)
  assert.is(await isActive(second.access_token), true)

  const left = await endUser.visit(await client.logoutUrl(first, 'of c'), { logout: 'logout' })
  assert.is(left.end?.href, `${signedOut}?state=of%20c`)
  assert.is(await silently(client, endUser), 'login_required')
  for (const token of [first.access_token, second.access_token, second.refresh_token])
    assert.is(await isActive(token), false, 'a token outlives its session')

  const third = await signIn(client, endUser, ['login'])
  assert.is(third.sub, first.sub)
  await endRegistration(provider, client.registered, client.metadata, {
    accessToken: third.access_token,
    refreshToken: third.refresh_token,
  })
  await client.refresh(third).then(
    () => assert.unreachable('a refresh token outlives its client'),
    () => undefined,
  )
}
