import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createPageRenderer } from '@clientele/adapters-http'
import { createPublicHandler, settingsWithDefaults, type FetchHandler } from '@clientele/adapters-http/fetch'
import { createTokenSigner } from '@clientele/adapters-jose'
import { type InMemoryPorts, inMemoryPorts } from '../src/host.js'
import { redirect_uris } from '../../adapters-http/test/support/http-request.js'
import { right } from '../../adapters-http/test/support/keys.js'

const host = suite('a host that keeps everything in memory')

const baseUrl = 'https://op.example/op'
const master = 'master-token-of-the-test-0123456789'

type Host = { readonly ports: InMemoryPorts; readonly handle: FetchHandler }

const hosting = (signingAlgorithms = ['ES256'], issuer = baseUrl): Host => {
  const ports = inMemoryPorts({
    keySettings: { signingAlgorithms, policy: { lifetime: 1000, publishAhead: 100, retention: 100, maxAge: 10 } },
    renderPage: right(createPageRenderer()),
  })
  const settings = settingsWithDefaults(issuer, ports.service.hashToken(master))
  return { ports, handle: createPublicHandler(settings, ports, { withOperators: true }) }
}

type Requested = { readonly method?: string; readonly json?: unknown; readonly token?: string }
type Reported = { readonly status: number; readonly members: Readonly<Record<string, unknown>> }

const requested = async ({ handle }: Host, path: string, { method = 'GET', json, token = master }: Requested = {}) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = json === undefined ? null : JSON.stringify(json)
  const answer = await handle(new Request(path.startsWith('https:') ? path : baseUrl + path, { method, headers, body }))
  const text = await answer.text()
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  const reported: Reported = { status: answer.status, members: Object.fromEntries(Object.entries(parsed ?? {})) }
  return reported
}

const register = (given: Host, token?: string) =>
  requested(given, '/clients', { method: 'POST', json: { redirect_uris }, ...(token === undefined ? {} : { token }) })

host('registers, shows, changes and deletes clients, with an initial access token that is good for one', async () => {
  const given = hosting()
  const issued = await requested(given, '/direct-authz', { method: 'POST', json: { scope: 'client-reg' } })
  const token = String(issued.members['access_token'])
  const { status, members } = await register(given, token)
  assert.is(status, 200)
  assert.is((await register(given, token)).status, 401)
  const uri = String(members['registration_client_uri'])
  const opens = { token: String(members['registration_access_token']) }
  assert.is((await requested(given, uri, opens)).members['client_id'], members['client_id'])
  const json = { client_id: members['client_id'], redirect_uris, client_name: 'New' }
  const updated = await requested(given, uri, { ...opens, method: 'PUT', json })
  assert.is(updated.members['client_name'], 'New')
  const renewed = { token: String(updated.members['registration_access_token']) }
  assert.is((await requested(given, uri, renewed)).status, 200)
  assert.is((await requested(given, uri, opens)).status, 401)
  assert.is((await requested(given, uri, { ...renewed, method: 'DELETE' })).status, 204)
  assert.is(given.ports.store.clients.size, 0)
})

host(
  'registers a client at the address that it tells, with a slash at the end of the base URL or without',
  async () => {
    for (const issuer of [baseUrl, `${baseUrl}/`, 'https://op.example/', 'https://op.example']) {
      const given = hosting(['ES256'], issuer)
      const { origin, pathname } = new URL(issuer)
      const plain = `${origin}${pathname.replace(/\/$/, '')}`
      const { members } = await requested(given, `${plain}/clients`, { method: 'POST', json: { redirect_uris } })
      const address = String(members['registration_client_uri'])
      assert.ok(address.startsWith(`${plain}/clients/`), address)
      assert.is((await requested(given, address)).status, 200, address)
      assert.is((await requested(given, `${plain}/.well-known/openid-configuration`)).members['issuer'], plain)
    }
  },
)

host('draws what nobody can guess, alphanumeric, and never twice', async () => {
  const given = hosting()
  const drawn: unknown[] = []
  for (let count = 0; count < 50; count += 1) {
    const { members } = await register(given)
    drawn.push(members['client_id'], members['client_secret'], members['registration_access_token'])
  }
  assert.is(new Set(drawn).size, 150)
  for (const value of drawn) assert.match(String(value), /^[a-z0-9]{32,64}$/)
})

host('has no keys before reconcileKeys, and then one for each algorithm and one to encrypt to', async () => {
  const given = hosting(['ES256', 'EdDSA'])
  assert.equal((await requested(given, '/jwks.json')).members['keys'], [])
  await given.ports.reconcileKeys()
  const { keys } = (await requested(given, '/jwks.json')).members
  assert.ok(Array.isArray(keys))
  assert.equal(keys.map(({ kty }: { kty: string }) => kty).sort(), ['EC', 'OKP', 'RSA'])
  const { signToken } = createTokenSigner(
    { issuer: baseUrl, policy: settingsWithDefaults(baseUrl, given.ports.service.hashToken('x')).keyPolicy },
    given.ports,
  )
  const expiresAt = given.ports.now()
  const token = await signToken({ alg: 'ES256', typ: 'JWT', claims: { sub: 'alice' }, expiresAt })()
  assert.ok(E.isRight(token))
})

host('what is done with keys takes turns, and is published at once', async () => {
  const given = hosting()
  await given.ports.reconcileKeys()
  const rollOver = () => requested(given, '/keys/roll-over', { method: 'POST', json: { alg: 'ES256' } })
  const answers = await Promise.all([rollOver(), rollOver(), given.ports.reconcileKeys()])
  assert.equal(answers.flatMap((answer) => answer?.status ?? []).sort(), [200, 409])
  const { keys } = (await requested(given, '/jwks.json')).members
  assert.is(Array.isArray(keys) && keys.length, 3)
})

host('tells whoever waits for keys that none can be made', async () => {
  const given = hosting(['nonsense'])
  const outcome: unknown = await given.ports.reconcileKeys().catch((error: unknown) => error)
  assert.match(String(outcome), 'the keys cannot be kept: unavailable')
  assert.equal(given.ports.keyRings(), [])
})

const cookiesOf = (answer: Response): string => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

host('signs a user out: the browser keeps the dialog sealed, and a session ends by it', async () => {
  const given = hosting()
  const { members } = await requested(given, '/sessions', { method: 'POST', json: { sub: 'alice' } })
  const session = String(members['set_cookie']).split(';')[0] ?? ''
  const confirmation = await given.handle(new Request(`${baseUrl}/logout`, { headers: { cookie: session } }))
  const [, value = ''] = /name="value" value="([^"]*)"/.exec(await confirmation.text()) ?? []
  assert.match(value, /^\d+\.[\w-]{100,}$/)
  const answered = () =>
    given.handle(
      new Request(`${baseUrl}/logout/confirm`, {
        method: 'POST',
        headers: {
          cookie: `${session}; ${cookiesOf(confirmation)}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ value, answer: 'logout' }).toString(),
      }),
    )
  const first = await answered()
  const other = await given.handle(new Request(`${baseUrl}/logout/confirm`, { method: 'POST' }))
  assert.equal([first.status, other.status], [200, 400])
  assert.match(first.headers.get('set-cookie') ?? '', /Max-Age=0/)
  assert.equal((await requested(given, '/sessions?sub=alice')).members, { sessions: [] })
})

host.run()
