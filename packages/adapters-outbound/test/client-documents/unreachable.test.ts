import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClientDocumentsOptions } from '../../src/index.js'
import { isPublicAddress } from '../../src/addresses.js'
import { asClientId, began, documentUrl, watchedDocuments } from '../support/documents.js'
import { withHttps, withTcp, withTls, withTrap } from '../support/test-server.js'

const Unreachable = suite('documents that are not reached')

const unreachable = { kind: 'unreachable', at: began }

// Every failure has the same answer; only the log knows the reason.
const fails = async (url: string, reason: RegExp, options: Partial<ClientDocumentsOptions> = {}): Promise<void> => {
  const { seeDocument, failures } = watchedDocuments(options)
  assert.equal(await seeDocument(asClientId(url))(), unreachable)
  assert.is(failures.length, 1)
  assert.match(String(failures[0]), reason)
}

const strict = { allowsAddress: isPublicAddress }

Unreachable('a special-purpose address is not connected to, as a name or as an address', () =>
  withTrap(async (trap) => {
    await fails(documentUrl(trap), /special-purpose/, strict)
    await fails(`https://127.0.0.1:${trap.port}/client.json`, /special-purpose/, strict)
    await fails(`https://[::1]:${trap.port}/client.json`, /special-purpose/, strict)
    for (const address of [
      '10.0.0.1',
      '169.254.169.254',
      '192.168.1.1',
      '::ffff:127.0.0.1',
      'fd00::1',
      '64:ff9b::7f00:1',
    ])
      await fails(documentUrl(trap), /special-purpose/, { ...strict, lookup: () => Promise.resolve([address]) })
    assert.is(trap.connections(), 0)
  }),
)

Unreachable('a name with a public and a private address is refused', () =>
  withTrap(async (trap) => {
    const lookup = (): Promise<ReadonlyArray<string>> => Promise.resolve(['1.1.1.1', '127.0.0.1'])
    await fails(documentUrl(trap), /special-purpose/, { ...strict, lookup })
    assert.is(trap.connections(), 0)
  }),
)

Unreachable('a name that is rebound between the check and the connection leads to the checked address', () =>
  withHttps(
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    async (server) => {
      const lookups: Array<string> = []
      await fails(documentUrl(server), /ECONNREFUSED/, {
        allowsAddress: (address) => address === '127.0.0.2',
        lookup: (name) => Promise.resolve([lookups.push(name) === 1 ? '127.0.0.2' : '127.0.0.1']),
      })
      assert.equal(lookups, ['sector.example'])
      assert.is(server.connections(), 0)
    },
  ),
)

Unreachable('a name that is rebound after a document was seen is refused at the next request', () =>
  withHttps(
    (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'),
    async (server) => {
      const rebound = { yes: false }
      const { seeDocument, setClock } = watchedDocuments({ allowsAddress: () => !rebound.yes })
      assert.is((await seeDocument(documentUrl(server))()).kind, 'answered')
      rebound.yes = true
      setClock(300)
      assert.is((await seeDocument(documentUrl(server))()).kind, 'unreachable')
      assert.is(server.connections(), 1)
    },
  ),
)

Unreachable('a redirection to a private address is not followed', () =>
  withTrap((trap) =>
    withHttps(
      (_, response) => response.writeHead(302, { Location: `https://127.0.0.1:${trap.port}/` }).end(),
      async (server) => {
        await fails(documentUrl(server), /redirections are not followed/)
        assert.is(trap.connections(), 0)
      },
    ),
  ),
)

Unreachable('an unknown certificate authority, another name, and a server without TLS', async () => {
  await withHttps(
    (_, response) => response.end('{}'),
    async (server) => {
      await fails(documentUrl(server), /SELF_SIGNED_CERT/, { ca: undefined })
      await fails(`https://other.example:${server.port}/client.json`, /ERR_TLS_CERT_ALTNAME_INVALID/)
    },
  )
  await withTcp(
    (server) => fails(documentUrl(server), /EPROTO|ERR_SSL_/),
    '127.0.0.1',
    (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{}'),
  )
})

Unreachable('a closed port, a silent server, a handshake without an end, a name without an address', async () => {
  const closed: Array<number> = []
  await withTcp(async ({ port }) => void closed.push(port))
  await fails(`https://sector.example:${closed[0] ?? 1024}/client.json`, /ECONNREFUSED/)
  await withTls(
    () => undefined,
    (server) => fails(documentUrl(server), /no answer within 400 ms/, { timeLimit: 400 }),
  )
  await withTcp((server) => fails(documentUrl(server), /no answer within 400 ms/, { timeLimit: 400 }))
  await fails('https://sector.example/client.json', /no address/, { lookup: () => Promise.resolve([]) })
})

Unreachable.run()
