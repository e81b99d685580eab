import type { Unavailable } from '@clientele/domain/kernel'
import type { LoginElsewhere } from '@clientele/domain/ports'
import type { LoginRefused } from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getInteraction, getInteractionCallback, getLoginCallback, postLogin } from '../support/handlers.js'
import { html, open, submit } from '../support/browser-request.js'
import { httpSettings } from '../support/in-memory-ports.js'
import { browser, createSignIn, endUser, onward } from '../support/sign-in.js'

const elsewhere = suite('login at another party')

const state = 'sealed-state_of.this~browser'
const handle = 'xyz'
const name = `__Host-clientele-login-${handle}`
const cookie = `${browser}; ${name}=interaction-1~${state}`
const query = { code: ['abc'], state: [handle] }

const party = (given: Partial<LoginElsewhere> = {}): LoginElsewhere => ({
  begin: ({ redirectUri }) => TE.right({ location: `https://login.example/?to=${redirectUri}`, handle, state }),
  complete: (returned) =>
    returned.state === state && returned.parameters['code'] === 'abc'
      ? TE.right({ interaction: 'interaction-1', endUser })
      : TE.left({ error: 'login_refused', reason: 'wrong_code' }),
  ...given,
})

type Party = { readonly id: string | undefined; readonly name: string }

const served = async (
  login = party(),
  first: Party = { id: undefined, name: 'One' },
  ...others: ReadonlyArray<Party>
) => {
  const world = await createSignIn({
    login: { kind: 'elsewhere', parties: [{ ...login, ...first }, ...others.map((each) => ({ ...login, ...each }))] },
  })
  return {
    ...world,
    show: getInteraction(httpSettings(), world.httpPorts),
    post: postLogin(httpSettings(), world.httpPorts),
    arrive: getLoginCallback(httpSettings(), world.httpPorts),
    callback: getInteractionCallback(httpSettings(), world.httpPorts),
  }
}

elsewhere('the browser is sent there, and keeps the state in a cookie that only this host reads', async () => {
  const { show } = await served()
  const answer = await open(show)
  assert.equal(
    [answer.status, answer.headers['Location']],
    [303, 'https://login.example/?to=https://op.example/login/callback'],
  )
  assert.equal(answer.setCookies, [
    `${name}=interaction-1~${state}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=900`,
  ])
})

elsewhere('the browser returns, and goes on where it sends the cookies of its interaction', async () => {
  const { arrive } = await served()
  const sent = { ...query, iss: ['a', 'b&c'] }
  const answer = await open(arrive, { id: '', cookie, query: sent, site: 'cross-site' })
  assert.equal(
    [answer.status, answer.headers['Location']],
    [303, '/interaction/interaction-1/callback?code=abc&state=xyz&iss=a&iss=b%26c'],
  )
  const elsewhereTo = cookie.replace('interaction-1~', '//attacker.example~')
  assert.is((await open(arrive, { id: '', cookie: elsewhereTo, query })).status, 403)
})

elsewhere('there it is signed in and loses the state', async () => {
  const { callback, answers } = await served()
  const answer = await open(callback, { cookie, query, site: 'cross-site' })
  assert.equal([answer.status, answer.headers['Location']], [303, onward])
  assert.equal(answers, [{ answer: 'signed_in', endUser }])
  assert.ok(answer.setCookies?.includes(`${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure`))
  assert.is((await open(callback, { cookie, query })).status, 400)
})

elsewhere('who may not sign in is told so, and may choose another account', async () => {
  const refusal: LoginRefused = { error: 'login_refused', reason: 'no value of groups', because: 'not_permitted' }
  const asked: Array<boolean | undefined> = []
  const { show, callback } = await served(
    party({
      complete: () => TE.left(refusal),
      begin: ({ otherAccount }) => {
        asked.push(otherAccount)
        return TE.right({ location: 'https://login.example/', handle, state })
      },
    }),
  )
  const answer = await open(callback, { cookie, query })
  assert.equal([answer.status, answer.reason, answer.detail], [403, 'no value of groups', undefined])
  assert.match(html(answer), 'You may not sign in here')
  assert.match(html(answer), 'href="/interaction/interaction-1?account=other"')
  for (const account of [['other'], ['other', 'other'], ['any'], []]) await open(show, { query: { account } })
  await open(show)
  assert.equal(asked, [true, false, false, false, false])
})

