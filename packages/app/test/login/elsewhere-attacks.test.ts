// A login at another party that attacks, fails or is attacked, at the composed service: every end is a page that leads on.
import { createLog } from '../../src/observing/log.js'
import type { Service, ServiceOptions } from '../../src/compose.js'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientSecret, startOpenIdProvider } from '../../../adapters-login/test/support/openid-provider.js'
import { type TlsServer, createBrowser } from '../../../adapters-login/test/support/tls-server.js'
import { Browser } from '../engine/support/browser.js'
import { post, started } from '../cli/run.js'
import { discard, newDataDir } from '../support/service.js'

/** That of the upstream provider's client. */
const base = 'https://id.example'
const callback = 'https://rp.example/cb'
const masterToken = 'the-master-token-of-the-service-of-this-test'

const certificate = readFileSync(
  new URL('../../../adapters-outbound/test/support/certificate.pem', import.meta.url),
  'utf8',
)

type Entry = { readonly route?: string; readonly status?: number; readonly reason?: string; readonly detail?: string }

type World = {
  readonly service: Service
  readonly upstream: TlsServer
  /** What the upstream provider does next in place of its answer. */
  readonly fault: { at?: string; answer?: RequestListener }
  readonly lines: Array<string>
  readonly directory: string
  readonly client_id: string
}

const open = async (
  flags: Readonly<Record<string, string>>,
  options: Partial<ServiceOptions>,
): Promise<Pick<World, 'service' | 'lines' | 'directory' | 'client_id'>> => {
  const directory = newDataDir()
  const lines: Array<string> = []
  const service = await started(
    { 'data-dir': directory, 'base-url': base, 'master-token': masterToken, engine: 'oidc-provider', ...flags },
    { log: createLog('info', { write: (line) => lines.push(line) > 0, writableLength: 0 }), ...options },
  )
  const answer = await post(`${service.url}/clients`, masterToken, { redirect_uris: [callback] })
  const { client_id } = (await answer.json()) as { readonly client_id: string }
  return { service, lines, directory, client_id }
}

const openUpstream = async (more: Readonly<Record<string, string>> = {}): Promise<World> => {
  const fault: World['fault'] = {}
  const upstream = await startOpenIdProvider(0, (listener) => (request, response) => {
    if (fault.at === undefined || request.url?.includes(fault.at) !== true) return listener(request, response)
    fault.answer?.(request, response)
  })
  const flags = {
    login: 'upstream',
    'upstream-issuer': upstream.origin,
    'upstream-client-id': 'clientele',
    'upstream-client-secret': clientSecret,
    'outbound-allowed-networks': '127.0.0.0/8',
    ...more,
  }
  return { ...(await open(flags, { outbound: { ca: certificate, timeLimit: 4_000 } })), upstream, fault }
}

/** Opens the URL at the service, whose base URL is that of a host elsewhere. */
const visit = async (service: Service, browser: Browser, url: string) => {
  const response = await browser.open(new URL(url, base).href.replace(base, service.url))
  return { status: response.status, location: response.headers.get('location') ?? '', html: await response.text() }
}

const requestOf = (client_id: string): string => {
  const query = { client_id, redirect_uri: callback, response_type: 'code', scope: 'openid' }
  return `/authorize?${new URLSearchParams(query).toString()}`
}

/** The page of a new interaction, in the browser. */
const begin = async ({ service, client_id }: Pick<World, 'service' | 'client_id'>, browser: Browser) =>
  (await visit(service, browser, requestOf(client_id))).location

/** From the page of the interaction to the upstream provider and back: the URL of the callback. */
const atUpstream = async (service: Service, browser: Browser, page: string): Promise<URL> => {
  const { status, location } = await visit(service, browser, page)
  assert.is(status, 303)
  return new URL(await createBrowser().visit(location))
}

/** The login ends well: the end-user is asked for consent. */
const goesOn = async (service: Service, browser: Browser, returned: URL): Promise<void> => {
  let next = returned.href
  for (let step = 0; step < 4; step += 1) {
    const { status, location, html } = await visit(service, browser, next)
    if (status === 200) return assert.match(html, /value="allow"/)
    assert.is(status, 303, html.slice(html.indexOf('<main>')))
    next = location
  }
  throw new Error('the login has no end')
}

const linkIn = (html: string): string => /<a [^>]*href="(\/interaction\/[\w-]+)"/.exec(html)?.[1] ?? ''

