import { secondsAfter } from '@clientele/domain/kernel'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteClient, postClients, postDirectAuthz, putClient } from '../support/handlers.js'
import { asking, membersOf, redirect_uris } from '../support/http-request.js'
import { type World, at, createWorld, httpSettings, master, openRegistration } from '../support/in-memory-ports.js'

const idempotency = suite('Idempotency-Key at POST /clients')

const uuid = '"8e03978e-40d5-43dd-bc93-6894a57f9324"'
const json = { redirect_uris, client_name: 'RP' }

const tokenIn = async (world: World, scope = 'client-reg'): Promise<string> =>
  String(membersOf(await asking(postDirectAuthz, world)({ token: master, json: { scope } }))['access_token'])

idempotency('a lost answer with a single-use token is answered again, with the same status and ETag', async () => {
  const world = createWorld()
  const token = await tokenIn(world)
  const ask = asking(postClients, world, httpSettings({ registrationStatus: 201 }))
  const first = await ask({ token, json, idempotencyKey: uuid })
  assert.is(first.status, 201)
  const again = await ask({ token, json: { client_name: 'RP', redirect_uris }, idempotencyKey: uuid })
  assert.equal([again.status, again.headers, membersOf(again)], [201, first.headers, membersOf(first)])
  assert.is(world.store.clients.size, 1)
  assert.is((await ask({ token, json })).status, 401)
})

idempotency('a key without quotation marks is the same key', async () => {
  const world = createWorld()
  const token = await tokenIn(world)
  const ask = asking(postClients, world)
  const first = await ask({ token, json, idempotencyKey: uuid })
  const again = await ask({ token, json, idempotencyKey: ` ${uuid.slice(1, -1)} ` })
  assert.equal(membersOf(again), membersOf(first))
})

idempotency('another body with the key is 422', async () => {
  const world = createWorld()
  const token = await tokenIn(world)
  const ask = asking(postClients, world)
  await ask({ token, json, idempotencyKey: uuid })
  for (const other of [{ redirect_uris }, { ...json, client_name: 7 }]) {
    const answer = await ask({ token, json: other, idempotencyKey: uuid })
    assert.is(answer.status, 422)
    assert.equal(membersOf(answer), {
      error: 'idempotency_key_reused',
      error_description: 'Another body was registered with this Idempotency-Key: send that body again, or another key',
    })
  }
})

idempotency('after a change of the client the key is 409, and after its removal it is new', async () => {
  const world = createWorld()
  const ask = asking(postClients, world)
  const first = membersOf(await ask({ token: master, json, idempotencyKey: uuid }))
  const id = String(first['client_id'])
  await asking(putClient, world)({ id, token: master, json: { redirect_uris } })
  const answer = await ask({ token: master, json, idempotencyKey: uuid })
  assert.is(answer.status, 409)
  assert.equal(membersOf(answer), {
    error: 'idempotency_conflict',
    error_description:
      'The client that was registered with this Idempotency-Key was changed since: read it with its own token',
  })
  await asking(deleteClient, world)({ id, token: master })
  const second = await ask({ token: master, json, idempotencyKey: uuid })
  assert.is(second.status, 200)
  assert.is.not(membersOf(second)['client_id'], id)
})

idempotency(
  'another credential finds nothing: 401 for a wrong token, and a client of its own for a valid one',
  async () => {
    const world = createWorld()
    const token = await tokenIn(world)
    const other = await tokenIn(world)
    const ask = asking(postClients, world)
    const first = membersOf(await ask({ token, json, idempotencyKey: uuid }))
    for (const wrong of ['unknown', String(first['registration_access_token'])])
      assert.is((await ask({ token: wrong, json, idempotencyKey: uuid })).status, 401)
    assert.is((await ask({ json, idempotencyKey: uuid })).status, 401)
    const second = membersOf(await ask({ token: other, json, idempotencyKey: uuid }))
    assert.is.not(second['client_id'], first['client_id'])
  },
)

