import * as fc from 'fast-check'
import * as T from 'fp-ts/lib/Task.js'
import type { OutgoingHttpHeaders } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type World, createWorld, httpSettings, master } from './support/in-memory-ports.js'
import { shells } from './support/shells.js'
import { type Answer, type Wire, send, until, withServer } from './support/wire.js'

const alike = suite('the shells, side by side')

type Requested = {
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  /** A text, or that many bytes. */
  readonly body: string | number
}

const segment = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('clients', 'jwks.json', 'sessions', 'logout', 'keys', 'confirm', 'client3') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('.well-known', 'openid-configuration', 'health', 'live', 'find', 'direct-authz'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      'Clients',
      '%63lients',
      '%FF',
      '%',
      '%2F',
      'a%20b',
      '%C3%A9',
      ':id',
      '*',
      '__proto__',
    ),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 5 }).map(encodeURIComponent) },
)

const query = fc.constantFrom(
  '',
  '?',
  '?dry_run=true',
  '?dry_run=1',
  '?sub=a&sub=b',
  '?access_token=x',
  '?%zz=%',
  '?a=%C3%28',
  '?ui_locales=de',
)

const routed = fc.constantFrom(
  '/clients',
  '/clients/client3',
  '/jwks.json',
  '/logout',
  '/logout/confirm',
  '/sessions',
  '/sessions/find',
  '/direct-authz',
  '/keys/roll-over',
)

// A path that URL parsers do not change, because others never reach the handler.
const unknown = fc
  .array(segment, { minLength: 1, maxLength: 3 })
  .map((segments) => `/${segments.join('/')}`)
  .filter((each) => new URL(`http://x${each}`).pathname === each)

const path = fc
  .tuple(fc.oneof({ weight: 2, arbitrary: routed }, { weight: 1, arbitrary: unknown }), query)
  .map(([plain, search]) => plain + search)

const some = <Value>(...values: ReadonlyArray<Value>) => fc.option(fc.constantFrom(...values), { nil: undefined })

const fields = fc.record({
  authorization: fc.oneof(
    { weight: 4, arbitrary: fc.constant(`Bearer ${master}`) },
    {
      weight: 1,
      arbitrary: some<string | string[]>(
        'Bearer unknown',
        '',
        'Basic x',
        [`Bearer ${master}`, 'Bearer x'],
        ['', `Bearer ${master}`],
      ),
    },
  ),
  'content-type': fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('application/json', 'application/x-www-form-urlencoded') },
    {
      weight: 1,
      arbitrary: some<string | string[]>(
        'text/plain',
        'application/json; charset=utf-8',
        'application/json; charset=x',
        ['application/json', 'text/html'],
        ';',
      ),
    },
  ),
  'content-encoding': fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('gzip', 'identity', 'IDENTITY', '', 'x, identity') },
  ),
  origin: some('https://a.example', 'null', 'https://evil.example'),
  'if-none-match': some('*', '"x"'),
  'sec-fetch-site': some('same-origin', 'cross-site'),
  'accept-language': some('de', 'xx, fr;q=0.5'),
  cookie: some('clientele-session=abc', 'a=b; __Host-clientele-session=abc'),
})

const body = fc.oneof(
  { weight: 4, arbitrary: fc.constant(JSON.stringify({ redirect_uris: ['https://rp.example/callback'] })) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      '{}',
      '[',
      'null',
      '\ufeff{}',
      '{"sub":"alice"}',
      'value=x&answer=logout',
      '{"scope":"client-reg"}',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(65_536, 65_537, 100_000) },
)

const requested: fc.Arbitrary<Requested> = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND', 'POST', 'GET'),
  path,
  headers: fields.map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))),
  body,
})

// Some runs have no other request that is refused so.
const rare: Array<[Requested]> = [
  [{ method: 'POST', path: '/clients', headers: { 'content-type': 'text/plain' }, body: '{}' }],
  [{ method: 'POST', path: '/clients', headers: { 'content-type': 'application/json' }, body: 65_537 }],
]

// Most of them are answered as published documents: neither a query nor a credential.
const requestedPublished: fc.Arbitrary<Requested> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
  path: fc
    .tuple(
      fc.constantFrom('/jwks.json', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'),
      fc.constantFrom('', '', '', '?', '?access_token=x'),
    )
    .map(([plain, search]) => plain + search),
  headers: fc
    .record({
      origin: some('https://a.example', 'null'),
      'if-none-match': some('*', '"x"'),
      authorization: fc.constantFrom(undefined, undefined, undefined, `Bearer ${master}`, 'Bearer unknown'),
    })
    .map((given) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))),
  body: fc.constantFrom('', '{}'),
})

// Headers of the connection, the time, and lengths: the bridge adds the length of a short stream, and Koa omits that of
// an empty one for HEAD.
const ofConnection = ['connection', 'keep-alive', 'date', 'transfer-encoding', 'content-length']

const reported = ({ status, headers, body: bytes }: Answer) => ({
  status,
  headers: Object.entries(headers)
    .filter(([name]) => !ofConnection.includes(name))
    .sort(),
  body: bytes.toString('latin1'),
})

const entered = async (world: World, count: number) => {
  await until(() => world.entries.length === count)
  const { duration_ms, detail, ...entry } = world.entries[count - 1] ?? { duration_ms: -1 }
  assert.ok(duration_ms >= 0)
  return { ...entry, detail: String(detail) }
}

alike('whatever is asked, they answer with the same bytes, and tell the log the same', async () => {
  const settings = httpSettings({ corsOrigins: ['https://a.example'] })
  // Without sealing, because its random nonce makes all values different.
  const worlds = shells.map(() => createWorld({ sealConfirmation: ({ id }) => T.of(id) }))
  const [koa, fetch] = shells.map((shell, place) =>
    shell.createPublicListener(settings, worlds[place] ?? createWorld(), { withOperators: true }),
  )
  assert.ok(koa !== undefined && fetch !== undefined)
  const statuses = new Set<number>()
  let count = 0
  const ask = async (wires: ReadonlyArray<Wire>, { method, path: target, headers, body: content }: Requested) => {
    const sent = { headers, body: typeof content === 'number' ? '{}'.padEnd(content) : content }
    const answers = await Promise.all(wires.map((wire) => send(wire, method, target, sent)))
    count += 1
    const [one, other] = answers.map(reported)
    statuses.add(one?.status ?? 0)
    assert.equal(one, other)
    const [entry, otherEntry] = await Promise.all(worlds.map((world) => entered(world, count)))
    assert.equal(entry, otherEntry)
  }
  await withServer(koa, (first) =>
    withServer(fetch, async (second) => {
      for (const { each, numRuns, examples } of [
        { each: requested, numRuns: 1_000, examples: rare },
        { each: requestedPublished, numRuns: 200, examples: [] },
      ])
        await fc.assert(
          fc.asyncProperty(each, (one) => ask([first, second], one)),
          { numRuns, examples, endOnFailure: true, includeErrorInReport: true },
        )
    }),
  )
  for (const status of [200, 204, 304, 400, 401, 404, 405, 413, 415]) assert.ok(statuses.has(status), `no ${status}`)
})

alike.run()
