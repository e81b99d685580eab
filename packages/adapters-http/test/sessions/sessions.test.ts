import { secondsAfter } from '@clientele/domain/kernel'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpPorts } from '../../src/ports.js'
import {
  postClients,
  deleteSession,
  getSessions,
  postFindSession,
  postSessionClients,
  postSessions,
} from '../support/handlers.js'
import { type Members, asking, membersOf, redirect_uris } from '../support/http-request.js'
import { type World, at, createWorld, httpSettings, master } from '../support/in-memory-ports.js'

const sessions = suite('sessions')

type Clock = { seconds: number }
type Served = {
  readonly world: World
  readonly clock: Clock
  readonly ended: { count: number }
  readonly ask: ReturnType<typeof asksOf>
}

const asksOf = (ports: HttpPorts, settings = httpSettings()) => ({
  start: asking(postSessions, ports, settings),
  find: asking(postFindSession, ports, settings),
  join: asking(postSessionClients, ports, settings),
  list: asking(getSessions, ports, settings),
  end: asking(deleteSession, ports, settings),
  register: asking(postClients, ports, settings),
})

const serve = (settings = httpSettings()): Served => {
  const clock = { seconds: 0 }
  const ended = { count: 0 }
  const world = createWorld({
    now: () => secondsAfter(at, clock.seconds),
    sessionEnded: () => void (ended.count += 1),
  })
  return { world, clock, ended, ask: asksOf(world, settings) }
}

const started = async ({ ask }: Served, json: unknown = { sub: 'alice' }): Promise<Members> => {
  const answer = await ask.start({ method: 'POST', token: master, json })
  assert.is(answer.status, 201)
  return membersOf(answer)
}

const textOf = (members: Members, name: string): string => String(members[name])
const sidOf = (members: Members): { readonly id: string } => ({ id: textOf(members, 'sid') })

const cookieOf = ({ cookie }: Members): string =>
  String(Object.entries(cookie ?? {}).find(([name]) => name === 'value')?.[1])

const registered = async ({ ask }: Served, metadata: Members = {}): Promise<string> =>
  textOf(
    membersOf(await ask.register({ method: 'POST', token: master, json: { redirect_uris, ...metadata } })),
    'client_id',
  )

const listed = async ({ ask }: Served, sub = 'alice'): Promise<ReadonlyArray<Members>> => {
  const answer = await ask.list({ token: master, query: { sub: [sub] } })
  assert.is(answer.status, 200)
  const { sessions: all } = membersOf(answer)
  return Array.isArray(all) ? all.map((each: unknown): Members => Object.fromEntries(Object.entries(each ?? {}))) : []
}

sessions('a session is started, with its cookie', async () => {
  const served = serve()
  const answer = await served.ask.start({
    method: 'POST',
    token: master,
    json: { sub: 'alice', lifetime: 60, idle_lifetime: 10 },
  })
  const members = membersOf(answer)
  const { set_cookie, cookie, ...session } = members
  assert.equal([answer.status, answer.headers], [201, { 'Content-Type': 'application/json' }])
  assert.equal(
    { ...session, sid: typeof session['sid'] },
    {
      sid: 'string',
      sub: 'alice',
      auth_time: at,
      used_at: at,
      idle_lifetime: 10,
      expires_at: at + 60,
      ends_at: at + 10,
      clients: [],
    },
  )
  assert.equal(cookie, { name: '__Host-clientele-session', value: cookieOf(members) })
  assert.is(set_cookie, `__Host-clientele-session=${cookieOf(members)}; Path=/; HttpOnly; SameSite=Lax; Secure`)
})

sessions('without https the cookie has no prefix and is not Secure', async () => {
  const settings = httpSettings()
  const plain = { ...settings, registration: { ...settings.registration, issuer: 'http://127.0.0.1:8080' } }
  const members = await started(serve(plain))
  assert.is(members['set_cookie'], `clientele-session=${cookieOf(members)}; Path=/; HttpOnly; SameSite=Lax`)
})

sessions('all that is wrong with a body is told, and nothing is kept', async () => {
  const served = serve()
  const answer = await served.ask.start({
    method: 'POST',
    token: master,
    json: { sub: 'ü', lifetime: 0, idle_lifetime: '1', lifetme: 1 },
  })
  const { error, errors } = membersOf(answer)
  assert.equal([answer.status, error], [400, 'invalid_request'])
  assert.equal(
    Array.isArray(errors) && errors.map(({ pointer, rule }: { pointer: string; rule: string }) => [pointer, rule]),
    [
      ['/sub', 'subject'],
      ['/lifetime', 'session-lifetime'],
      ['/idle_lifetime', 'session-lifetime'],
      ['/lifetme', 'session-member'],
    ],
  )
  for (const json of [
    undefined,
    null,
    [],
    'alice',
    { sub: '' },
    { sub: 'x'.repeat(256) },
    { sub: 'a', lifetime: 31_536_001 },
  ])
    assert.is((await served.ask.start({ method: 'POST', token: master, json })).status, 400)
  assert.equal(await listed(served), [])
})