elsewhere('what only the operator can correct is an error in the log, and no page to try again', async () => {
  const refusal: LoginRefused = {
    error: 'login_refused',
    reason: 'correct upstream-client-secret',
    because: 'misconfigured',
  }
  const { callback } = await served(party({ complete: () => TE.left(refusal) }))
  const answer = await open(callback, { cookie, query })
  assert.equal([answer.status, answer.reason, answer.detail], [503, undefined, 'correct upstream-client-secret'])
  assert.match(html(answer), 'Signing in is not set up correctly')
  assert.not.match(html(answer), /href="\/interaction|upstream-client-secret/)
})

elsewhere('a login that fails is a page that leads back, and the log has the reason', async () => {
  const { arrive, callback, answers } = await served()
  for (const [given, reason] of [
    [{ cookie, query: { ...query, code: ['other'] } }, 'wrong_code'],
    [{ cookie, query: { ...query, code: ['abc', 'abc'] } }, 'repeated_parameter'],
    [{ cookie: browser, query }, 'no_state'],
    [{ cookie, query: { ...query, state: ['zyx'] } }, 'no_state'],
    [{ cookie, query: { code: ['abc'] } }, 'no_state'],
    [{ cookie: `${cookie}; ${name}=other`, query }, 'no_state'],
    [{ cookie: `${browser}; ${name}=<script>`, query }, 'no_state'],
  ] as const) {
    const answer = await open(callback, given)
    assert.equal([answer.status, answer.reason], [403, reason])
    assert.match(html(answer), 'href="/interaction/interaction-1"')
    const arrived = await open(arrive, { id: '', ...given })
    assert.is(arrived.reason, reason === 'no_state' ? reason : undefined)
  }
  assert.equal(answers, [])
})

elsewhere('a login of another browser does not sign this one in', async () => {
  const { callback, answers } = await served()
  const answer = await open(callback, { cookie: cookie.replace('browser-1', 'browser-2'), query })
  assert.equal([answer.status, answer.reason, answers], [400, 'interaction_gone', []])
})

elsewhere('a login of another interaction of this browser does not sign in to this one', async () => {
  const { callback, answers } = await served(
    party({ complete: () => TE.right({ interaction: 'interaction-2', endUser }) }),
  )
  const answer = await open(callback, { cookie, query })
  assert.equal([answer.status, answer.reason, answers], [403, 'the login is that of another interaction', []])
})

elsewhere('a party that refuses or cannot answer, at either step, is a page that can be tried again', async () => {
  const failures: ReadonlyArray<readonly [LoginRefused | Unavailable, number]> = [
    [{ error: 'login_refused', reason: 'access_denied' }, 403],
    [{ error: 'unavailable', detail: 'ETIMEDOUT' }, 503],
  ]
  for (const [failure, status] of failures) {
    const login = party({ begin: () => TE.left(failure), complete: () => TE.left(failure) })
    const { show, callback } = await served(login)
    for (const answer of [await open(show), await open(callback, { cookie, query })]) {
      assert.is(answer.status, status)
      assert.match(html(answer), 'href="/interaction/interaction-1"')
    }
  }
})

elsewhere('a state that no cookie holds is reported, and the form for development does not exist', async () => {
  const { show } = await served(
    party({ begin: () => TE.right({ location: 'https://login.example/', handle, state: 'x'.repeat(4000) }) }),
  )
  assert.is((await open(show)).status, 503)
  const { post, answers } = await served()
  const answer = await submit(post, { username: 'alice', password: 'right', answer: 'sign-in' })
  assert.equal([answer.status, answers], [303, []])
})

// RFC 6265 §5.4: a browser sends the older of two cookies with one path first.
const jarOf = () => {
  const jar = new Map<string, string>()
  return {
    field: (): string => [browser, ...[...jar].map(([each, value]) => `${each}=${value}`)].join('; '),
    take: (setCookies: ReadonlyArray<string> = []): void => {
      for (const line of setCookies) {
        const [, each = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? []
        if (rest.includes('Max-Age=0')) jar.delete(each)
        else jar.set(each, value)
      }
    },
  }
}

elsewhere(
  'however many logins begin in a browser, its requests stay short, and the latest can be completed',
  async () => {
    for (const length of [700, 3_700]) {
      const begun = { count: 0 }
      const { show, arrive } = await served(
        party({
          begin: () => {
            begun.count += 1
            return TE.right({
              location: 'https://login.example/',
              handle: `h${begun.count}`,
              state: 'x'.repeat(length),
            })
          },
        }),
      )
      const jar = jarOf()
      for (let each = 0; each < 40; each += 1) jar.take((await open(show, { cookie: jar.field() })).setCookies)
      assert.ok(jar.field().length < 8_192, `${length}: ${jar.field().length}`)
      const stored = ['h40', ...(length < 1_000 ? ['h39', 'h38', 'h37'] : [])]
      for (const each of stored) {
        const arrived = await open(arrive, { id: '', cookie: jar.field(), query: { code: ['abc'], state: [each] } })
        assert.is(arrived.status, 303, each)
      }
    }
  },
)

elsewhere('a new login clears cookies of logins only', async () => {
  const { show } = await served()
  const others = [`other=${'x'.repeat(9_000)}`, name, `__Host-clientele-login=${'x'.repeat(9_000)}`]
  const answer = await open(show, { cookie: [browser, ...others].join('; ') })
  assert.is(answer.setCookies?.length, 1)
})

const staff = { id: 'staff', name: 'Staff <b>' }
const github = { id: 'github', name: 'GitHub' }

elsewhere(
  'several parties are a page of links, without a script; each leads to a redirect URI of its own',
  async () => {
    const { show } = await served(party(), staff, github)
    const page = await open(show)
    assert.equal([page.status, page.setCookies], [200, undefined])
    assert.match(html(page), 'href="/interaction/interaction-1?with=staff"')
    assert.match(html(page), 'href="/interaction/interaction-1?with=github"')
    assert.match(html(page), 'Staff &lt;b&gt;')
    assert.not.match(html(page), /<script|account=other/)
    for (const { id } of [staff, github]) {
      const answer = await open(show, { query: { with: [id] } })
      assert.equal(
        [answer.status, answer.headers['Location']],
        [303, `https://login.example/?to=https://op.example/login/callback/${id}`],
      )
    }
    for (const unknown of [['other'], [''], ['staff', 'github']])
      assert.is((await open(show, { query: { with: unknown } })).status, 200)
  },
)

elsewhere('who may not sign in with one account chooses again, and is asked for another one', async () => {
  const asked: Array<boolean | undefined> = []
  const { show } = await served(
    party({
      begin: ({ otherAccount }) => {
        asked.push(otherAccount)
        return TE.right({ location: 'https://login.example/', handle, state })
      },
    }),
    staff,
    github,
  )
  const page = await open(show, { query: { account: ['other'] } })
  assert.match(html(page), 'href="/interaction/interaction-1?with=staff&amp;account=other"')
  await open(show, { query: { with: ['staff'], account: ['other'] } })
  assert.equal(asked, [true])
})

elsewhere('each party is asked for the choice of an account that the application wants', async () => {
  const asked: Array<readonly [boolean | undefined, number | undefined]> = []
  const { show, waitFor } = await served(
    party({
      begin: ({ selectAccount, maxAge }) => {
        asked.push([selectAccount, maxAge])
        return TE.right({ location: 'https://login.example/', handle, state })
      },
    }),
    github,
  )
  await open(show)
  waitFor({ selectAccount: true })
  await open(show)
  assert.equal(asked, [
    [undefined, undefined],
    [true, undefined],
  ])
})

elsewhere('one party of the setting upstreams needs no page', async () => {
  const { show } = await served(party(), github)
  assert.is(
    (await open(show)).headers['Location'],
    'https://login.example/?to=https://op.example/login/callback/github',
  )
})

elsewhere('the end-user may leave the page without a choice, and only by its own form', async () => {
  const { show, post, answers } = await served(party(), staff, github)
  assert.is(
    (await submit(post, { answer: 'cancel', value: 'another' })).headers['Location'],
    '/interaction/interaction-1',
  )
  assert.equal(answers, [])
  const [, value = ''] = /name="value" value="([^"]+)"/.exec(html(await open(show))) ?? []
  assert.is((await submit(post, { answer: 'cancel', value })).headers['Location'], onward)
  assert.equal(answers, [{ answer: 'denied' }])
})

