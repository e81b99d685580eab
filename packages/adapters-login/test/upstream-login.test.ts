import { epochSeconds } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type UpstreamSettings, createLoginElsewhere, createUpstreamLogin } from '../src/index.js'
import { readUpstreamEndUser } from '../src/openid-protocol.js'
import { begin, endUserOf, loginPorts, reasonOf, succeed } from './support/login.js'
import { clientSecret, redirectUri, startOpenIdProvider } from './support/openid-provider.js'
import {
  type TlsServer,
  createBrowser,
  guardedFetch,
  loopbackFetch,
  parametersOf,
  startTlsServer,
} from './support/tls-server.js'

const Upstream = suite<{ provider: TlsServer }>('login at an OpenID provider')

Upstream.before(async (context) => {
  context.provider = await startOpenIdProvider()
})
Upstream.after(({ provider }) => provider.stop())

const settingsOf = (issuer: string): UpstreamSettings => ({
  issuer,
  clientId: 'clientele',
  clientSecret,
  clientAuthentication: 'client_secret_basic',
  scope: ['openid', 'email', 'profile'],
  subjectClaim: undefined,
  claims: ['email', 'email_verified', 'name'],
  required: [],
  id: undefined,
  plain: undefined,
})

const loginAt = (issuer: string, settings: Partial<UpstreamSettings> = {}) => {
  const { clock, now, ports } = loginPorts()
  const fetch = issuer.startsWith('http:') ? loopbackFetch(issuer) : guardedFetch()
  const upstream = createUpstreamLogin({ ...settingsOf(issuer), ...settings }, { fetch, now })
  return { clock, upstream, ...createLoginElsewhere(upstream, ports) }
}

type Login = ReturnType<typeof loginAt>

const signIn = async (
  login: Login,
  request: Partial<Parameters<Login['begin']>[0]> = {},
  browser = createBrowser(),
) => {
  const { location, handle, state } = await succeed(login.begin({ ...begin, ...request }))
  const parameters = parametersOf(await browser.visit(location))
  return { location, handle, browser, returned: { state, parameters, redirectUri } }
}

Upstream(
  'the end-user has the listed claims, the authentication of the provider, and a sub of issuer and sub',
  async ({ provider }) => {
    const login = loginAt(provider.origin)
    const { location, handle, returned } = await signIn(login)
    const sent = parametersOf(location)
    assert.is(sent['code_challenge_method'], 'S256')
    assert.is(sent['state'], handle)
    assert.is(returned.parameters['iss'], provider.origin)
    const { interaction, endUser } = await succeed(login.complete(returned))
    assert.is(interaction, begin.interaction)
    const { sub, claims, acr, amr, auth_time, logoutElsewhere } = endUser
    assert.equal(claims, { email: 'alice@upstream.example', email_verified: true, name: 'Alice' })
    assert.equal([acr, amr], ['urn:example:gold', ['pwd', 'otp']])
    assert.ok(Math.abs(auth_time - Date.now() / 1_000) < 60)
    assert.match(sub, /^[\w-]{43}$/)
    assert.is(logoutElsewhere?.end_session_endpoint, `${provider.origin}/session/end`)
    const again = await endUserOf(login.complete((await signIn(login)).returned))
    assert.is(again.sub, sub)
  },
)

Upstream('two providers with the same sub give two end-users', async ({ provider }) => {
  const other = await startOpenIdProvider()
  try {
    const subs = await Promise.all(
      [loginAt(provider.origin), loginAt(other.origin)].map(
        async (login) => (await endUserOf(login.complete((await signIn(login)).returned))).sub,
      ),
    )
    assert.is.not(subs[0], subs[1])
  } finally {
    await other.stop()
  }
})

Upstream('a claim of the settings is sub as it is; one that is missing refuses the login', async ({ provider }) => {
  const login = loginAt(provider.origin, { subjectClaim: 'email' })
  const { sub } = await endUserOf(login.complete((await signIn(login)).returned))
  assert.is(sub, 'alice@upstream.example')
  const without = loginAt(provider.origin, { subjectClaim: 'employee_number' })
  assert.match(await reasonOf(without.complete((await signIn(without)).returned)), /employee_number/)
})

Upstream('a request for a new authentication gets one, although the end-user is signed in', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const browser = createBrowser()
  const first = await endUserOf(login.complete((await signIn(login, {}, browser)).returned))
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  const second = await endUserOf(login.complete((await signIn(login, {}, browser)).returned))
  assert.is(second.auth_time, first.auth_time)
  const anew = await endUserOf(login.complete((await signIn(login, { maxAge: 0 }, browser)).returned))
  assert.ok(anew.auth_time > first.auth_time)
})

Upstream('a response is good once', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const { returned } = await signIn(login)
  await succeed(login.complete(returned))
  assert.match(await reasonOf(login.complete(returned)), /invalid_grant/)
})

