// What chooses connections, and what is said of them.
import { exampleClient, exampleConsent, exampleHash, exampleTime, law } from '@clientele/testing'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../src/kernel/time.js'
import { useTime } from '../../src/life-cycle/states.js'
import { decodeListQuery, readBulkRequest, tellsNothing } from '../../src/managing/query.js'
import {
  type Connection,
  type ConnectionFilter,
  connectionId,
  connectionParameters,
  connectionStates,
  describeConnection,
  matchesConnection,
  positionOfConnection,
} from '../../src/provider/connections.js'

const Connections = suite('connections')
const it = law(Connections)

const day = 86_400
const clients = ['a', 'b'].map((id) => exampleClient(id))
const users = ['zoe', 'ann']
const scopes = ['openid', 'email', 'read', 'write']
const time = fc.nat(10 * day).map((seconds) => secondsAfter(exampleTime, seconds))

const connection: fc.Arbitrary<Connection> = fc
  .record({
    client: fc.constantFrom(...clients),
    user: fc.constantFrom(...users),
    scope: fc.subarray(scopes),
    resources: fc.dictionary(fc.constantFrom('https://api.example/', '__proto__'), fc.subarray(scopes)),
    since: time,
    last_use: fc.option(time.map(useTime), { nil: undefined }),
    revoked: fc.option(time, { nil: undefined }),
    position: fc.nat(),
  })
  .map(({ client, user, revoked, ...others }) => ({
    ...exampleConsent(client, user),
    ...others,
    access_tokens: 0,
    refresh_tokens: 0,
    ...(revoked === undefined ? {} : { revoked: { at: revoked, by: { kind: 'master' as const, fingerprint: 'f' } } }),
  }))

const filter: fc.Arbitrary<ConnectionFilter> = fc.record(
  {
    client_id: fc.constantFrom(...clients.map(({ client_id }) => client_id)),
    sub: fc.constantFrom(...users.map((user) => exampleConsent(exampleClient('a'), user).sub)),
    scope: fc.constantFrom(...scopes),
    resource: fc.constantFrom('https://api.example/', '__proto__', 'constructor'),
    used_since: time,
    idle_since: time,
    state: fc.constantFrom(...connectionStates),
  },
  { requiredKeys: [], noNullPrototype: true },
)

const named = (state: ConnectionFilter['state']): ConnectionFilter => (state === undefined ? {} : { state })

it('a filter selects what each of its members selects in that state', [connection, filter], (each, wanted) => {
  const { state, ...others } = wanted
  const parts = Object.entries(others).map(([name, value]): ConnectionFilter => ({ ...named(state), [name]: value }))
  assert.is(
    matchesConnection(wanted)(each),
    [named(state), ...parts].every((part) => matchesConnection(part)(each)),
  )
})

it('without a state, live ones are selected; the states part all', [connection], (each) => {
  assert.is(matchesConnection({})(each), matchesConnection({ state: 'live' })(each))
  assert.is.not(matchesConnection({ state: 'live' })(each), matchesConnection({ state: 'revoked' })(each))
})

it(
  'a connection was used since a time, or it is idle since then, or it began later',
  [connection, time],
  (each, at) => {
    const state = each.revoked === undefined ? 'live' : 'revoked'
    const ways = [
      matchesConnection({ state, used_since: at })(each),
      matchesConnection({ state, idle_since: at })(each),
      each.since >= at && (each.last_use === undefined || each.last_use < useTime(at)),
    ]
    assert.is(ways.filter((way) => way).length, 1)
  },
)

it('an id is of one position, and no other text is an id', [fc.maxSafeNat(), fc.string()], (position, text) => {
  assert.is(positionOfConnection(connectionId(position)), position)
  const other = positionOfConnection(text)
  assert.ok(other === undefined || connectionId(other) === text)
})

it('a description has no more than it says: neither what was shown nor a registration', [connection], (each) => {
  const text = JSON.stringify(describeConnection(each, 'A name'))
  assert.not.match(text, 'redirect_hosts')
  assert.not.match(text, each.client.registration_id)
  assert.match(text, '"client_name":"A name"')
})

const names = [...Object.keys(connectionParameters), 'limit', 'after']

it(
  'decoding a query is total, and names an unknown parameter',
  [fc.string(), fc.array(fc.string())],
  (name, values) => {
    const decoded = decodeListQuery(connectionParameters, { [name]: values })
    if (names.includes(name)) return
    assert.ok(E.isLeft(decoded) || Object.keys({ [name]: values }).length === 0)
  },
)

it('a body of a revocation is anything, and revokes by a filter alone', [fc.anything()], (body) => {
  const selecting = {
    change: 'revocation',
    things: 'connections',
    parameters: connectionParameters,
    tells: tellsNothing,
  }
  const read = readBulkRequest<ConnectionFilter, undefined>(exampleHash, selecting)
  assert.ok(E.isLeft(read(body)))
  assert.ok(E.isLeft(read({ filter: body, count: 1 })))
  assert.ok(E.isRight(read({ filter: { sub: 'zoe', used_since: 1 }, count: 1 })))
})

Connections.run()