/** A page of refusal, perhaps after a redirect, with one line in the log, which has no secret; and where it leads. */
const refusedBy = async (
  { service, lines }: Pick<World, 'service' | 'lines'>,
  browser: Browser,
  url: string,
): Promise<{ readonly status: number; readonly link: string; readonly entry: Entry }> => {
  const before = lines.length
  const returned = await visit(service, browser, url)
  const { status, html } = returned.status === 303 ? await visit(service, browser, returned.location) : returned
  assert.match(html, /<main>/)
  await new Promise((resolve) => setTimeout(resolve, 20))
  const written = lines.slice(before)
  for (const secret of new URL(url, base).searchParams.values()) assert.not.ok(written.join().includes(`"${secret}`))
  // Of the requests: the service writes entries of its own, such as that of a checkpoint of the audit log.
  const refused = written.filter((line) => ![303, undefined].includes((JSON.parse(line) as Partial<Entry>).status))
  assert.is(refused.length, 1, refused.join(''))
  return { status, link: linkIn(html), entry: JSON.parse(refused[0] ?? '') as Entry }
}

const attacks = suite<{ world: World }>('attacks on a login at an upstream provider')

attacks.before(async (context) => {
  context.world = await openUpstream()
})
attacks.before.each(({ world: { fault } }) => {
  delete fault.at
})
attacks.after(async ({ world: { service, upstream, directory } }) => {
  await service.stop()
  await upstream.stop()
  discard(directory)
})

attacks('the way without an attack', async ({ world }) => {
  const browser = new Browser()
  const page = await begin(world, browser)
  await goesOn(world.service, browser, await atUpstream(world.service, browser, page))
})

// RFC 9207 §2.4, RFC 9700 §4.4
const mixedUp: ReadonlyArray<readonly [string, (url: URL) => void, RegExp]> = [
  [
    'the issuer of another provider',
    ({ searchParams }) => searchParams.set('iss', 'https://attacker.example'),
    /valid/,
  ],
  ['no issuer', ({ searchParams }) => searchParams.delete('iss'), /valid/],
  ['two issuers', ({ searchParams }) => searchParams.append('iss', 'https://attacker.example'), /repeated/],
  ['a code of another', ({ searchParams }) => searchParams.set('code', 'of-another'), /invalid_grant/],
  ['an error', ({ searchParams }) => searchParams.set('error', 'server_error'), /server_error|valid/],
]

for (const [what, change, reason] of mixedUp)
  attacks(`a response with ${what} is refused, and the end-user begins again`, async ({ world }) => {
    const { service } = world
    const browser = new Browser()
    const page = await begin(world, browser)
    const returned = await atUpstream(service, browser, page)
    change(returned)
    const { status, link, entry } = await refusedBy(world, browser, returned.href)
    assert.equal([status, entry.status, entry.route], [403, 403, '/interaction/:id/callback'])
    assert.match(String(entry.reason), reason)
    assert.is(link, page)
    await goesOn(service, browser, await atUpstream(service, browser, link))
  })

const isOf =
  (part: string) =>
  ({ name }: Browser['cookies'][number]) =>
    name.includes(part)

const tampered: ReadonlyArray<readonly [string, string, (value: string) => string, number]> = [
  ['the state of the login', '-login-', (value) => `${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`, 403],
  ['the interaction of the login', '-login-', (value) => `A${value}`, 400],
  ['the interaction', '-interaction', (value) => `A${value.slice(1)}B`, 400],
]

for (const [what, part, change, expected] of tampered)
  attacks(`a cookie in which ${what} was changed signs nobody in`, async ({ world }) => {
    const { service } = world
    const browser = new Browser()
    const returned = await atUpstream(service, browser, await begin(world, browser))
    const untouched = browser.cookies
    assert.ok(untouched.some(isOf(part)), untouched.map(({ name }) => name).join())
    browser.cookies = untouched.map((each) => (isOf(part)(each) ? { ...each, value: change(each.value) } : each))
    const { status, entry } = await refusedBy(world, browser, returned.href)
    assert.equal([status, entry.status], [expected, expected])
    assert.type(entry.reason, 'string')
  })

const failing: ReadonlyArray<readonly [string, RequestListener]> = [
  ['answers 500', (_, response) => void response.writeHead(500).end('<html>')],
  ['stalls', () => undefined],
  ['breaks off', (request) => void request.socket.destroy()],
]

for (const [what, answer] of failing)
  attacks(`where the token endpoint ${what}, the end-user can go on later`, async ({ world }) => {
    const { service, fault } = world
    const browser = new Browser()
    const page = await begin(world, browser)
    const returned = await atUpstream(service, browser, page)
    Object.assign(fault, { at: '/token', answer })
    const { status, link, entry } = await refusedBy(world, browser, returned.href)
    assert.equal([status, entry.status, link], [503, 503, page])
    assert.match(String(entry.detail), /^the upstream provider: /)
    delete fault.at
    await goesOn(service, browser, await atUpstream(service, browser, link))
  })