Upstream('the response of another browser is refused, whichever of its values is exchanged', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const mine = await signIn(login)
  const other = await signIn(login)
  const parameters = { ...other.returned.parameters }
  assert.match(await reasonOf(login.complete({ ...mine.returned, parameters })), /another login/)
  // A code that was taken from another browser: its PKCE verifier and nonce are not those of this one.
  const injected = { ...parameters, state: mine.handle }
  assert.match(await reasonOf(login.complete({ ...mine.returned, parameters: injected })), /invalid_grant/)
})

Upstream(
  'a mix-up of issuers is refused: another iss, none, or a login that began at another provider',
  async ({ provider }) => {
    const login = loginAt(provider.origin)
    const { returned } = await signIn(login)
    const withoutIss = Object.fromEntries(Object.entries(returned.parameters).filter(([name]) => name !== 'iss'))
    for (const parameters of [{ ...returned.parameters, iss: 'https://attacker.example' }, withoutIss])
      assert.match(await reasonOf(login.complete({ ...returned, parameters })), /not valid \(OAUTH_INVALID_RESPONSE\)/)
    const { ports, now } = loginPorts()
    const [one, two] = ['clientele', 'another'].map((clientId) =>
      createLoginElsewhere(
        createUpstreamLogin({ ...settingsOf(provider.origin), clientId }, { fetch: guardedFetch(), now }),
        ports,
      ),
    )
    if (one === undefined || two === undefined) throw new Error('two logins')
    const begun = await succeed(one.begin(begin))
    const parameters = { state: begun.handle, code: 'x' }
    assert.match(await reasonOf(two.complete({ state: begun.state, parameters, redirectUri })), /another login method/)
  },
)

Upstream('a changed code, an error, and no parameters are refused', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const { returned, handle } = await signIn(login)
  const iss = provider.origin
  const reasons = [
    [{ ...returned.parameters, code: 'changed' }, /invalid_grant/],
    [{ state: handle, iss, error: 'access_denied', error_description: '<script>' }, /error access_denied$/],
    [{ state: handle, iss, error: 'two words' }, /not valid/],
    [{ state: handle, iss }, /not valid/],
    [{}, /another login/],
  ] as const
  for (const [parameters, reason] of reasons)
    assert.match(await reasonOf(login.complete({ ...returned, parameters })), reason)
})

Upstream('an end-user who returns too late is refused', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const { returned } = await signIn(login)
  login.clock.ahead = 901
  assert.match(await reasonOf(login.complete(returned)), /after 900 seconds/)
})

Upstream('a wrong secret is named with its remedy', async ({ provider }) => {
  const login = loginAt(provider.origin, { clientSecret: 'wrong' })
  const reason = await reasonOf(login.complete((await signIn(login)).returned))
  assert.match(reason, /invalid_client: correct upstream-client-id, upstream-client-secret/)
})

/** How the login ends: signed in, refused, or for the operator to correct. */
const endOf = async (login: Login): Promise<string> => {
  const completed = await login.complete((await signIn(login)).returned)()
  if (E.isRight(completed)) return 'signed in'
  return completed.left.error === 'login_refused' ? (completed.left.because ?? 'refused') : completed.left.error
}

Upstream(
  'where the client is refused, only the operator can help, and a check tells it before',
  async ({ provider }) => {
    for (const [settings, end] of [
      [{}, 'signed in'],
      [{ clientAuthentication: 'client_secret_post', clientSecret: 'wrong' }, 'misconfigured'],
      [{ clientSecret: 'wrong' }, 'misconfigured'],
    ] as const) {
      const login = loginAt(provider.origin, settings)
      assert.is(await endOf(login), end)
      const checked = await login.upstream.checkCredentials(redirectUri)()
      assert.is(E.isRight(checked), end === 'signed in', JSON.stringify(checked))
    }
    const unknown = await loginAt(provider.origin, { clientId: 'nobody' }).upstream.checkCredentials(redirectUri)()
    assert.match(JSON.stringify(unknown), /misconfigured/)
  },
)

// A browser brings the response: whoever made it could fill the log with errors and tell end-users to ask an operator.
Upstream('an error that a browser brings is no fault of the settings', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const { returned, handle } = await signIn(login)
  const parameters = { state: handle, iss: provider.origin, error: 'invalid_client' }
  const completed = await login.complete({ ...returned, parameters })()
  assert.ok(E.isLeft(completed) && completed.left.error === 'login_refused')
  assert.equal([completed.left.because, /correct/.test(completed.left.reason)], [undefined, false])
})