idempotency(
  'requests at once with one key register one client, with a single-use token and by an operator',
  async () => {
    const world = createWorld()
    for (const token of [await tokenIn(world), master]) {
      const before = world.store.clients.size
      const ask = asking(postClients, world)
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask({ token, json, idempotencyKey: uuid })))
      assert.equal(new Set(answers.map(({ status }) => status)), new Set([200]))
      assert.is(new Set(answers.map((each) => membersOf(each)['client_id'])).size, 1)
      assert.is(world.store.clients.size, before + 1)
    }
  },
)

idempotency('a registration is answered again for a day', async () => {
  const clock = { at }
  const world = createWorld({ now: () => clock.at })
  const ask = asking(postClients, world)
  const first = membersOf(await ask({ token: master, json, idempotencyKey: uuid }))
  const idAfter = async (seconds: number) => {
    clock.at = secondsAfter(at, seconds)
    return membersOf(await ask({ token: master, json, idempotencyKey: uuid }))['client_id']
  }
  assert.is(await idAfter(86_399), first['client_id'])
})

idempotency(
  'open registration takes a key that nobody guesses, and each key is a registration of its own',
  async () => {
    const world = createWorld()
    const ask = asking(postClients, world, httpSettings(openRegistration))
    const sent = { json: { ...json, token_endpoint_auth_method: 'none' }, remoteAddress: '192.0.2.1' }
    const first = await ask({ ...sent, idempotencyKey: uuid })
    assert.equal(membersOf(await ask({ ...sent, idempotencyKey: uuid })), membersOf(first))
    const other = await ask({ ...sent, idempotencyKey: 'x'.repeat(22) })
    assert.is.not(membersOf(other)['client_id'], membersOf(first)['client_id'])
    const short = await ask({ ...sent, idempotencyKey: 'x'.repeat(21) })
    assert.is(short.status, 400)
    assert.equal(membersOf(short), {
      error: 'invalid_request',
      error_description:
        'Idempotency-Key without a token must have at least 22 characters: send a random UUID in quotation marks',
    })
  },
)

idempotency('an invalid key is 400, names the rule and not the key, and registers nothing', async () => {
  const world = createWorld()
  const ask = asking(postClients, world)
  const invalid = [
    '',
    '""',
    '"open',
    'a b',
    'a, b',
    '"a", "b"',
    'a\u0000',
    '"\u00e9"',
    '"a"b',
    '"\\a"',
    'x'.repeat(256),
  ]
  for (const idempotencyKey of invalid) {
    const answer = await ask({ token: master, json, idempotencyKey })
    assert.is(answer.status, 400, idempotencyKey)
    assert.equal(membersOf(answer), {
      error: 'invalid_request',
      error_description:
        'Idempotency-Key must be one string of 1 to 255 printable ASCII characters: send a random UUID in quotation marks',
    })
    assert.is((await ask({ token: 'unknown', json, idempotencyKey })).status, 401)
  }
  assert.is(world.store.clients.size, 0)
  for (const idempotencyKey of ['1', '"a \\"b\\" \\\\"', 'x'.repeat(255), `"${'x'.repeat(255)}"`])
    assert.is((await ask({ token: master, json, idempotencyKey })).status, 200, idempotencyKey)
})

idempotency('the dry run ignores the key', async () => {
  const world = createWorld()
  const ask = asking(postClients, world)
  const query = { dry_run: ['true'] }
  for (const idempotencyKey of [uuid, ''])
    assert.is((await ask({ token: master, json, query, idempotencyKey })).status, 200)
  const { client_id } = membersOf(await ask({ token: master, json, idempotencyKey: uuid }))
  const dry = membersOf(await ask({ token: master, json: { redirect_uris }, query, idempotencyKey: uuid }))
  assert.not('client_id' in dry && dry['client_id'] === client_id)
})

idempotency.run()
