// What the engine does for a party for which nobody vouches, and before which check: docs/operate/security.md#abuse.
import type { RegisteredBy } from '@clientele/domain/authorization'
import type { RequestedClientMetadata } from '@clientele/domain/client'
import { epochSeconds } from '@clientele/domain/kernel'
import type { RegisteredClient } from '@clientele/domain/registration'
import { clientOf } from '@clientele/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEngine } from '../src/engine.js'
import { ports, settings } from './support/engine-ports.js'

const Anonymous = suite('requests of a party for which nobody vouches')

const registered = (id: string, registered_by: RegisteredBy, metadata: RequestedClientMetadata): RegisteredClient => {
  const client = clientOf(id, { redirect_uris: ['https://rp.example/cb'], ...metadata })
  const secret = {
    client_secret: `the secret of ${id}, which is long enough`,
    client_secret_expires_at: epochSeconds(0),
  }
  return { ...client, registered_by, secret: metadata.token_endpoint_auth_method === 'none' ? undefined : secret }
}

const post = { token_endpoint_auth_method: 'client_secret_post' } as const
const clients = {
  operators: registered('operators', 'master', post),
  'of-a-token': registered('of-a-token', 'token', post),
  open: registered('open', 'nobody', post),
  public: registered('public', 'master', { token_endpoint_auth_method: 'none' }),
}
type Name = keyof typeof clients

// RFC 7516 §3.1, of an object that is encrypted to a public key of this service
const encrypted = [
  Buffer.from('{"alg":"RSA-OAEP-256","enc":"A256GCM"}').toString('base64url'),
  'a',
  'b',
  'c',
  'd',
].join('.')

type Seen = { readonly done: Array<string>; budget: number }

/** An engine whose budgets have so many units, and what it did, in order. */
const withEngine = async (budget: number, run: (url: string, seen: Seen) => Promise<void>): Promise<void> => {
  const seen: Seen = { done: [], budget }
  const engine = createEngine(settings, {
    ...ports(),
    now: () => epochSeconds(Math.floor(Date.now() / 1000)),
    resolveClient: (id) => {
      const client = Object.values(clients).find(({ client_id }) => client_id === id)
      return TE.right(client === undefined ? O.none : O.some({ kind: 'registered', client }))
    },
    consumeBudget: (kind) => () => {
      seen.done.push(kind)
      seen.budget -= 1
      return Promise.resolve(
        seen.budget < 0 ? E.left({ error: 'exhausted', scope: 'source', retryAfter: 1_000 }) : E.right(undefined),
      )
    },
    decryptObject: () => () => {
      seen.done.push('decrypted')
      return Promise.resolve(E.left({ error: 'undecryptable_object', reason: 'no_key' }))
    },
  })
  const server = createServer((request, response) => void engine.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}/op`, seen)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

const push = (url: string, name: Name, secret?: string): Promise<Response> => {
  const { client_id, secret: own } = clients[name]
  const client_secret = secret ?? own?.client_secret
  const credentials = { client_id, ...(client_secret === undefined ? {} : { client_secret }) }
  return fetch(`${url}/par`, { method: 'POST', body: new URLSearchParams({ ...credentials, request: encrypted }) })
}

const authorize = (url: string, client_id: string): Promise<Response> =>
  fetch(`${url}/authorize?${new URLSearchParams({ client_id, request: encrypted }).toString()}`)

Anonymous('an encrypted request object of a browser without a session is decrypted within a budget', () =>
  withEngine(2, async (url, seen) => {
    for (const id of [clients.operators.client_id, 'no-such-client']) assert.is((await authorize(url, id)).status, 400)
    assert.equal(seen.done.splice(0), ['authorizations', 'decrypted', 'authorizations', 'decrypted'])
    const refused = await authorize(url, clients.operators.client_id)
    assert.equal([refused.status, refused.headers.get('retry-after')], [429, '1'])
    assert.equal(seen.done, ['authorizations'])
  }),
)

for (const name of ['operators', 'of-a-token'] as const)
  Anonymous(`a pushed one of a client for which someone vouches is decrypted without one: ${name}`, () =>
    withEngine(0, async (url, seen) => {
      assert.is((await push(url, name)).status, 400)
      assert.equal(seen.done, ['decrypted'])
    }),
  )

Anonymous('a pushed one is not decrypted before the client has authenticated', () =>
  withEngine(9, async (url, seen) => {
    for (const name of ['operators', 'of-a-token', 'open'] as const)
      assert.is((await push(url, name, 'another secret, which is long enough')).status, 401)
    assert.equal(seen.done, ['credentials', 'credentials', 'credentials'])
  }),
)

for (const name of ['open', 'public'] as const)
  Anonymous(`a pushed one of a client that anyone can be is decrypted within a budget: ${name}`, () =>
    withEngine(1, async (url, seen) => {
      assert.is((await push(url, name)).status, 400)
      assert.equal(seen.done.splice(0), ['authorizations', 'decrypted'])
      assert.is((await push(url, name)).status, 429)
      assert.equal(seen.done, ['authorizations'])
    }),
  )

Anonymous.run()
