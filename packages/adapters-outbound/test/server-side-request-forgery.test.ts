import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createSectorIdentifiers } from '../src/index.js'
import { specialPurpose } from '../src/safe-fetch.js'
import { fetchLeniently, fetched, lenient, sectorUri } from './support/fetched.js'
import { withHttps, withTls, withTrap } from './support/test-server.js'

const Forgery = suite('server-side request forgery')

const publicAddress = '1.1.1.1'
const spoiled = `unavailable: ${specialPurpose}`

const loopbackHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '①②⑦.⓪.⓪.①',
  'localhost',
  'LOCALHOST',
]

for (const host of loopbackHosts)
  Forgery(`nothing connects to https://${host}`, () =>
    withTrap(async ({ port, connections }) => {
      assert.is(await fetched(createSectorIdentifiers({ timeLimit: 30_000 }), `https://${host}:${port}/`), spoiled)
      assert.is(connections(), 0)
    }),
  )

Forgery('an address with a zone is no URL', async () => {
  const sectors = createSectorIdentifiers()
  for (const host of ['[fe80::1%25lo]', '[fe80::1%lo]', '[::1%25lo]'])
    assert.is(await fetched(sectors, `https://${host}/`), 'unavailable: this is no URL')
})

const answers: ReadonlyArray<ReadonlyArray<string>> = [
  ['127.0.0.1'],
  ['::1'],
  [publicAddress, '127.0.0.1'],
  ['127.0.0.1', publicAddress],
  [publicAddress, '2606:4700:4700::1111', '::1'],
  ['2606:4700:4700::1111%lo'],
  ['not an address'],
]

for (const addresses of answers)
  Forgery(`a name of ${addresses.join(' and ')} is refused without a connection`, () =>
    withTrap(async (server) => {
      const sectors = createSectorIdentifiers({ lookup: () => Promise.resolve(addresses), timeLimit: 30_000 })
      assert.is(await fetched(sectors, sectorUri(server)), spoiled)
      assert.is(server.connections(), 0)
    }),
  )

Forgery('a name that has no address is refused', async () => {
  const empty = createSectorIdentifiers({ lookup: () => Promise.resolve([]) })
  assert.is(await fetched(empty, 'https://sector.example/'), 'unavailable: the host has no address')
})

Forgery('the addresses that were checked are the ones connected to, whatever a second lookup would say', () =>
  withHttps(
    (_, response) => response.end('[]'),
    async (server) => {
      const lookups: Array<string> = []
      const sectors = createSectorIdentifiers({
        ...lenient,
        allowsAddress: (address) => address === '127.0.0.2',
        lookup: (hostname) => Promise.resolve([lookups.push(hostname) === 1 ? '127.0.0.2' : '127.0.0.1']),
      })
      assert.match(String(await fetched(sectors, sectorUri(server))), 'unavailable: ')
      assert.equal(lookups, ['sector.example'])
      assert.is(server.connections(), 0)
    },
  ),
)

Forgery('the address of the connection is checked again before a byte of the request is sent', async () => {
  const received: Array<Buffer> = []
  const checked: Array<string> = []
  await withTls(
    (socket) => socket.on('data', (bytes: Buffer) => received.push(bytes)),
    async (server) => {
      const allowsAddress = (address: string): boolean => checked.push(address) === 1
      const result = await fetchLeniently(server, { allowsAddress })
      assert.is(result, 'unavailable: the connection leads to a special-purpose address')
      await server.quiet()
    },
  )
  assert.equal(checked, ['127.0.0.1', '127.0.0.1'])
  assert.equal(received, [])
})

Forgery('an address in the place of a name is looked up nowhere, and checked again as well', () =>
  withTls(
    () => undefined,
    async (server) => {
      const checked: Array<string> = []
      const allowsAddress = (address: string): boolean => checked.push(address) === 1
      const lookup = (): Promise<never> => Promise.reject(new Error('there is no name'))
      const sectors = createSectorIdentifiers({ ...lenient, lookup, allowsAddress })
      const result = await fetched(sectors, `https://127.0.0.1:${server.port}/`)
      assert.is(result, 'unavailable: the connection leads to a special-purpose address')
      await server.quiet()
    },
  ),
)

Forgery('a redirection is a failure, and nothing connects to its target', () =>
  withTrap((trap) =>
    withHttps(
      ({ url }, response) =>
        response
          .writeHead(Number(url?.slice(1)), { Location: `https://127.0.0.1:${trap.port}/` })
          .end('["https://a.example"]'),
      async ({ port, connections }) => {
        const sectors = createSectorIdentifiers(lenient)
        for (const status of [300, 301, 302, 303, 307, 308])
          assert.match(
            String(await fetched(sectors, `https://sector.example:${port}/${status}`)),
            'redirections are not followed',
          )
        assert.is(connections(), 6)
        assert.is(trap.connections(), 0)
      },
    ),
  ),
)

Forgery('a proxy that the environment names is not used', () =>
  withTrap((trap) =>
    withHttps(
      (_, response) => response.end('[]'),
      async (server) => {
        const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
        const before = names.map((name) => [name, process.env[name]] as const)
        for (const name of [...names, 'NODE_USE_ENV_PROXY']) process.env[name] = `http://127.0.0.1:${trap.port}`
        assert.equal(await fetchLeniently(server), [])
        assert.is(trap.connections(), 0)
        for (const [name, value] of [...before, ['NODE_USE_ENV_PROXY', undefined] as const])
          if (value === undefined) Reflect.deleteProperty(process.env, name)
          else process.env[name] = value
      },
    ),
  ),
)

const refusedPort = 'the URL names a port other than 443 and 1024 to 65535'

Forgery('only https URLs without userinfo, at port 443 or from 1024 on, are fetched', () =>
  withTrap(async ({ port, connections }) => {
    const refusals = {
      [`http://sector.example:${port}/`]: 'the scheme is not https',
      [`ftp://sector.example:${port}/`]: 'the scheme is not https',
      'data:application/json,[]': 'the scheme is not https',
      'file:///etc/hostname': 'the scheme is not https',
      [`https://user@sector.example:${port}/`]: 'the URL holds userinfo',
      [`https://:password@sector.example:${port}/`]: 'the URL holds userinfo',
      'https://sector.example:0/': refusedPort,
      'https://sector.example:22/': refusedPort,
      'https://sector.example:442/': refusedPort,
      'https://sector.example:444/': refusedPort,
      'https://sector.example:1023/': refusedPort,
      'https://sector.example:65536/': 'this is no URL',
      'sector.example': 'this is no URL',
      '': 'this is no URL',
    }
    const sectors = createSectorIdentifiers(lenient)
    for (const [uri, reason] of Object.entries(refusals))
      assert.is(await fetched(sectors, uri), `unavailable: ${reason}`, uri)
    assert.is(connections(), 0)
  }),
)

Forgery.run()
