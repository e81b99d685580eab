import { createHandOverReader } from '@clientele/adapters-jose'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { SignJWT, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLoginElsewhere, createLoginPage } from '../src/index.js'
import { begin, endUserOf, loginPorts, reasonOf, succeed } from './support/login.js'

const Page = suite('login at a page of the host')

const secret = 'a secret of the host and the service, of 32 octets or more'
const page = 'https://host.example/login?tenant=1'
const issuer = 'https://id.example'
const { redirectUri } = begin
const { privateKey } = await generateKeyPair('RS256')

const createPage = () => {
  const { clock, now, ports } = loginPorts()
  const method = createLoginPage(
    { issuer, page, alg: 'RS256' },
    {
      ...createHandOverReader({ kind: 'secret', secret }),
      now,
      identifier: ports.identifier,
      signToken: ({ alg, typ, claims, expiresAt }) =>
        TE.fromTask(() =>
          new SignJWT({ ...claims, iss: issuer, iat: now(), exp: expiresAt })
            .setProtectedHeader({ alg, typ })
            .sign(privateKey),
        ),
    },
  )
  return { clock, ...createLoginElsewhere(method, ports) }
}

const begunAt = async (login: ReturnType<typeof createPage>, hints: object = {}) => {
  const { location, handle, state } = await succeed(login.begin({ ...begin, ...hints }))
  const url = new URL(location)
  const request = url.searchParams.get('request') ?? ''
  return { url, handle, state, claims: decodeJwt(request), header: decodeProtectedHeader(request) }
}
type Begun = Awaited<ReturnType<typeof begunAt>>

const answer = ({ claims }: Begun, changes: object = {}, typ = 'login-response+jwt'): Promise<string> =>
  new SignJWT({
    iss: page,
    aud: issuer,
    nonce: claims.jti,
    sub: 'alice',
    name: 'Alice',
    exp: Date.now() / 1_000 + 60,
    ...changes,
  })
    .setProtectedHeader({ alg: 'HS256', typ })
    .sign(new TextEncoder().encode(secret))

const returned = ({ handle, state }: Begun, response: string) => ({
  state,
  parameters: { state: handle, response },
  redirectUri,
})

Page('the request is signed for the page, short-lived, with a return address and the hints', async () => {
  const { url, handle, claims, header } = await begunAt(createPage(), { loginHint: 'al', uiLocales: 'de', maxAge: 0 })
  assert.equal([url.origin, url.pathname, url.searchParams.get('tenant')], ['https://host.example', '/login', '1'])
  assert.equal(header, { alg: 'RS256', typ: 'login-request+jwt' })
  const { iat = 0, exp = 0, jti, ...others } = claims
  assert.is(exp - iat, 300)
  assert.match(jti ?? '', /^.{16,}$/)
  const hints = { login_hint: 'al', ui_locales: 'de', max_age: 0 }
  assert.equal(others, { iss: issuer, aud: page, redirect_uri: `${redirectUri}?state=${handle}`, ...hints })
})

Page('a signed response is the end-user', async () => {
  const login = createPage()
  const begun = await begunAt(login)
  const endUser = await endUserOf(login.complete(returned(begun, await answer(begun, { amr: ['pwd'], acr: 'x' }))))
  assert.equal([endUser.sub, endUser.claims, endUser.amr, endUser.acr], ['alice', { name: 'Alice' }, ['pwd'], 'x'])
})

Page('a response to another browser, or to another interaction, is refused', async () => {
  const login = createPage()
  const mine = await begunAt(login)
  const other = await begunAt(login, { interaction: 'another' })
  const foreign = await answer(other)
  assert.match(await reasonOf(login.complete(returned(mine, foreign))), /nonce/)
  assert.match(await reasonOf(login.complete({ ...returned(other, foreign), state: mine.state })), /another login/)
  assert.is((await succeed(login.complete(returned(other, foreign)))).interaction, 'another')
})

Page('a response of an earlier login is refused in a later one of the same browser', async () => {
  const login = createPage()
  const first = await begunAt(login)
  const response = await answer(first)
  await succeed(login.complete(returned(first, response)))
  assert.match(await reasonOf(login.complete(returned(await begunAt(login), response))), /nonce/)
})

Page('each claim that binds the response is required', async () => {
  const login = createPage()
  const begun = await begunAt(login)
  const wrong = [
    [{ iss: issuer }, /^iss/],
    [{ aud: 'https://other.example' }, /^aud/],
    [{ aud: [issuer, 'https://other.example'] }, /^aud/],
    [{ nonce: undefined }, /^nonce/],
    [{ exp: Date.now() / 1_000 - 61 }, /^exp/],
    [{ exp: Date.now() / 1_000 + 86_400 }, /^exp/],
    [{ exp: undefined }, /^exp/],
    [{ sub: undefined }, /^sub/],
    [{ auth_time: 'now' }, /^auth_time/],
  ] as const
  for (const [changes, reason] of wrong)
    assert.match(await reasonOf(login.complete(returned(begun, await answer(begun, changes)))), reason)
  assert.match(await reasonOf(login.complete(returned(begun, await answer(begun, {}, 'JWT')))), /^typ/)
})

Page('our own request is no response, nor is a text, nor an error', async () => {
  const login = createPage()
  const begun = await begunAt(login)
  const request = begun.url.searchParams.get('request') ?? ''
  assert.match(await reasonOf(login.complete(returned(begun, request))), /not signed with its configured key/)
  assert.match(await reasonOf(login.complete(returned(begun, 'a.b'))), /must be a signed JWT/)
  const { state, handle } = begun
  for (const [error, reason] of [
    ['access_denied', /error access_denied$/],
    ['<b>', /no response$/],
  ] as const)
    assert.match(await reasonOf(login.complete({ state, parameters: { state: handle, error }, redirectUri })), reason)
})

Page.run()
