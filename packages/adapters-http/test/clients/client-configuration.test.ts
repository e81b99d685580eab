import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteClient, getClient, putClient } from '../support/handlers.js'
import { asking, membersOf, redirect_uris } from '../support/http-request.js'
import { createWorld, master } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'

const configuration = suite('/clients/{id}')

const handlers = { GET: getClient, PUT: putClient, DELETE: deleteClient }
const methods = Object.entries(handlers)
const unknownIds = [
  'nobody',
  '',
  '..',
  '%FF',
  'a/b',
  'a b',
  '\u0000',
  '__proto__',
  'constructor',
  "' OR 1=1 --",
  'x'.repeat(300),
]

configuration(
  'an unknown client is 401 without the master token, alike to a client of somebody else (RFC 7592 §2)',
  async () => {
    for (const [method, handler] of methods) {
      const world = createWorld()
      const mine = await registered(world)
      const other = await registered(world)
      // Who called is for the log alone.
      const ask = async (sent: Parameters<ReturnType<typeof asking>>[0]) => {
        const { actor, ...answer } = await asking(handler, world)(sent)
        assert.match(String(actor?.kind), /^(registration_access_)?token$/)
        return answer
      }
      const ofOther = await ask({ id: other.id, token: mine.token, json: { redirect_uris } })
      assert.is(ofOther.status, 401, method)
      for (const id of unknownIds)
        for (const token of [mine.token, 'unknown'])
          assert.equal(await ask({ id, token, json: { redirect_uris } }), ofOther, `${method} ${JSON.stringify(id)}`)
      assert.is(world.store.clients.size, 2)
    }
  },
)

configuration('an unknown client is 404 to the master token, with an empty body', async () => {
  for (const [method, handler] of methods)
    for (const id of unknownIds) {
      const { actor, ...answer } = await asking(handler, createWorld())({ id, token: master, json: { redirect_uris } })
      assert.equal(
        answer,
        { status: 404, headers: {}, body: { kind: 'empty' }, refusal: { error: 'unknown_client' } },
        `${method} ${JSON.stringify(id)}`,
      )
      assert.is(actor?.kind, 'master')
    }
})

configuration('no credential is 401 with a bare challenge, whether or not there is such a client', async () => {
  for (const [method, handler] of methods) {
    const world = createWorld()
    const { id } = await registered(world)
    const [known, missing] = await Promise.all([id, 'nobody'].map((each) => asking(handler, world)({ id: each })))
    assert.equal(known, missing, method)
    assert.is(known?.headers['WWW-Authenticate'], 'Bearer', method)
    assert.match(String(known && membersOf(known)['error_description']), 'registration access token')
  }
})

configuration('the initial part, the end and another case of a token do not open a client', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  for (const near of [token.slice(0, -1), `${token}0`, token.toUpperCase()])
    for (const [method, handler] of methods)
      assert.is((await asking(handler, world)({ id, token: near, json: { redirect_uris } })).status, 401, method)
})

configuration.run()
