import { unavailable } from '@clientele/domain/kernel'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { postClients, postDirectAuthz } from '../support/handlers.js'
import { asking, membersOf, redirect_uris } from '../support/http-request.js'
import { createWorld, hashToken, master } from '../support/in-memory-ports.js'

const issuing = suite('POST /direct-authz')

issuing('the master token is issued an initial access token, answered as RFC 6749 §5.1', async () => {
  const answer = await asking(
    postDirectAuthz,
    createWorld(),
  )({
    token: master,
    json: { scope: 'client-reg:grant:code', lifetime: 600 },
  })
  assert.is(answer.status, 200)
  assert.equal(answer.headers, { 'Content-Type': 'application/json' })
  const { access_token, ...members } = membersOf(answer)
  assert.type(access_token, 'string')
  const id = hashToken(String(access_token))
  assert.equal(members, { token_type: 'Bearer', expires_in: 600, scope: 'client-reg:grant:code', id })
})

issuing('the token registers one client, within its scope', async () => {
  const world = createWorld()
  const issued = await asking(postDirectAuthz, world)({ token: master, json: { scope: 'client-reg:grant:code' } })
  const given = { token: String(membersOf(issued)['access_token']), json: { redirect_uris } }
  const register = asking(postClients, world)
  const tooMuch = await register({ ...given, json: { redirect_uris, data: {} } })
  assert.is(tooMuch.status, 403)
  assert.match(
    tooMuch.headers['WWW-Authenticate'] ?? '',
    /^Bearer error="insufficient_scope", error_description="[^"]+"$/,
  )
  assert.equal([(await register(given)).status, (await register(given)).status], [200, 401])
})

issuing('nobody else is: 401, before anything is said of the body', async () => {
  const world = createWorld()
  const ask = asking(postDirectAuthz, world)
  for (const json of [{ scope: 'client-reg' }, null, 1]) {
    assert.is((await ask({ json })).headers['WWW-Authenticate'], 'Bearer')
    assert.is((await ask({ json, token: 'unknown' })).status, 401)
  }
  assert.is(world.store.tokens.size, 0)
})

issuing('a scope that is not one of the specification is 400 invalid_scope', async () => {
  const world = createWorld()
  for (const scope of ['openid', 'client-reg:scope:', ''])
    assert.is(
      membersOf(await asking(postDirectAuthz, world)({ token: master, json: { scope } }))['error'],
      'invalid_scope',
      scope,
    )
  assert.is(world.store.tokens.size, 0)
})

issuing('a store that cannot write is 503, and no token is told', async () => {
  const world = createWorld({ addInitialAccessToken: () => TE.left(unavailable('disk full')) })
  const answer = await asking(postDirectAuthz, world)({ token: master, json: { scope: 'client-reg' } })
  assert.equal([answer.status, answer.body], [503, { kind: 'empty' }])
})

issuing.run()
