// Attacks on credentials, over HTTP: docs/operate/security.md#abuse.
import * as E from 'fp-ts/lib/Either.js'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { started } from '../cli/run.js'
import { Browser, endUser } from '../engine/support/browser.js'
import { confidential, configured } from '../engine/support/relying-party.js'
import { attempts, hostOf, statusesOf, withService } from './support.js'
import { masterToken, startTwo, stopTwo } from '../support/two-services.js'

const attacks = suite('failed credentials')

const wrong = 'a-wrong-token-of-someone-who-guesses-and-guesses'

const ask = ({ url }: Service, token: string, headers: Readonly<Record<string, string>> = {}, path = '/clients') =>
  fetch(`${url}${path}`, { headers: { Authorization: `Bearer ${token}`, ...headers } })

const strict = { 'maximum-failed-credentials': '20/40' }
const behind = { ...strict, 'trusted-proxies': '127.0.0.1' }

attacks('of 60 wrong master tokens of one source, 20 are answered 401 and the others 429', () =>
  withService(strict, async (service) => {
    const answers = await attempts(60, () => ask(service, wrong))
    assert.equal(statusesOf(answers), { 401: 20, 429: 40 })
    const refused = answers.at(-1)
    const wait = Number(refused?.headers.get('retry-after'))
    assert.ok(Number.isInteger(wait) && wait >= 1 && wait <= 3, String(wait))
    assert.is(refused?.headers.get('cache-control'), 'no-store')
    assert.is(refused?.headers.get('www-authenticate'), null)
    assert.equal(await refused?.json(), {
      error: 'too_many_requests',
      error_description:
        'Too many credentials were not valid: send a valid one, or try again after the seconds of Retry-After',
    })
  }),
)

