import { invalidRequest } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpResponse } from '../../src/http/response.js'
import { deleteClient, getClient, putClient } from '../support/handlers.js'
import { asking, membersOf, redirect_uris } from '../support/http-request.js'
import { createWorld, master } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'

const updating = suite('PUT /clients/{id}')

updating('the updated client information is answered as 200, with new credentials (RFC 7592 §2.2)', async () => {
  const world = createWorld()
  const { id, token, secret } = await registered(world)
  const answer = await asking(
    putClient,
    world,
  )({ id, token, json: { client_id: id, redirect_uris, client_name: 'new' } })
  assert.is(answer.status, 200)
  assert.equal(answer.headers, { 'Content-Type': 'application/json', ETag: '"0000000000000002-2"' })
  const members = membersOf(answer)
  assert.equal([members['client_id'], members['client_name']], [id, 'new'])
  assert.is.not(members['registration_access_token'], token)
  assert.is.not(members['client_secret'], secret)
})

const tokenIn = (answer: HttpResponse): string => String(membersOf(answer)['registration_access_token'])

updating('an update whose answer was lost is sent again with the same token (RFC 7592 §2.2)', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const put = asking(putClient, world)
  const get = asking(getClient, world)
  const lost = await put({ id, token, json: { redirect_uris, client_name: 'lost' } })
  assert.is(lost.status, 200)
  assert.is(membersOf(await get({ id, token }))['client_name'], 'lost')
  const answer = await put({ id, token, json: { redirect_uris, client_name: 'again' } })
  assert.is(answer.status, 200)
  assert.is((await get({ id, token: tokenIn(lost) })).status, 401)
  assert.is((await get({ id, token })).status, 200)
  const read = await get({ id, token: tokenIn(answer) })
  assert.equal([read.status, read.headers['ETag']], [200, answer.headers['ETag']])
  for (const ask of [get, put, asking(deleteClient, world)])
    assert.is((await ask({ id, token, json: { redirect_uris } })).status, 401)
})

updating('in the grace the token of the update also removes the client', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const answer = await asking(putClient, world)({ id, token, json: { redirect_uris } })
  const remove = asking(deleteClient, world)
  assert.is((await remove({ id, token: 'unknown' })).status, 401)
  assert.is((await remove({ id, token })).status, 204)
  assert.is((await asking(getClient, world)({ id, token: tokenIn(answer) })).status, 401)
})

updating('the token of the update opens nothing after an update with the new one, or by the operator', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const put = asking(putClient, world)
  const first = await put({ id, token, json: { redirect_uris } })
  const second = await put({ id, token: tokenIn(first), json: { redirect_uris } })
  assert.is((await put({ id, token, json: { redirect_uris } })).status, 401)
  await put({ id, token: master, json: { redirect_uris } })
  for (const old of [first, second])
    assert.is((await put({ id, token: tokenIn(old), json: { redirect_uris } })).status, 401)
})

updating('a refused update is no use of the new token', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const put = asking(putClient, world)
  const first = await put({ id, token, json: { redirect_uris } })
  assert.is((await put({ id, token: tokenIn(first), json: { redirect_uris: 'none' } })).status, 400)
  assert.is((await put({ id, token, json: { redirect_uris } })).status, 200)
})

updating('a dry run answers what would be, without credentials, and changes nothing', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const before = world.store.clients.get(id)
  const given = { id, token, json: { redirect_uris, client_name: 'new' }, query: { dry_run: ['true'] } }
  const members = membersOf(await asking(putClient, world)(given))
  assert.is(members['client_name'], 'new')
  for (const name of ['client_secret', 'registration_access_token']) assert.not.ok(name in members, name)
  assert.is(world.store.clients.get(id), before)
})

updating(
  'a body that cannot be read, and a dry_run that is neither true nor false, is 400 and changes nothing',
  async () => {
    const world = createWorld()
    const { id, token } = await registered(world)
    const before = world.store.clients.get(id)
    const faults = [
      { body: E.left(invalidRequest('The body is not valid JSON')) },
      { json: { redirect_uris }, query: { dry_run: ['maybe'] } },
      { json: { redirect_uris }, query: { dry_run: ['false', 'false'] } },
    ]
    for (const given of faults) {
      assert.is(membersOf(await asking(putClient, world)({ id, token, ...given }))['error'], 'invalid_request')
      assert.is((await asking(putClient, world)({ id, token: 'unknown', ...given })).status, 401)
    }
    assert.is(world.store.clients.get(id), before)
  },
)

updating.run()
