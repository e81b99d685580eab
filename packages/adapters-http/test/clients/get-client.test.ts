import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { getClient } from '../support/handlers.js'
import { asking, membersOf } from '../support/http-request.js'
import { createWorld, master } from '../support/in-memory-ports.js'
import { registered } from '../support/registered.js'

const reading = suite('GET /clients/{id}')

reading(
  'the client information is answered to the registration access token and to the master token (RFC 7592 §2.1)',
  async () => {
    const world = createWorld()
    const { id, token, secret } = await registered(world, { client_name: 'RP' })
    for (const credential of [token, master]) {
      const answer = await asking(getClient, world)({ id, token: credential })
      assert.is(answer.status, 200)
      assert.equal(answer.headers, { 'Content-Type': 'application/json', ETag: '"0000000000000002-1"' })
      const members = membersOf(answer)
      assert.equal([members['client_id'], members['client_secret'], members['client_name']], [id, secret, 'RP'])
      assert.is(members['registration_access_token'], token)
    }
  },
)

reading('no member is null', async () => {
  const world = createWorld()
  const { id, token } = await registered(world, { token_endpoint_auth_method: 'none' })
  const members = membersOf(await asking(getClient, world)({ id, token }))
  assert.not.ok(Object.values(members).includes(null))
  for (const name of ['client_secret', 'client_secret_expires_at']) assert.not.ok(name in members, name)
})

reading.run()
