import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type UpstreamSettings, createLoginElsewhere, createUpstreamLogin } from '../src/index.js'
import { begin, endUserOf, loginPorts, reasonOf, succeed } from './support/login.js'
import { clientSecret, endpointsAt, startOAuthServer, verifiedAddress } from './support/oauth-server.js'
import { startOpenIdProvider } from './support/openid-provider.js'
import { createBrowser, guardedFetch, loopbackFetch, parametersOf } from './support/tls-server.js'

const Plain = suite('login at an OAuth 2.0 server without OpenID')

const redirectUri = 'https://id.example/login/callback/forge'

const loginAt = (origin: string, settings: Partial<UpstreamSettings> = {}) => {
  const { now, ports } = loginPorts()
  const upstream = createUpstreamLogin(
    {
      id: 'forge',
      issuer: origin,
      clientId: 'clientele',
      clientSecret,
      clientAuthentication: 'client_secret_post',
      scope: ['read:user', 'user:email'],
      required: [],
      subjectClaim: undefined,
      claims: ['name', 'preferred_username', 'picture', 'email', 'email_verified'],
      plain: endpointsAt(origin),
      ...settings,
    },
    { fetch: origin.startsWith('http:') ? loopbackFetch(origin) : guardedFetch(), now },
  )
  return { upstream, ...createLoginElsewhere(upstream, ports) }
}

type Login = ReturnType<typeof loginAt>

const returned = async (login: Login) => {
  const { location, handle, state } = await succeed(login.begin({ ...begin, redirectUri }))
  const parameters = parametersOf(await createBrowser().visit(location))
  return { location, handle, given: { state, parameters, redirectUri } }
}

const signIn = async (login: Login) => endUserOf(login.complete((await returned(login)).given))

Plain('the end-user has a sub of issuer and member, the mapped claims and the verified address', async () => {
  for (const isPlain of [false, true]) {
    const server = await startOAuthServer({ isPlain, issOf: (origin) => origin })
    try {
      const login = loginAt(server.origin)
      const { location, handle, given } = await returned(login)
      const { code_challenge, ...sent } = parametersOf(location)
      assert.match(code_challenge ?? '', /^[\w-]{43}$/)
      assert.equal(sent, {
        client_id: 'clientele',
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state: handle,
        code_challenge_method: 'S256',
      })
      const { sub, claims, logoutElsewhere } = await endUserOf(login.complete(given))
      assert.equal(claims, {
        name: 'Octo Cat',
        preferred_username: 'octocat',
        email: 'octocat@example.com',
        email_verified: true,
      })
      assert.match(sub, /^[\w-]{43}$/)
      assert.is(logoutElsewhere, undefined)
      assert.is((await signIn(login)).sub, sub)
      assert.match(await reasonOf(login.complete(given)), /forge answered with the error bad_verification_code$/)
    } finally {
      await server.stop()
    }
  }
})

Plain('an address that is not verified is no claim, and admits nobody', async () => {
  const required = [{ claim: 'email', values: ['@example.com'] }]
  for (const emails of [[{ ...verifiedAddress, verified: false }], [{ ...verifiedAddress, primary: false }], []]) {
    const server = await startOAuthServer({ emails })
    try {
      const { claims } = await signIn(loginAt(server.origin))
      assert.equal([claims['email'], claims['email_verified']], [undefined, undefined])
      const strict = loginAt(server.origin, { required })
      const refused = await strict.complete((await returned(strict)).given)()
      assert.ok(E.isLeft(refused) && refused.left.error === 'login_refused')
      assert.is(refused.left.because, 'not_permitted')
      assert.match(refused.left.reason, 'required_claims of forge in upstreams')
    } finally {
      await server.stop()
    }
  }
})

// RFC 9207 §2.4
Plain('an iss that is not that of the settings is refused', async () => {
  const server = await startOAuthServer({ issOf: () => 'https://attacker.example' })
  try {
    const login = loginAt(server.origin)
    assert.match(await reasonOf(login.complete((await returned(login)).given)), /OAUTH_INVALID_RESPONSE/)
  } finally {
    await server.stop()
  }
})

Plain('a code of another browser is refused, and a state that an OpenID provider began', async () => {
  const server = await startOAuthServer()
  const provider = await startOpenIdProvider()
  try {
    const login = loginAt(server.origin)
    const mine = await returned(login)
    const other = await returned(login)
    const parameters = { ...other.given.parameters, state: mine.handle }
    assert.match(await reasonOf(login.complete({ ...mine.given, parameters })), /bad_verification_code/)
    const memo = JSON.stringify({ nonce: 'n', needs_auth_time: false })
    const ended = { handle: 'h', interaction: 'i', redirectUri, parameters: { code: 'c', state: 'h' }, memo }
    assert.match(await reasonOf(login.upstream.complete(ended)), /not that of a login at this upstream provider/)
  } finally {
    await provider.stop()
    await server.stop()
  }
})

Plain('wrong credentials are for the operator to correct, and a check tells them before', async () => {
  const server = await startOAuthServer()
  try {
    await succeed(loginAt(server.origin).upstream.checkCredentials(redirectUri))
    const wrong = loginAt(server.origin, { clientSecret: 'wrong' })
    for (const task of [wrong.upstream.checkCredentials(redirectUri), wrong.complete((await returned(wrong)).given)]) {
      const refused = await task()
      assert.ok(E.isLeft(refused) && refused.left.error === 'login_refused')
      assert.is(refused.left.because, 'misconfigured')
      assert.match(refused.left.reason, /incorrect_client_credentials: correct its client_id, client_secret_file/)
    }
  } finally {
    await server.stop()
  }
})

Plain('a user endpoint that answers without a user, or not at all, refuses the login', async () => {
  for (const [answers, reason] of [
    [{ user: undefined }, /localhost\/user answered with the status 404: see scope/],
    [{ emails: undefined }, /localhost\/user\/emails answered with the status 404/],
    [{ user: [] }, /no JSON object/],
    [{ user: { id: '' } }, /gave no id that is a text/],
  ] as const) {
    const server = await startOAuthServer(answers)
    try {
      const login = loginAt(server.origin)
      assert.match(await reasonOf(login.complete((await returned(login)).given)), reason)
    } finally {
      await server.stop()
    }
  }
})

Plain('a server that is away can be used later; a new authentication is never promised', async () => {
  const server = await startOAuthServer()
  const login = loginAt(server.origin)
  assert.match(await reasonOf(login.begin({ ...begin, redirectUri, maxAge: 0 })), /demands a new authentication/)
  const { location } = await succeed(login.begin({ ...begin, redirectUri, otherAccount: true }))
  assert.is(parametersOf(location)['prompt'], 'select_account')
  const chosen = await succeed(login.begin({ ...begin, redirectUri, selectAccount: true }))
  assert.is(parametersOf(chosen.location)['prompt'], 'select_account')
  const both = login.begin({ ...begin, redirectUri, selectAccount: true, maxAge: 0 })
  assert.match(await reasonOf(both), /demands a new authentication/)
  const { given } = await returned(login)
  await server.stop()
  assert.match(await reasonOf(login.complete(given)), /^unavailable: the upstream provider forge: ECONNREFUSED/)
})

Plain.run()
