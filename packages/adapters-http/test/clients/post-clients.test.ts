import { invalidRequest, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { postClients } from '../support/handlers.js'
import { asking, membersOf, redirect_uris } from '../support/http-request.js'
import { createWorld, httpSettings, master, openRegistration } from '../support/in-memory-ports.js'

const registration = suite('POST /clients')

registration('a registration is answered with the client information, as 200', async () => {
  const world = createWorld()
  const answer = await asking(postClients, world)({ token: master, json: { redirect_uris, client_name: 'RP' } })
  assert.is(answer.status, 200)
  assert.equal(answer.headers, { 'Content-Type': 'application/json', ETag: '"0000000000000002-1"' })
  const { client_id, registration_client_uri, ...members } = membersOf(answer)
  assert.is(registration_client_uri, `https://op.example/clients/${String(client_id)}`)
  assert.equal([members['redirect_uris'], members['client_name']], [redirect_uris, 'RP'])
  assert.equal([...world.store.clients.keys()], [client_id])
})

registration('by setting it is 201 with Location (RFC 7591 §3.2.1, RFC 9110 §10.2.2)', async () => {
  const ask = asking(postClients, createWorld(), httpSettings({ registrationStatus: 201 }))
  const answer = await ask({ token: master, json: { redirect_uris } })
  assert.is(answer.status, 201)
  assert.is(answer.headers['Location'], membersOf(answer)['registration_client_uri'])
})

registration(
  'a managed registration without a credential is 401 with a bare challenge, and registers nothing',
  async () => {
    const world = createWorld()
    const answer = await asking(postClients, world)({ json: { redirect_uris } })
    assert.equal([answer.status, answer.headers['WWW-Authenticate']], [401, 'Bearer'])
    assert.equal(membersOf(answer), {
      error: 'missing_token',
      error_description:
        'Every registration here needs an initial access token: send it as Authorization: Bearer TOKEN',
    })
    assert.is(world.store.clients.size, 0)
  },
)

registration('whoever is not authorized is not told what is wrong with the body: 401 comes before 400', async () => {
  const ask = asking(postClients, createWorld())
  const bodies = [E.left(invalidRequest('The body is not valid JSON')), E.right({ redirect_uris: 1 })]
  for (const body of bodies) {
    assert.is((await ask({ body })).status, 401)
    assert.is((await ask({ body, token: 'unknown' })).status, 401)
    assert.is((await ask({ body, token: master })).status, 400)
  }
})

registration('the operator is told what a client names that the service does not ask, once it is made', async () => {
  const settings = httpSettings()
  const outbound = { ...settings.registration, allowsAddress: (address: string) => address !== '10.0.0.5' }
  const world = createWorld()
  const ask = asking(postClients, world, { ...settings, registration: outbound })
  const json = { redirect_uris, backchannel_logout_uri: 'https://10.0.0.5/out' }
  const dry = await ask({ token: master, json, query: { dry_run: ['true'] } })
  assert.equal((await ask({ token: master, json: { ...json, client_name: 7 } })).status, 400)
  assert.equal(world.warned, [])
  const { client_id, ...made } = membersOf(await ask({ token: master, json }))
  assert.not('warnings' in made)
  const warnings = membersOf(dry)['warnings']
  assert.equal(world.warned, [[client_id, warnings]])
  assert.equal(
    world.warned.flatMap(([, each]) => each.map(({ rule }) => rule)),
    ['logout-not-sent', 'host-not-reached'],
  )
  await ask({ token: master, json: { redirect_uris } })
  assert.is(world.warned.length, 1)
})

registration('a body that cannot be read is 400 with the reason, and no challenge', async () => {
  const body = E.left(invalidRequest('The body is not valid JSON'))
  const answer = await asking(postClients, createWorld())({ token: master, body })
  assert.equal(membersOf(answer), { error: 'invalid_request', error_description: 'The body is not valid JSON' })
  assert.equal(answer.headers, { 'Content-Type': 'application/json' })
})

registration(
  'a dry run answers with what would be registered, as 200, without credentials, and registers nothing',
  async () => {
    const world = createWorld()
    const ask = asking(postClients, world, httpSettings({ registrationStatus: 201 }))
    const answer = await ask({ token: master, json: { redirect_uris }, query: { dry_run: ['true'] } })
    assert.is(answer.status, 200)
    assert.not.ok('Location' in answer.headers)
    const members = membersOf(answer)
    assert.equal(members['redirect_uris'], redirect_uris)
    for (const name of ['client_id', 'client_secret', 'registration_access_token']) assert.not.ok(name in members, name)
    assert.is(world.store.clients.size, 0)
  },
)

registration('dry_run with another value is 400, after 401, and registers nothing', async () => {
  const world = createWorld()
  const ask = asking(postClients, world)
  for (const values of [['yes'], [''], ['true', 'true'], ['false', 'false']]) {
    const given = { json: { redirect_uris }, query: { dry_run: values } }
    assert.is((await ask(given)).status, 401)
    assert.is(membersOf(await ask({ ...given, token: master }))['error'], 'invalid_request')
  }
  assert.is(world.store.clients.size, 0)
})

registration('in open registration whoever presents nothing may register', async () => {
  const answer = await asking(postClients, createWorld(), httpSettings(openRegistration))({ json: { redirect_uris } })
  assert.is(answer.status, 200)
})

registration(
  'in open registration a credential that does not count is 401 all the same, never silently nobody',
  async () => {
    const world = createWorld()
    const ask = asking(postClients, world, httpSettings(openRegistration))
    const presented = [
      { token: 'unknown' },
      { authorization: ['Basic abc'] },
      { authorization: [`Bearer ${master}`, 'Bearer x'] },
      { query: { access_token: [master] } },
    ]
    for (const given of presented) assert.is((await ask({ json: { redirect_uris }, ...given })).status, 401)
    assert.is((await ask({ json: { redirect_uris, access_token: master } })).status, 401)
    assert.is(world.store.clients.size, 0)
  },
)

registration('a store that cannot write is 503 with Retry-After; why is for the log alone', async () => {
  const world = createWorld({ addClient: () => TE.left(unavailable('disk full')) })
  const { actor, ...answer } = await asking(postClients, world)({ token: master, json: { redirect_uris } })
  assert.is(actor?.kind, 'master')
  const refusal = { error: 'unavailable' }
  const headers = { 'Retry-After': '1' }
  assert.equal(answer, { status: 503, headers, body: { kind: 'empty' }, detail: 'disk full', refusal })
})

registration.run()