sessions('nobody but the master token is answered', async () => {
  const served = serve()
  const session = await started(served)
  for (const token of [undefined, 'unknown'])
    for (const ask of Object.values(served.ask).slice(0, 5)) {
      const answer = await ask({
        ...(token === undefined ? {} : { token }),
        json: { sub: 'a' },
        query: {},
        ...sidOf(session),
      })
      assert.equal(
        [answer.status, membersOf(answer)['error']],
        [401, token === undefined ? 'missing_token' : 'invalid_token'],
      )
    }
  assert.is((await listed(served)).length, 1)
})

sessions('a browser is known by its cookie until the session is idle for too long', async () => {
  const served = serve()
  const session = await started(served, { sub: 'alice', lifetime: 1000, idle_lifetime: 100 })
  const find = async (cookie = cookieOf(session)) =>
    served.ask.find({ method: 'POST', token: master, json: { cookie } })
  for (const seconds of [5, 99, 190, 280]) {
    served.clock.seconds = seconds
    const answer = await find()
    assert.equal([answer.status, membersOf(answer)['sid']], [200, session['sid']])
  }
  served.clock.seconds = 380
  assert.is((await find()).status, 404)
  assert.equal(await listed(served), [])
  assert.is((await find('unknown')).status, 404)
  assert.is((await find('a b')).status, 400)
})

sessions('however much it is used, it is over at the end of its lifetime', async () => {
  const served = serve()
  const session = await started(served, { sub: 'alice', lifetime: 100, idle_lifetime: 90 })
  const find = () => served.ask.find({ method: 'POST', token: master, json: { cookie: cookieOf(session) } })
  served.clock.seconds = 80
  assert.is((await find()).status, 200)
  served.clock.seconds = 100
  assert.is((await find()).status, 404)
})

sessions('a client joins once, by the names of the session or its own', async () => {
  const served = serve()
  const session = await started(served)
  const client_id = await registered(served)
  const join = async (json: unknown) => served.ask.join({ method: 'POST', token: master, json, ...sidOf(session) })
  assert.equal(membersOf(await join({ client_id })), { client_id, sub: 'alice', sid: session['sid'] })
  assert.equal(membersOf(await join({ client_id, sub: 'pairwise', sid: 's' })), {
    client_id,
    sub: 'pairwise',
    sid: 's',
  })
  assert.equal(membersOf(await join({ client_id })), { client_id, sub: 'pairwise', sid: 's' })
  const [found] = await listed(served)
  assert.equal(found?.['clients'], [{ client_id, sub: 'pairwise', sid: 's' }])
})

sessions('a client that is not registered does not join, nor any a session that is over or unknown', async () => {
  const served = serve()
  const session = await started(served, { sub: 'alice', lifetime: 10 })
  const client_id = await registered(served)
  const unknown = await served.ask.join({ method: 'POST', token: master, json: { client_id: 'x' }, ...sidOf(session) })
  assert.equal(
    [unknown.status, membersOf(unknown)['error_description']],
    [400, 'client_id must be the client_id of a registered client'],
  )
  const nowhere = { id: 'unknown' }
  assert.is((await served.ask.join({ method: 'POST', token: master, json: { client_id }, ...nowhere })).status, 404)
  served.clock.seconds = 10
  assert.is(
    (await served.ask.join({ method: 'POST', token: master, json: { client_id }, ...sidOf(session) })).status,
    404,
  )
})

sessions('a session holds 100 clients, and then says so', async () => {
  const served = serve()
  const session = await started(served)
  const ids: string[] = []
  for (let nth = 0; nth < 101; nth += 1) ids.push(await registered(served))
  const joined: number[] = []
  for (const client_id of ids)
    joined.push(
      (await served.ask.join({ method: 'POST', token: master, json: { client_id }, ...sidOf(session) })).status,
    )
  assert.equal(joined, [...Array.from({ length: 100 }, () => 200), 409])
})

sessions('the operator ends a session once; the applications are owed a notice', async () => {
  const served = serve()
  const session = await started(served)
  const end = () => served.ask.end({ method: 'DELETE', token: master, ...sidOf(session) })
  assert.equal([(await end()).status, served.ended.count], [204, 1])
  assert.equal([(await end()).status, served.ended.count], [404, 1])
  assert.equal(await listed(served), [])
})

sessions('how many notices gave way to those of a session that ends is told to the host', async () => {
  const reported: Array<number> = []
  const world = createWorld({ sessionEnded: ({ gaveWay }) => void reported.push(gaveWay) })
  const { logout, ...settings } = httpSettings()
  const policy = { ...logout.policy, backchannel: true, notificationLimits: { maxPerClient: 1, maxInAll: 10 } }
  const ask = asksOf(world, { ...settings, logout: { ...logout, policy } })
  const json = { redirect_uris, backchannel_logout_uri: 'https://rp.example/out' }
  const client_id = textOf(membersOf(await ask.register({ token: master, json })), 'client_id')
  for (const sub of ['alice', 'bob']) {
    const sid = sidOf(membersOf(await ask.start({ token: master, json: { sub } })))
    await ask.join({ ...sid, token: master, json: { client_id } })
    assert.is((await ask.end({ ...sid, token: master })).status, 204)
  }
  assert.equal(reported, [0, 1])
})

sessions('the list needs one sub', async () => {
  const served = serve()
  for (const query of [{}, { sub: ['a', 'b'] }])
    assert.is((await served.ask.list({ token: master, query })).status, 400)
})

sessions.run()
