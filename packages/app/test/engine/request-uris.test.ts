// Authorization requests at a registered request_uri: OpenID Core §6.2. The host is over TLS on loopback.
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import type { ServerResponse } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Receiver, reachReceivers, startReceiver } from '../support/receivers.js'
import { type World, masterToken, startTwo, stopTwo } from '../support/two-services.js'
import { Browser, goThrough } from './support/browser.js'
import { type Application, callback, confidential, configuredAs } from './support/relying-party.js'

const requests = suite<{ world: World }>('requests at a request_uri')

const flags = { engine: 'oidc-provider', 'registration-status': '201', 'allow-open-registration': 'true' }
const on = { ...flags, 'outbound-fetches': 'true', 'request-uris': 'true' }

requests.before(async (context) => {
  context.world = await startTwo(on, { outbound: reachReceivers })
})
requests.after(({ world }) => stopTwo(world))

const { publicKey, privateKey } = await generateKeyPair('ES256')
const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] }
const metadata = { ...confidential, grant_types: ['authorization_code'], jwks, request_object_signing_alg: 'ES256' }

const objectOf = ({ registered: { client_id } }: Application, audience: string, more = {}): Promise<string> =>
  new SignJWT({ client_id, redirect_uri: callback, response_type: 'code', scope: 'openid', ...more })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(client_id)
    .setAudience(audience)
    .sign(privateKey)

type Served = { answer: (response: ServerResponse, nth: number) => void }

type Case = {
  readonly served: Served
  readonly host: Receiver
  readonly application: Application
  /** The way of a browser with a request that names the URI. */
  readonly ask: (parameters?: Readonly<Record<string, string>>) => ReturnType<typeof goThrough>
}

/** A client that registered the URI of a host, with the token. */
const withClient = async ({ one }: World, token: string, run: (given: Case) => Promise<void>): Promise<void> => {
  const served: Served = { answer: (response) => void response.end() }
  const host = await startReceiver((response, nth) => served.answer(response, nth))
  const application = await configuredAs(one, { ...metadata, request_uris: [host.uri] }, token)
  const ask: Case['ask'] = async (parameters = {}) => {
    const { url } = await application.request({ request_uri: host.uri, ...parameters })
    return goThrough(new Browser(), one, url)
  }
  await run({ served, host, application, ask }).finally(() => host.stop())
}

const errorOf = async ({ ask }: Case, parameters: Readonly<Record<string, string>> = {}) =>
  (await ask(parameters)).end?.searchParams.get('error')

requests('are fetched for each request, whatever the fragment, and what they say counts', ({ world }) =>
  withClient(world, masterToken, async ({ served, host, application, ask }) => {
    const objects = ['first', 'second'].map((state) => objectOf(application, world.one.url, { state }))
    const [first = '', second = ''] = await Promise.all(objects)
    // What changes after the request was read does not count: the pages of the sign-in come afterwards.
    served.answer = (response, nth) => void response.end(nth === 0 ? first : second)
    const states = [await ask({ state: 'of the query' }), await ask({ request_uri: `${host.uri}#fragment` })]
    assert.equal(
      states.map(({ end }) => [end?.searchParams.get('state'), end?.searchParams.has('code')]),
      [
        ['first', true],
        ['second', true],
      ],
    )
    assert.is(host.received.length, 2)
  }),
)

requests('of a client that anybody registered are fetched once a minute', ({ world }) =>
  withClient(world, '', async ({ served, host, application, ask }) => {
    const object = await objectOf(application, world.one.url)
    served.answer = (response) => void response.end(object)
    const ends = [await ask(), await ask()].map(({ end }) => end?.searchParams.has('code'))
    assert.equal(ends, [true, true])
    assert.is(host.received.length, 1)
  }),
)

requests('that are not registered, or come twice, are refused without a fetch', ({ world }) =>
  withClient(world, masterToken, async (given) => {
    const { host, application } = given
    const other = host.uri.replace('from=op', 'from=elsewhere')
    const object = await objectOf(application, world.one.url)
    assert.is(await errorOf(given, { request_uri: other }), 'invalid_request_uri')
    assert.is(await errorOf(given, { request_uri: 'https://127.0.0.1/' }), 'invalid_request_uri')
    assert.is(await errorOf(given, { request: object }), 'invalid_request')
    assert.is(host.received.length, 0)
  }),
)

const drip = (response: ServerResponse): void => {
  const timer = setInterval(() => response.write('a'), 100)
  response.on('close', () => clearInterval(timer))
}

const unreadable: ReadonlyArray<readonly [string, Served['answer']]> = [
  ['drips', drip],
  ['is a redirect', (response) => void response.writeHead(302, { Location: 'https://rp.example/' }).end()],
  ['is not there', (response) => void response.writeHead(404).end('a.b.c')],
  ['is larger than 64 KiB', (response) => void response.end(`a.b.${'c'.repeat(70_000)}`)],
  ['is no JWT', (response) => void response.end('<html>')],
]
for (const [name, answer] of unreadable)
  requests(`one that ${name} is refused`, ({ world }) =>
    withClient(world, masterToken, async (given) => {
      given.served.answer = answer
      assert.is(await errorOf(given), 'invalid_request_uri')
      assert.is(given.host.received.length, 1)
    }),
  )

requests('an object that nests another, or names another client or audience, is refused', ({ world }) =>
  withClient(world, masterToken, async (given) => {
    const { url } = world.one
    const objects = await Promise.all([
      objectOf(given.application, url, { request_uri: given.host.uri }),
      objectOf(given.application, url, { request: 'a.b.c' }),
      objectOf(given.application, url, { client_id: 'another' }),
      objectOf(given.application, 'https://other.example'),
    ])
    given.served.answer = (response, nth) => void response.end(objects[nth])
    for (let nth = 0; nth < objects.length; nth += 1) assert.is(await errorOf(given), 'invalid_request_object')
    assert.is(given.host.received.length, objects.length)
  }),
)

requests('are not fetched without the setting', async () => {
  const world = await startTwo({ ...flags, 'outbound-fetches': 'true' }, { outbound: reachReceivers })
  await withClient(world, masterToken, async (given) => {
    assert.is(await errorOf(given), 'request_uri_not_supported')
    assert.is(given.host.received.length, 0)
  }).finally(() => stopTwo(world))
})

requests.run()