Upstream('who has not the claims that are required is refused, and may ask for another account', async () => {
  const required = [
    { claim: 'email', values: ['@upstream.example'] },
    { claim: 'groups', values: ['staff'] },
  ]
  for (const [claims, end] of [
    [{ groups: ['staff', 'all'] }, 'signed in'],
    [{ groups: 'staff', email: 'alice@UPSTREAM.example' }, 'signed in'],
    [{}, 'not_permitted'],
    [{ groups: ['all'] }, 'not_permitted'],
    [{ groups: ['staffs'] }, 'not_permitted'],
    [{ groups: [['staff']] }, 'not_permitted'],
    [{ groups: ['staff'], email: 'alice@upstream.example.evil.example' }, 'not_permitted'],
    [{ groups: ['staff'], email_verified: false }, 'not_permitted'],
    [{ groups: ['staff'], email_verified: 'true' }, 'not_permitted'],
  ] as const) {
    const provider = await startOpenIdProvider(0, undefined, undefined, { claims })
    try {
      assert.is(await endOf(loginAt(provider.origin, { required })), end, JSON.stringify(claims))
    } finally {
      await provider.stop()
    }
  }
})

// OpenID Core §5.1: email_verified speaks of the address beside it.
Upstream('an address of one document is never verified by the other', () => {
  const settings = { ...settingsOf('https://op.example'), required: [{ claim: 'email', values: ['@op.example'] }] }
  const subject = { iss: 'https://op.example', sub: 'alice' }
  const address = { email: 'alice@op.example' }
  const verified = { email_verified: true }
  for (const [idToken, userInfo, isAdmitted] of [
    [{ ...address, ...verified }, {}, true],
    [{}, { ...address, ...verified }, true],
    [verified, address, false],
    [address, verified, false],
    [{ ...address, email_verified: false }, { ...address, ...verified }, false],
    [{ email_verified: false }, { ...address, ...verified }, true],
  ] as const) {
    const redeemed = {
      idToken: { ...subject, ...idToken },
      id_token: undefined,
      userInfo,
      end_session_endpoint: undefined,
    }
    const read = readUpstreamEndUser(settings, redeemed, { needsAuthTime: false, at: epochSeconds(0) })
    assert.is(E.isRight(read), isAdmitted, JSON.stringify([idToken, userInfo]))
  }
})

// OpenID Core §3.1.2.1
Upstream('another account is asked for without the hint of the one that was refused', async ({ provider }) => {
  const login = loginAt(provider.origin)
  const request = { ...begin, loginHint: 'alice' }
  assert.is(parametersOf((await succeed(login.begin(request))).location)['login_hint'], 'alice')
  const { prompt, login_hint } = parametersOf((await succeed(login.begin({ ...request, otherAccount: true }))).location)
  assert.equal([prompt, login_hint], ['login', undefined])
  const metadata = (origin: string) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/auth`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
    prompt_values_supported: ['none', 'select_account'],
  })
  const choosing = await startTlsServer((origin) => (_, response) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(metadata(origin)))
  })
  try {
    const { location } = await succeed(loginAt(choosing.origin).begin({ ...request, otherAccount: true }))
    assert.is(parametersOf(location)['prompt'], 'select_account')
    const asked = { ...begin, selectAccount: true }
    const chosen = parametersOf((await succeed(loginAt(choosing.origin).begin(asked))).location)
    assert.equal([chosen['prompt'], chosen['max_age']], ['select_account', undefined])
    const anew = parametersOf((await succeed(loginAt(choosing.origin).begin({ ...asked, maxAge: 0 }))).location)
    assert.equal([anew['prompt'], anew['max_age']], ['login select_account', '0'])
  } finally {
    await choosing.stop()
  }
})

Upstream('an issuer on loopback needs neither https nor a network of the settings', async ({ provider }) => {
  const plain = await startOpenIdProvider(0, undefined, undefined, { isPlain: true })
  try {
    assert.match(plain.origin, /^http:/)
    assert.is(await endOf(loginAt(plain.origin)), 'signed in')
    const elsewhere = loopbackFetch(plain.origin)
    const get = { method: 'GET', headers: {} }
    assert.is((await elsewhere(`${plain.origin}/jwks`, get)).status, 200)
    for (const [url, reason] of [
      [plain.origin.replace(/\d+$/, '8081'), /the scheme is not https/],
      [plain.origin.replace('localhost', '127.0.0.1'), /the scheme is not https/],
      [provider.origin, /special-purpose/],
    ] as const) {
      const failed = await elsewhere(`${url}/jwks`, get).then(() => 'answered', String)
      assert.match(failed, reason, url)
    }
  } finally {
    await plain.stop()
  }
})

Upstream('a time in the future of the provider is judged by our clock alone', async ({ provider }) => {
  const login = loginAt(provider.origin)
  login.clock.ahead = -600
  const { returned } = await signIn(login)
  assert.match(await reasonOf(login.complete(returned)), /auth_time/)
})

Upstream.run()
