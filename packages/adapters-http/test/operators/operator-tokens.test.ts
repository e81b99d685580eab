import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { handlerOf, postDirectAuthz } from '../support/handlers.js'
import { asking, membersOf } from '../support/http-request.js'
import { type World, at, createWorld, hashToken, master } from '../support/in-memory-ports.js'

const Tokens = suite('/operator-tokens')

const routes = (world: World) => ({
  issue: asking(handlerOf('POST /operator-tokens'), world),
  list: asking(handlerOf('GET /operator-tokens'), world),
  revoke: asking(handlerOf('DELETE /operator-tokens/:id'), world),
})

const fingerprint = hashToken(master).slice(0, 12)

Tokens('a token is issued, listed without itself, and revoked', async () => {
  const world = createWorld()
  const { issue, list, revoke } = routes(world)
  const issued = await issue({ token: master, json: { scope: 'keys clients:read', name: 'auditor', lifetime: 60 } })
  assert.is(issued.status, 200)
  const { access_token, ...members } = membersOf(issued)
  const id = hashToken(String(access_token))
  const scope = 'clients:read keys'
  assert.equal(members, { token_type: 'Bearer', expires_in: 60, scope, id })
  const described = {
    id,
    name: 'auditor',
    scope,
    issued_at: at,
    expires_at: at + 60,
    expires_in: 60,
    issued_by: { kind: 'master', fingerprint },
  }
  assert.equal(membersOf(await list({ token: master })), { tokens: [described], more: false })
  assert.is((await revoke({ token: master, id })).status, 204)
  const again = await revoke({ token: master, id })
  assert.equal([again.status, membersOf(again)['error']], [404, 'unknown_operator_token'])
  assert.equal(membersOf(await list({ token: master })), { tokens: [], more: false })
})

Tokens('90 days is the lifetime of a token that is issued without one', async () => {
  const { issue } = routes(createWorld())
  assert.is(membersOf(await issue({ token: master, json: { scope: 'keys' } }))['expires_in'], 90 * 86_400)
})

Tokens('what cannot be issued is told at once, and nothing is stored', async () => {
  const world = createWorld()
  const { issue, list } = routes(world)
  for (const scope of ['operators', 'keys operators', 'client-reg', '', 'keys  metrics', 7, undefined]) {
    const refused = membersOf(await issue({ token: master, json: { scope, lifetime: 0, name: '\u0007' } }))
    assert.is(refused['error'], 'invalid_scope')
    const { errors } = refused
    assert.ok(Array.isArray(errors))
    const rules = errors.map((each: unknown) => new Map(Object.entries(each ?? {})).get('rule'))
    assert.equal(rules, ['operator-scope', 'operator-token-name', 'operator-token-lifetime'])
  }
  assert.equal(membersOf(await list({ token: master }))['tokens'], [])
})

Tokens(
  'an initial access token is answered with its id, and listed with its remaining life and its issuer',
  async () => {
    const world = createWorld()
    const { issue } = routes(world)
    const operator = String(membersOf(await issue({ token: master, json: { scope: 'tokens' } }))['access_token'])
    const json = { scope: 'client-reg', lifetime: 30 }
    const { id } = membersOf(await asking(postDirectAuthz, world)({ token: operator, json }))
    const list = asking(handlerOf('GET /initial-access-tokens'), world)
    const hash = hashToken(operator)
    const issued_by = { kind: 'operator_token', fingerprint: hash.slice(0, 12), id: hash }
    assert.equal(membersOf(await list({ token: master }))['tokens'], [
      { id, scope: 'client-reg', expires_at: at + 30, expires_in: 30, issued_by },
    ])
  },
)

Tokens.run()
