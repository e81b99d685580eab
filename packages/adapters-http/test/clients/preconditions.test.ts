import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteClient, getClient, postClients, putClient } from '../support/handlers.js'
import { asking, membersOf, redirect_uris } from '../support/http-request.js'
import { createWorld, httpSettings, master } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'

const preconditions = suite('ETag and If-Match at /clients/{id}')

const required = httpSettings()
const requiring = { ...required, registration: { ...required.registration, requiresIfMatch: true } }

preconditions('POST, GET and PUT answer with the ETag of the version that they show (RFC 9110 §8.8.3)', async () => {
  const world = createWorld()
  const posted = await asking(postClients, world)({ token: master, json: { redirect_uris } })
  const id = String(membersOf(posted)['client_id'])
  const read = () => asking(getClient, world)({ id, token: master })
  assert.is((await read()).headers['ETag'], posted.headers['ETag'])
  const put = await asking(putClient, world)({ id, token: master, json: { redirect_uris } })
  assert.is.not(put.headers['ETag'], posted.headers['ETag'])
  assert.is((await read()).headers['ETag'], put.headers['ETag'])
})

preconditions('of two who change what they both read, the second one is told (RFC 9110 §13.1.1)', async () => {
  const world = createWorld()
  const { id } = await registered(world)
  const { headers } = await asking(getClient, world)({ id, token: master })
  const change = (client_name: string) =>
    asking(putClient, world)({ id, token: master, ifMatch: headers['ETag'], json: { redirect_uris, client_name } })
  assert.is((await change('first')).status, 200)
  const second = await change('second')
  assert.is(second.status, 412)
  assert.equal(membersOf(second), {
    error: 'precondition_failed',
    error_description:
      'The client was changed since the version that the request names: read it again, and name its present entity tag (If-Match)',
  })
  assert.is(membersOf(await asking(getClient, world)({ id, token: master }))['client_name'], 'first')
  const removed = await asking(deleteClient, world)({ id, token: master, ifMatch: headers['ETag'] })
  assert.is(removed.status, 412)
})

preconditions('what is no entity tag of the client matches none; a list and * match', async () => {
  const world = createWorld()
  const { id } = await registered(world)
  const { headers } = await asking(getClient, world)({ id, token: master })
  const tag = String(headers['ETag'])
  const removeBy = async (ifMatch: string) => (await asking(deleteClient, world)({ id, token: master, ifMatch })).status
  for (const other of ['', '""', `W/${tag}`, tag.slice(1), `*, "x"`, '"a,b"', '\u0000'])
    assert.is(await removeBy(other), 412, other)
  const put = await asking(putClient, world)({ id, token: master, ifMatch: ' * ', json: { redirect_uris } })
  assert.is(await removeBy(`"x", W/"y" ,${String(put.headers['ETag'])}`), 204)
})

preconditions('where the operator requires it, a change without If-Match is 428 (RFC 6585 §3)', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const given = { id, token, json: { redirect_uris } }
  for (const handler of [putClient, deleteClient]) {
    const response = await asking(handler, world, requiring)(given)
    assert.is(response.status, 428)
    assert.is(membersOf(response)['error'], 'precondition_required')
    assert.is((await asking(handler, world, requiring)({ ...given, token: 'unknown' })).status, 401)
  }
  const { headers } = await asking(getClient, world, requiring)({ id, token })
  assert.is((await asking(putClient, world, requiring)({ ...given, ifMatch: headers['ETag'] })).status, 200)
})

preconditions('the version is compared before the body is judged, and after the token (RFC 9110 §13.2.1)', async () => {
  const world = createWorld()
  const { id, token } = await registered(world)
  const statusOf = async (given: { readonly token: string; readonly ifMatch: string }) =>
    (await asking(putClient, world)({ id, json: { redirect_uris: 'faulty' }, ...given })).status
  assert.is(await statusOf({ token, ifMatch: '"other"' }), 412)
  assert.is(await statusOf({ token, ifMatch: '*' }), 400)
  assert.is(await statusOf({ token: 'unknown', ifMatch: '"other"' }), 401)
})

preconditions.run()