// RFC 9700 §4.4.2
elsewhere('a response counts for the party at whose redirect URI it arrived, whatever it says', async () => {
  const at: Array<string> = []
  const { arrive, callback } = await served(
    party({
      complete: ({ redirectUri }) => {
        at.push(redirectUri)
        return TE.left({ error: 'login_refused', reason: 'asked' })
      },
    }),
    staff,
    github,
  )
  for (const provider of [undefined, ['github'], ['github', 'staff']]) {
    const sent = provider === undefined ? query : { ...query, provider }
    const arrived = await open(arrive, { id: 'staff', cookie, query: sent, site: 'cross-site' })
    const { searchParams } = new URL(arrived.headers['Location'] ?? '', 'https://op.example')
    assert.equal(searchParams.getAll('provider'), ['staff'])
  }
  await open(callback, { cookie, query: { ...query, provider: ['staff'] } })
  assert.equal(at, ['https://op.example/login/callback/staff'])
  for (const provider of [[], ['other'], ['staff', 'github']])
    assert.is((await open(callback, { cookie, query: { ...query, provider } })).reason, 'no_state')
  for (const id of ['', 'other']) assert.is((await open(arrive, { id, cookie, query })).reason, 'no_state')
  assert.is(at.length, 1)
})

elsewhere.run()
