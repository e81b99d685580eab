import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { RequestListener } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLoginElsewhere, createUpstreamLogin } from '../src/index.js'
import { begin, loginPorts, reasonOf, succeed } from './support/login.js'
import { clientSecret, redirectUri, startOpenIdProvider } from './support/openid-provider.js'
import { createBrowser, guardedFetch, parametersOf, startTlsServer } from './support/tls-server.js'

const Away = suite('an OpenID provider that is away or lies')

const loginAt = (issuer: string, timeLimit?: number) => {
  const { clock, now, ports } = loginPorts()
  const upstream = createUpstreamLogin(
    {
      issuer,
      clientId: 'clientele',
      clientSecret,
      clientAuthentication: 'client_secret_basic',
      scope: ['openid'],
      subjectClaim: undefined,
      claims: [],
      required: [],
      id: undefined,
      plain: undefined,
    },
    { fetch: guardedFetch(timeLimit), now },
  )
  return { clock, check: upstream.check, ...createLoginElsewhere(upstream, ports) }
}

Away('away at the start and back later: logins are unavailable, then possible, without a restart', async () => {
  const first = await startOpenIdProvider()
  const port = Number(new URL(first.origin).port)
  await first.stop()
  const login = loginAt(first.origin)
  assert.match(await reasonOf(login.begin(begin)), /^unavailable: the upstream provider: ECONNREFUSED/)
  const provider = await startOpenIdProvider(port)
  try {
    assert.match(await reasonOf(login.begin(begin)), /^unavailable/, 'a failure is not asked for again at once')
    login.clock.ahead = 6
    const { location, state } = await succeed(login.begin(begin))
    const parameters = parametersOf(await createBrowser().visit(location))
    await succeed(login.complete({ state, parameters, redirectUri }))
  } finally {
    await provider.stop()
  }
})

Away('the metadata of an hour ago count while the provider is away, and not after a day', async () => {
  const provider = await startOpenIdProvider()
  const login = loginAt(provider.origin)
  await succeed(login.begin(begin))
  await provider.stop()
  login.clock.ahead = 4_000
  await succeed(login.begin(begin))
  login.clock.ahead = 90_000
  assert.match(await reasonOf(login.begin(begin)), /^unavailable/)
})

Away('a failure of a clock that was ahead is none of the present', async () => {
  const first = await startOpenIdProvider()
  await first.stop()
  const login = loginAt(first.origin)
  login.clock.ahead = 4_000
  assert.match(await reasonOf(login.begin(begin)), /^unavailable/)
  login.clock.ahead = 0
  const provider = await startOpenIdProvider(Number(new URL(first.origin).port))
  try {
    await succeed(login.begin(begin))
  } finally {
    await provider.stop()
  }
})

Away('many logins at once ask once', async () => {
  const count = { discovery: 0 }
  const provider = await startOpenIdProvider(0, (listener) => (request, response) => {
    if (request.url?.includes('.well-known') === true) count.discovery += 1
    listener(request, response)
  })
  try {
    const login = loginAt(provider.origin)
    await Promise.all(Array.from({ length: 20 }, () => succeed(login.begin(begin))))
    assert.is(count.discovery, 1)
  } finally {
    await provider.stop()
  }
})

Away('a provider that stalls or fails is away', async () => {
  const answers: ReadonlyArray<readonly [RequestListener, RegExp]> = [
    [() => undefined, /^unavailable: .*within 300 ms/],
    [(_, response) => void response.writeHead(500).end(), /^unavailable: .*status is 500/],
    [(_, response) => void response.writeHead(302, { Location: 'https://localhost/' }).end(), /^unavailable/],
    [(_, response) => void response.end('<html>'), /not valid/],
    [(_, response) => void response.setHeader('Content-Type', 'application/json').end('{}'), /not valid/],
  ]
  for (const [listener, reason] of answers) {
    const server = await startTlsServer(() => listener)
    try {
      assert.match(await reasonOf(loginAt(server.origin, 300).begin(begin)), reason)
    } finally {
      await server.stop()
    }
  }
})

const [ours, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
const jwks = { keys: [{ ...(await exportJWK(ours.publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }] }

type Lie = {
  readonly issuer?: string
  readonly claims?: object
  readonly key?: typeof foreign.privateKey
  readonly sub?: string
}

// It answers each request as a provider does, but for one lie.
const startLiar = (lie: Lie, nonce: () => string) =>
  startTlsServer((origin) => {
    const metadata = {
      issuer: lie.issuer ?? origin,
      authorization_endpoint: `${origin}/auth`,
      token_endpoint: `${origin}/token`,
      jwks_uri: `${origin}/jwks`,
      userinfo_endpoint: `${origin}/me`,
    }
    const claims = () => ({
      iss: origin,
      aud: 'clientele',
      sub: 'alice',
      nonce: nonce(),
      exp: Date.now() / 1_000 + 60,
      ...lie.claims,
    })
    const idToken = () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuedAt()
        .sign(lie.key ?? ours.privateKey)
    const answer = async (path: string): Promise<string> => {
      const answers: Readonly<Record<string, object>> = {
        '/jwks': jwks,
        '/token': { access_token: 'a', token_type: 'Bearer', id_token: await idToken() },
        '/me': { sub: lie.sub ?? 'alice' },
      }
      return JSON.stringify(answers[path] ?? metadata)
    }
    return ({ url = '' }, response) => {
      response.setHeader('Content-Type', 'application/json')
      void answer(url).then((text) => response.end(text))
    }
  })

const outcomeOf = async (lie: Lie): Promise<string> => {
  const sent = { nonce: '' }
  const server = await startLiar(lie, () => sent.nonce)
  try {
    const login = loginAt(server.origin)
    const refusal = await reasonOf(login.begin(begin))
    if (refusal !== 'not refused') return refusal
    const { location, handle, state } = await succeed(login.begin(begin))
    sent.nonce = parametersOf(location)['nonce'] ?? ''
    return await reasonOf(login.complete({ state, parameters: { code: 'c', state: handle }, redirectUri }))
  } finally {
    await server.stop()
  }
}

Away('a lie of the provider, or of who stands between, is refused', async () => {
  assert.is(await outcomeOf({}), 'not refused')
  const lies: ReadonlyArray<Lie> = [
    { issuer: 'https://other.example' },
    { key: foreign.privateKey },
    { claims: { iss: 'https://other.example' } },
    { claims: { aud: 'another client' } },
    { claims: { aud: ['clientele', 'another client'], azp: 'another client' } },
    { claims: { nonce: 'of another login' } },
    { claims: { exp: 1 } },
    { claims: { sub: '' } },
    { claims: { auth_time: 'yesterday' } },
    { sub: 'bob' },
  ]
  for (const lie of lies) assert.match(await outcomeOf(lie), /not valid|auth_time/, JSON.stringify(lie))
})

Away.run()