attacks('the operator at the same address still gets in, and so do clients and whoever asks without a token', () =>
  withService(strict, async (service) => {
    const body = JSON.stringify({ redirect_uris: ['https://rp.example/callback'] })
    const headers = { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' }
    const registered = await fetch(`${service.url}/clients`, { method: 'POST', headers, body })
    const client = (await registered.json()) as Readonly<Record<string, string>>
    await attempts(60, () => ask(service, wrong))
    assert.is((await ask(service, masterToken)).status, 200)
    assert.is(
      (await ask(service, client['registration_access_token'] ?? '', {}, `/clients/${client['client_id']}`)).status,
      200,
    )
    assert.is((await fetch(`${service.url}/clients`)).status, 401)
    assert.is((await fetch(`${service.url}/jwks.json`)).status, 200)
    assert.is((await ask(service, wrong)).status, 429)
  }),
)

attacks('every route with a credential shares the budget, whether or not its client exists', () =>
  withService(strict, async (service) => {
    const paths = ['/clients', '/clients/no-such-client', '/initial-access-tokens', '/keys', '/sessions?sub=a']
    const answers = await attempts(60, (index) => ask(service, wrong, {}, paths[index % paths.length]))
    assert.equal(statusesOf(answers), { 401: 20, 429: 40 })
  }),
)

attacks('whoever tries tokens at the console is told so on a page, and a valid one still signs in', () =>
  withService({ ...strict, console: 'true' }, async (service) => {
    const signIn = (token: string) =>
      fetch(`${service.url}/console/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ token }),
      })
    const refused = (await attempts(60, () => signIn(wrong))).at(-1)
    assert.equal([refused?.status, refused?.headers.get('content-type')], [429, 'text/html; charset=utf-8'])
    assert.ok(Number(refused?.headers.get('retry-after')) >= 1)
    assert.match((await refused?.text()) ?? '', '<h1>Too many requests</h1>')
    assert.is((await signIn(masterToken)).status, 303)
  }),
)

attacks('X-Forwarded-For of a peer that is no trusted proxy changes nothing', () =>
  withService(strict, async (service) => {
    const answers = await attempts(60, (index) => ask(service, wrong, { 'X-Forwarded-For': hostOf(index) }))
    assert.equal(statusesOf(answers), { 401: 20, 429: 40 })
  }),
)

attacks('behind a trusted proxy each /64 has a budget of its own, and all together that of all', () =>
  withService(behind, async (service) => {
    const one = (host: string) => () => ask(service, wrong, { 'X-Forwarded-For': host })
    // 25 hosts of one /64.
    const ofOne = await attempts(25, (index) => one(`2001:db8:0:1::${index}`)())
    assert.equal(statusesOf(ofOne), { 401: 20, 429: 5 })
    assert.is((await one('2001:db8:1:1::1')()).status, 401)
    const ofMany = await attempts(60, (index) => one(hostOf(index + 16))())
    const { 401: unauthorized = 0, 429: refused = 0 } = statusesOf(ofMany)
    // 40 in all, and one each 1.5 seconds.
    assert.ok(unauthorized >= 19 && unauthorized <= 25, String(unauthorized))
    assert.is(unauthorized + refused, 60)
    assert.is((await ask(service, masterToken, { 'X-Forwarded-For': hostOf(16) })).status, 200)
  }),
)

attacks('the /64 of one /48, and the addresses of one /24, have half of what all have, and others go on', () =>
  withService({ ...behind, 'maximum-failed-credentials': '4/40' }, async (service) => {
    const from = (host: string) => ask(service, wrong, { 'X-Forwarded-For': host })
    const of56 = await attempts(60, (index) => from(`2001:db8:0:${(index % 256).toString(16)}::1`))
    assert.equal(statusesOf(of56), { 401: 16, 429: 44 })
    const of24 = await attempts(20, (index) => from(`198.51.100.${index}`))
    assert.equal(statusesOf(of24), { 401: 16, 429: 4 })
    assert.is((await from('203.0.113.1')).status, 401)
  }),
)

attacks('two instances together give no more than one', async () => {
  const world = await startTwo(strict)
  try {
    const answers = await attempts(60, (index) => ask(index % 2 === 0 ? world.one : world.other, wrong))
    const { 401: unauthorized = 0, 429: refused = 0 } = statusesOf(answers)
    // What an instance draws ahead may be spent by it alone.
    assert.ok(unauthorized >= 17 && unauthorized <= 20, String(unauthorized))
    assert.is(unauthorized + refused, 60)
    for (const each of [world.one, world.other]) assert.is((await ask(each, masterToken)).status, 200)
  } finally {
    await stopTwo(world)
  }
})

attacks('a restart gives no new budget', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'clientele-'))
  const flags = { 'data-dir': directory, 'master-token': masterToken, ...strict }
  const first = await started(flags)
  await attempts(30, () => ask(first, wrong))
  await first.stop()
  const second = await started(flags)
  const { 401: unauthorized = 0 } = statusesOf(await attempts(30, () => ask(second, wrong)))
  await second.stop()
  rmSync(directory, { recursive: true })
  assert.ok(unauthorized <= 3, String(unauthorized))
})

attacks('an end-user whose application is suspended meanwhile reads a page, and has no failed credential', () =>
  withService(
    { 'maximum-failed-credentials': '1/1', engine: 'oidc-provider', 'registration-status': '201' },
    async (service) => {
      const { registered, request } = await configured(service, confidential)
      const { interactions } = service.provider
      assert.ok(interactions)
      const browser = new Browser()
      const begun = await browser.open((await request()).url)
      const page = new URL(String(begun.headers.get('location')), service.url).href
      const cookies = { cookie: browser.cookieFor(page) }
      const answered = await interactions.answerInteraction(String(page.split('/').at(-1)), cookies, endUser('zoe'))()
      assert.ok(E.isRight(answered))
      browser.take(answered.right.setCookies)
      const headers = { Authorization: `Bearer ${masterToken}` }
      await fetch(`${service.url}/clients/${registered.client_id}/suspension`, { method: 'POST', headers })
      assert.is((await ask(service, wrong)).status, 401)
      const resumed = await browser.open(new URL(answered.right.location, service.url).href)
      assert.is(resumed.status, 400, await resumed.clone().text())
      assert.match(String(resumed.headers.get('content-type')), /^text\/html/)
    },
  ),
)

attacks('with off there is no budget', () =>
  withService({ 'maximum-failed-credentials': 'off' }, async (service) => {
    assert.equal(statusesOf(await attempts(150, () => ask(service, wrong))), { 401: 150 })
  }),
)

attacks.run()
