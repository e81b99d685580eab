import * as fc from 'fast-check'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { law } from '@clientele/testing'
import { type HostLogin, createHostLogin, createLoginElsewhere } from '../src/index.js'
import { begin, endUserOf, loginPorts, reasonOf, succeed } from './support/login.js'

const Elsewhere = suite('login by functions of the host')
const it = law(Elsewhere)

const aliceHost: HostLogin = {
  begin: async ({ handle, redirectUri }) => ({
    location: `https://host.example/login?return=${encodeURIComponent(`${redirectUri}?state=${handle}`)}`,
    memo: 'of the host',
  }),
  complete: async ({ parameters, memo }) =>
    parameters['ticket'] === 'good' ? { sub: 'alice', email: 'a@host.example', memo } : undefined,
}

const loginBy = (host: HostLogin, timeLimit = 10_000) => {
  const { clock, now, ports } = loginPorts()
  return { clock, ports, ...createLoginElsewhere(createHostLogin(host, now), ports, timeLimit) }
}

const { redirectUri } = begin

Elsewhere('the host names the page, and then the end-user; what it memo comes back', async () => {
  const login = loginBy(aliceHost)
  const { location, handle, state } = await succeed(login.begin(begin))
  assert.is(new URL(location).searchParams.get('return'), `${redirectUri}?state=${handle}`)
  const parameters = { state: handle, ticket: 'good' }
  const { sub, claims } = await endUserOf(login.complete({ state, parameters, redirectUri }))
  assert.equal([sub, claims], ['alice', { email: 'a@host.example', memo: 'of the host' }])
})

Elsewhere('the interaction is that of the browser that began, whatever the request says', async () => {
  const login = loginBy(aliceHost)
  const one = await succeed(login.begin({ ...begin, interaction: 'one' }))
  const two = await succeed(login.begin({ ...begin, interaction: 'two' }))
  const parameters = { state: two.handle, ticket: 'good', interaction: 'two' }
  assert.match(await reasonOf(login.complete({ state: one.state, parameters, redirectUri })), /another login/)
  assert.is((await succeed(login.complete({ state: two.state, parameters, redirectUri }))).interaction, 'two')
})

Elsewhere('a late return, and an authentication that is too old, are refused', async () => {
  const login = loginBy({ ...aliceHost, complete: async () => ({ sub: 'alice', auth_time: 1 }) })
  const { handle, state } = await succeed(login.begin({ ...begin, maxAge: 0 }))
  const parameters = { state: handle }
  assert.match(await reasonOf(login.complete({ state, parameters, redirectUri })), /too long ago/)
  login.clock.ahead = 901
  assert.match(await reasonOf(login.complete({ state, parameters, redirectUri })), /after 900 seconds/)
  login.clock.ahead = 3 * 86_400
  assert.match(await reasonOf(login.complete({ state, parameters, redirectUri })), /began no login here/)
})

// OpenID Core §3.1.2.1
Elsewhere('a choice of an account is a new authentication, also of who is authenticated long ago', async () => {
  const asked: Array<readonly [number | undefined, boolean]> = []
  const login = loginBy({
    begin: (request) => {
      asked.push([request.maxAge, request.otherAccount])
      return aliceHost.begin(request)
    },
    complete: async () => ({ sub: 'alice', auth_time: 1 }),
  })
  const { handle, state } = await succeed(login.begin({ ...begin, maxAge: 100, selectAccount: true }))
  assert.equal(asked, [[0, false]])
  assert.match(await reasonOf(login.complete({ state, parameters: { state: handle }, redirectUri })), /too long ago/)
})

const secret = 'hunter2 of the host'
const fail = (): never => {
  throw new TypeError(secret)
}

Elsewhere('a function that throws, rejects, stalls or returns nonsense refuses the login', async () => {
  const begins: ReadonlyArray<unknown> = [
    fail,
    async () => fail(),
    () => new Promise(() => undefined),
    async () => undefined,
    async () => ({ location: 'javascript:alert(1)' }),
    async () => ({ location: '/login' }),
    () => 7,
  ]
  for (const broken of begins) {
    const reason = await reasonOf(loginBy({ ...aliceHost, begin: broken as HostLogin['begin'] }, 100).begin(begin))
    assert.match(reason, /^the login (function|method)/)
    assert.not.match(reason, secret)
  }
  const completes: ReadonlyArray<unknown> = [
    ...begins,
    async () => ({ sub: '' }),
    async () => 'alice',
    async () => ({ sub: 'alice', amr: 'pwd' }),
  ]
  for (const broken of completes) {
    const login = loginBy({ ...aliceHost, complete: broken as HostLogin['complete'] }, 100)
    const { handle, state } = await succeed(login.begin(begin))
    const reason = await reasonOf(login.complete({ state, parameters: { state: handle }, redirectUri }))
    assert.is.not(reason, 'not refused')
    assert.not.match(reason, secret)
  }
})

Elsewhere('a method that throws in its task refuses the login', async () => {
  const { ports } = loginPorts()
  const broken = {
    name: 'broken',
    offersAccounts: false,
    begin: () => fail,
    complete: () => TE.left({ error: 'unavailable', detail: 1 }),
  }
  const login = createLoginElsewhere(broken as never, ports)
  assert.match(await reasonOf(login.begin(begin)), /TypeError$/)
})

const tampering = loginBy(aliceHost)
const begun = await succeed(tampering.begin(begin))

it('no changed state completes a login', [fc.nat(), fc.string({ minLength: 1, maxLength: 1 })], async (place, text) => {
  const { state, handle } = begun
  const at = place % state.length
  const changed = state.slice(0, at) + text + state.slice(at + 1)
  if (changed === state) return
  const parameters = { state: handle, ticket: 'good' }
  assert.match(await reasonOf(tampering.complete({ state: changed, parameters, redirectUri })), /began no login here/)
})

it(
  'no text is a state, and no parameters are an exception',
  [fc.string(), fc.dictionary(fc.string(), fc.string())],
  async (state, parameters) => {
    assert.is.not(await reasonOf(tampering.complete({ state, parameters, redirectUri })), 'not refused')
    assert.is.not(await reasonOf(tampering.complete({ state: begun.state, parameters, redirectUri })), 'not refused')
  },
)

Elsewhere.run()
