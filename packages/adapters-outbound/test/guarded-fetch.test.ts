import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { GuardedFetchError, createGuardedFetch } from '../src/index.js'
import { lenient } from './support/fetched.js'
import { withHttps, withTls, withTrap } from './support/test-server.js'

const Guarded = suite('fetch for libraries')

const get = { method: 'GET', headers: { Accept: 'application/json' } }
const failureOf = async (answer: Promise<Response>): Promise<string> =>
  answer.then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => (error instanceof GuardedFetchError ? error.failure.kind : 'another error'),
  )

Guarded('a form is sent, and the answer has its status, its content type and its body', () =>
  withHttps(
    (request, response) =>
      void text(request).then((body) =>
        response
          .writeHead(400, { 'Content-Type': 'application/json' })
          .end(JSON.stringify([request.method, request.headers['content-type'], body])),
      ),
    async ({ port }) => {
      const answer = await createGuardedFetch('login', lenient)(`https://sector.example:${port}/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ grant_type: 'authorization_code' }),
      })
      assert.equal([answer.status, answer.headers.get('Content-Type')], [400, 'application/json'])
      const form = 'application/x-www-form-urlencoded'
      assert.equal(await answer.json(), ['POST', form, 'grant_type=authorization_code'])
    },
  ),
)

Guarded('an answer without content is an answer', () =>
  withHttps(
    (_, response) => void response.writeHead(204).end(),
    async ({ port }) => {
      const answer = await createGuardedFetch('login', lenient)(`https://sector.example:${port}/`, get)
      assert.is(answer.status, 204)
    },
  ),
)

Guarded('an address of the own network is refused before anything is sent', () =>
  withTrap(async ({ port, connections }) => {
    assert.is(await failureOf(createGuardedFetch('login')(`https://127.0.0.1:${port}/`, get)), 'forbidden')
    assert.is(connections(), 0)
  }),
)

Guarded('a host that stalls, and a redirection, are failures', async () => {
  await withTls(
    () => undefined,
    async ({ port }) => {
      const fetch = createGuardedFetch('login', { ...lenient, timeLimit: 200 })
      assert.is(await failureOf(fetch(`https://sector.example:${port}/`, get)), 'failed')
    },
  )
  await withHttps(
    (_, response) => void response.writeHead(302, { Location: 'https://sector.example/' }).end(),
    async ({ port }) => {
      const fetch = createGuardedFetch('login', lenient)
      assert.is(await failureOf(fetch(`https://sector.example:${port}/`, get)), 'failed')
    },
  )
})

Guarded('another method or body is refused', async () => {
  const fetch = createGuardedFetch('login', lenient)
  assert.is(await failureOf(fetch('https://sector.example/', { method: 'DELETE', headers: {} })), 'forbidden')
  const body = new ReadableStream()
  assert.is(await failureOf(fetch('https://sector.example/', { method: 'POST', headers: {}, body })), 'forbidden')
})

Guarded.run()
