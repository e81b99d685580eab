// A provider cannot record anything for a deleted client, also if its client_id is registered again.
import type { RegisteredClient } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { post } from '../cli/run.js'
import {
  done,
  find,
  grant,
  masterToken,
  register,
  remove,
  startTwo,
  stopTwo,
  type World,
} from '../support/two-services.js'

const provider = suite<{ world: World }>('registrations, as a provider sees them')

provider.before(async (context) => {
  context.world = await startTwo()
})
provider.after(({ world }) => stopTwo(world))

const get = (url: string): Promise<Response> => fetch(url, { headers: { Authorization: `Bearer ${masterToken}` } })

const put = (url: string, json: unknown): Promise<Response> =>
  fetch(url, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${masterToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(json),
  })

provider(
  'what a provider records for a client that was deleted and registered again by another instance is refused',
  async ({ world: { one, other } }) => {
    const { clients, authorizations, sessions } = one.provider
    const { client_id, client_secret } = await register(one)
    const request = { clientId: client_id, method: 'client_secret_basic', secret: client_secret } as const
    const found = [await find(one, client_id), await done(clients.authenticate(request))]
    const { session } = await done(sessions.start({ sub: 'zoe' }))
    await remove(other, { client_id })
    const again = await register(other, { preferred_client_id: client_id })
    assert.is(again.client_id, client_id)
    const later = await find(one, client_id)
    const sent = ({ registration_id }: RegisteredClient) => ({ client_id, registration_id })
    for (const client of found) {
      assert.is.not(client.registration_id, later.registration_id)
      for (const refused of [
        await authorizations.record(grant(client, 'a token'))(),
        await sessions.recordClient(session.sid, sent(client))(),
      ])
        assert.is(E.isLeft(refused) && refused.left.error, 'unknown_client')
    }
    for (const registration_id of ['', 'no registration']) {
      const refused = await sessions.recordClient(session.sid, { client_id, registration_id })()
      assert.is(E.isLeft(refused) && refused.left.error, 'unknown_client')
    }
    assert.equal(await done(authorizations.find('refresh_token', 'a token')), O.none)
    const clientsOf = async () => (await done(sessions.list('zoe'))).find(({ sid }) => sid === session.sid)?.clients
    assert.equal(await clientsOf(), [])

    await done(authorizations.record(grant(later, 'a token')))
    const recorded = O.toUndefined(await done(authorizations.find('refresh_token', 'a token')))
    assert.is(recorded?.registration_id, later.registration_id)
    assert.equal([await done(sessions.recordClient(session.sid, sent(later)))], await clientsOf())
  },
)

provider('an identity of a registration stays through an update, and is in no answer over HTTP', async ({ world }) => {
  const {
    url,
    provider: { sessions },
  } = world.one
  const registered = await register(world.one)
  const { client_id } = registered
  const { registration_id } = await find(world.one, client_id)
  const { session, cookie } = await done(sessions.start({ sub: 'max' }))
  const answers = await Promise.all(
    [
      await put(`${url}/clients/${client_id}`, { client_id, redirect_uris: ['https://rp.example/2'] }),
      await get(`${url}/clients/${client_id}`),
      await get(`${url}/clients`),
      await post(`${url}/sessions/${session.sid}/clients`, masterToken, { client_id }),
      await post(`${url}/sessions/find`, masterToken, { cookie }),
      await get(`${url}/sessions?sub=max`),
    ].map(async (answer) => {
      assert.is(answer.status, 200)
      return answer.text()
    }),
  )
  for (const text of [...answers, JSON.stringify(registered)]) {
    assert.ok(text.includes(client_id))
    assert.not.ok(text.includes(registration_id))
    assert.not.ok(text.includes('registration_id'))
  }
  assert.is((await find(world.one, client_id)).registration_id, registration_id)
  const sent = { client_id, registration_id }
  assert.is((await post(`${url}/sessions/${session.sid}/clients`, masterToken, sent)).status, 400)
})

provider.run()
