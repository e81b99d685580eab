import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deleteClient } from '../support/handlers.js'
import { asking } from '../support/http-request.js'
import { createWorld, master } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'

const deleting = suite('DELETE /clients/{id}')

deleting('is 204 with an empty body, and the client is gone (RFC 7592 §2.3)', async () => {
  for (const credential of ['its own', 'master']) {
    const world = createWorld()
    const { id, token } = await registered(world)
    const { actor, ...answer } = await asking(
      deleteClient,
      world,
    )({ id, token: credential === 'master' ? master : token })
    assert.equal(answer, { status: 204, headers: {}, body: { kind: 'empty' } })
    assert.is(actor?.kind, credential === 'master' ? 'master' : 'registration_access_token')
    assert.is(world.store.clients.size, 0)
  }
})

deleting(
  'twice is 401 to the registration access token, which went with the client, and 404 to the master token',
  async () => {
    const world = createWorld()
    const { id, token } = await registered(world)
    const ask = asking(deleteClient, world)
    await ask({ id, token })
    assert.equal([(await ask({ id, token })).status, (await ask({ id, token: master })).status], [401, 404])
  },
)

deleting.run()