// RFC 6585 §5: a request with too many cookies is not answered.
attacks('however many logins begin in a browser, the latest is completed', async ({ world }) => {
  const browser = new Browser()
  const page = await begin(world, browser)
  for (let each = 0; each < 40; each += 1) assert.is((await visit(world.service, browser, page)).status, 303)
  await goesOn(world.service, browser, await atUpstream(world.service, browser, page))
})

attacks.run()

const settings = suite('who may sign in, and what only the operator can correct')

for (const [what, flags, expected] of [
  [
    'whose address is of another domain may not sign in',
    { 'upstream-required-claims': '{"email": "@company.example"}' },
    { status: 403, level: 'info', told: /no value of email that upstream-required-claims/, again: true },
  ],
  [
    'meets a wrong secret of the service is told to ask the operator, whose log has an error',
    { 'upstream-client-secret': 'wrong' },
    {
      status: 503,
      level: 'error',
      told: /invalid_client: correct upstream-client-id, upstream-client-secret/,
      again: false,
    },
  ],
] as const)
  settings(`an end-user who ${what}`, async () => {
    const world = await openUpstream(flags)
    const { service, upstream, directory, lines } = world
    try {
      const browser = new Browser()
      const page = await begin(world, browser)
      const returned = await atUpstream(service, browser, page)
      const arrived = await visit(service, browser, returned.href)
      const { status, html } = await visit(service, browser, arrived.location)
      assert.is(status, expected.status)
      assert.is(html.includes(`href="${page}?account=other"`), expected.again)
      assert.not.match(html, /upstream-|company/)
      await new Promise((resolve) => setTimeout(resolve, 20))
      const entries = lines.map((line) => JSON.parse(line) as Entry & { readonly level: unknown })
      const [entry, ...others] = entries.filter((each) => each.status === expected.status)
      assert.equal([others, entry?.route], [[], '/interaction/:id/callback'])
      assert.match(String(entry?.detail ?? entry?.reason), expected.told)
      assert.is(String(entry?.level), expected.level)
      if (!expected.again) return
      const { location } = await visit(service, browser, `${page}?account=other`)
      assert.is(new URL(location).searchParams.get('prompt'), 'login')
    } finally {
      await service.stop()
      await upstream.stop()
      discard(directory)
    }
  })

settings.run()

const host = suite('a login by functions of the host that fail')

const refusals: ReadonlyArray<readonly [string, () => never | Promise<never> | Promise<object>]> = [
  [
    'throws',
    () => {
      throw new Error('a secret text')
    },
  ],
  ['rejects', () => Promise.reject(new Error('a secret text'))],
  ['answers without a value that counts', () => Promise.resolve({ sub: '', location: 'javascript:alert(1)' })],
]

for (const [what, fails] of refusals)
  host(`a function that ${what} refuses the login, at either step, and the end-user begins again`, async () => {
    const state = { at: 'begin' }
    const step =
      <Value>(name: string, value: (given: { readonly handle: string }) => Value) =>
      async (given: { readonly handle: string }): Promise<Value> =>
        state.at === name ? ((await fails()) as Value) : value(given)
    const login = {
      begin: step('begin', ({ handle }) => ({ location: `https://login.example/?state=${handle}` })),
      complete: step('complete', () => ({ sub: 'ada' })),
    }
    const world = await open({}, { login })
    const { service, directory, lines } = world
    try {
      const browser = new Browser()
      const page = await begin(world, browser)
      const atBegin = await refusedBy(world, browser, page)
      assert.equal([atBegin.status, atBegin.link, typeof atBegin.entry.reason], [403, page, 'string'])
      state.at = 'complete'
      const { location } = await visit(service, browser, page)
      const returned = new URL(`/login/callback${new URL(location).search}`, base)
      const atEnd = await refusedBy(world, browser, returned.href)
      assert.equal([atEnd.status, atEnd.link, typeof atEnd.entry.reason], [403, page, 'string'])
      state.at = 'neither'
      const again = await visit(service, browser, atEnd.link)
      await goesOn(service, browser, new URL(`/login/callback${new URL(again.location).search}`, base))
      assert.not.match(lines.join(''), /a secret text/)
    } finally {
      await service.stop()
      discard(directory)
    }
  })

host.run()
