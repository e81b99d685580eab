import * as E from 'fp-ts/lib/Either.js'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ServiceAccess, askService } from '../../src/cli/ask.js'

const asking = suite('requests of commands to a running service')

const pem = (name: string): string =>
  readFileSync(new URL(`../../../adapters-outbound/test/support/${name}`, import.meta.url), 'utf8')

/** What is told where a server takes the request, and ends the connection without an answer. */
const toldBy = async (
  scheme: 'http' | 'https',
  path: string,
  json?: object,
  server = scheme === 'http' ? createServer() : createTlsServer({ cert: pem('certificate.pem'), key: pem('key.pem') }),
): Promise<string> => {
  server.on('request', (request: { readonly socket: { readonly destroy: () => void } }) => request.socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const access: ServiceAccess = { url: `${scheme}://localhost:${(server.address() as AddressInfo).port}` }
  const answer = await askService(access)(path, json)()
  server.close()
  return E.isLeft(answer) ? answer.left : 'an answer'
}

asking('a change that was sent may be done; what only counts or reads is not', async () => {
  assert.match(await toldBy('http', '/reload', {}), 'may have done what was asked')
  assert.match(await toldBy('http', '/clients?dry_run=false', {}), 'may have done what was asked')
  assert.match(await toldBy('http', '/keys'), 'cannot be reached')
  assert.match(await toldBy('http', '/clients?dry_run=true', {}), 'cannot be reached')
  assert.match(await toldBy('http', '/manage/v1/clients/removal', { filter: {}, dry_run: true }), 'cannot be reached')
})

asking('nothing was sent before the handshake of TLS, and all of it after that', async () => {
  assert.match(await toldBy('https', '/reload', {}), 'cannot be reached')
  assert.match(await toldBy('https', '/reload', {}, createServer()), 'cannot be reached')
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  try {
    assert.match(await toldBy('https', '/reload', {}), 'may have done what was asked')
  } finally {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
  }
})

asking.run()
