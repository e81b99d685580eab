import { openInMemoryStore } from '@clientele/adapters-memory'
import { epochSeconds, ruleTexts, unavailable } from '@clientele/domain/kernel'
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import { exampleClient, exampleTime, runParameters, addition } from '@clientele/testing'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createMetrics, doorsOf } from '../../src/observing/metrics.js'
import { type Counted, createCounting } from '../../src/observing/stored-metrics.js'

const request = { method: 'POST', route: '/clients', status: 200, duration_ms: 3 }

const metrics = suite('metrics of the service')

const doorOf = doorsOf('/base', '/logout')

const observing = () => {
  const { observe, read } = createMetrics()
  return { read, observe: (each: Parameters<typeof observe>[0]) => observe(each, doorOf) }
}

metrics('registrations are counted by their registrant, and consumed tokens with them', async () => {
  const { observe, read } = observing()
  observe({ ...request, client_id: 'a' })
  observe({ ...request, client_id: 'b', actor: { kind: 'initial_access_token' } })
  observe({ ...request, client_id: 'c', actor: { kind: 'operator_token' } })
  // A dry run, and a refusal.
  observe(request)
  observe({ ...request, status: 400, error: 'invalid_redirect_uri', rules: ['policy-required', 'made-up'] })
  observe({ ...request, route: '/base/direct-authz' })
  const text = await read()
  assert.match(text, 'clientele_registrations_total{by="anonymous"} 1\n')
  assert.match(text, 'clientele_registrations_total{by="initial_access_token"} 1\n')
  assert.match(text, 'clientele_registrations_total{by="operator"} 1\n')
  assert.match(text, 'clientele_initial_access_tokens_consumed_total 1\n')
  assert.match(text, 'clientele_initial_access_tokens_issued_total 1\n')
  assert.match(text, 'clientele_refusals_total{door="registration",error="invalid_redirect_uri"} 1\n')
  assert.match(text, 'clientele_refused_rules_total{door="registration",rule="other"} 1\n')
})

metrics('what a page of the console asked for counts as what a program asks for itself', async () => {
  const { observe, read } = observing()
  const ofConsole = { ...request, route: '/console/register', actor: { kind: 'operator_token' } } as const
  observe({ ...ofConsole, asked: 'POST /clients', client_id: 'a' })
  observe({ ...ofConsole, asked: 'POST /manage/v1/clients/:id/approval', client_id: 'a' })
  observe(ofConsole)
  observe({ ...ofConsole, route: '/console/tokens', asked: 'POST /base/direct-authz' })
  const text = await read()
  assert.match(text, 'clientele_registrations_total{by="operator"} 1\n')
  assert.match(text, 'clientele_initial_access_tokens_issued_total 1\n')
})

metrics('refusals of known credentials are counted by kind, and by each rule or else the error code', async () => {
  const { observe, read } = observing()
  const kinds = ['registration_access_token', 'initial_access_token', 'operator_token', 'master'] as const
  for (const kind of kinds) observe({ ...request, status: 403, error: 'insufficient_scope', actor: { kind } })
  const violating = { ...request, status: 400, error: 'invalid_redirect_uri', rules: ['policy-required', 'made-up'] }
  observe({ ...violating, actor: { kind: 'initial_access_token' } })
  observe({ ...request, status: 401, error: 'invalid_token', actor: { kind: 'token' } })
  observe({ ...request, status: 401, error: 'missing_token' })
  observe({ ...request, client_id: 'a', actor: { kind: 'master' } })
  const counted = [...(await read()).matchAll(/^clientele_credential_refusals_total\{(.*)\} (\d+)$/gm)]
  assert.equal(
    counted.map(([, labels, count]) => `${labels} ${count}`).sort(),
    [
      ...kinds.map((kind) => `credential="${kind}",rule="insufficient_scope" 1`),
      'credential="initial_access_token",rule="other" 1',
      'credential="initial_access_token",rule="policy-required" 1',
    ].sort(),
  )
})

metrics('no request adds a label beyond the closed lists', async () => {
  const { observe, read } = observing()
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (error, rule, method) => {
      observe({ ...request, method, status: 400, error, rules: [rule] })
    }),
    runParameters(),
  )
  const text = await read()
  const labels = [...text.matchAll(/^clientele_refus\w+\{door="(\w+)",(?:error|rule)="([^"]*)"/gm)]
  assert.ok(labels.length > 0)
  for (const [, door, label = ''] of labels) {
    assert.ok(['registration', 'management'].includes(String(door)))
    assert.ok(label === 'other' || /^[a-z_-]+$/.test(label), label)
  }
  assert.ok(Object.keys(ruleTexts).length < 300)
})

metrics('each route has a door, whatever the paths of the base URL and of the logout', () => {
  const doors = [
    ['POST', '/clients', 'registration'],
    ['GET', '/clients', 'management'],
    ['PUT', '/clients/:id', 'configuration'],
    ['POST', '/clients/:id/suspension', 'management'],
    ['GET', '/authorize', 'authorize'],
    ['GET', '/authorize/:id', 'authorize'],
    ['POST', '/token', 'token'],
    ['POST', '/end-session/confirm', 'logout'],
    ['GET', '/end-session', 'logout'],
    ['GET', '/logout', 'management'],
    ['POST', '/console/clients/:id', 'management'],
    ['DELETE', '/manage/v1/clients/:id', 'management'],
  ] as const
  // The last one as a pattern has it, in which special characters are escaped.
  for (const base of ['', '/oauth', '/console', String.raw`/a\:b`])
    for (const [method, path, door] of doors)
      assert.is(doorsOf(base.replaceAll('\\', ''), '/end-session')({ method, route: `${base}${path}` }), door, path)
  // The socket of the commands has no base.
  assert.is(doorsOf('/oauth', '/logout')({ method: 'POST', route: '/clients' }), 'registration')
  assert.is(doorOf({ method: 'GET', route: '(none)' }), 'none')
})

metrics('commits are counted by their writes and seconds', async () => {
  const { commit, read } = createMetrics()
  commit({ writes: 3, seconds: 0.002 })
  const text = await read()
  assert.match(text, 'clientele_commit_writes_bucket{le="4"} 1\n')
  assert.match(text, 'clientele_commit_duration_seconds_bucket{le="0.0025"} 1\n')
})

const opened = async () => {
  const store = await openInMemoryStore()({
    encryption: { seal: () => assert.unreachable(), open: () => assert.unreachable() } as never,
    generateKey: () => 'key',
    onFatal: () => undefined,
  })()
  if (E.isLeft(store)) throw new Error(store.left.message)
  return store.right
}

metrics('clients are counted by state, and again only when the counts are old', async () => {
  const store = await opened()
  const add = (id: string): Promise<unknown> => store.registry.addClient(addition(exampleClient(id)))()
  for (let number = 0; number < 1_500; number += 1) await add(`client-${number}`)
  await store.clientUses.recordUse(exampleClient('client-1'), exampleTime)()
  const clock = { now: Number(exampleTime) }
  const counting = createCounting({
    census: store.census,
    // What is announced may take too long: the clients are counted all the same.
    removals: TE.left(unavailable('too long')),
    policy: defaultLifeCycle,
    now: () => epochSeconds(clock.now * 1000),
  })
  // The pauses of a pass do not keep a process alive.
  const alive = setInterval(() => undefined, 1_000)
  const first = await counting()
  const expected: Counted['clients'] = {
    unused: 1_499,
    active: 1,
    idle: 0,
    parked: 0,
    pending: 0,
    refused: 0,
    suspended: 0,
  }
  assert.equal(first?.clients, expected)
  await add('another')
  clock.now += 29
  assert.is((await counting())?.clients.unused, 1_499)
  clock.now += 1
  assert.is((await counting())?.clients.unused, 1_500)
  clearInterval(alive)
})

metrics('what is watched is read at each scrape', async () => {
  const { read, watch } = createMetrics()
  const key = { kid: 'k', alg: 'ES256', use: 'sig', phase: 'signing', next: 'retires' } as const
  const times = { published_at: exampleTime, since: exampleTime, next_at: epochSeconds((exampleTime + 100) * 1000) }
  watch({
    now: () => exampleTime,
    keys: () => [{ ...key, ...times }],
    counted: () =>
      Promise.resolve({
        clients: { unused: 1, active: 2, idle: 3, parked: 4, pending: 6, refused: 7, suspended: 5 },
        others: {
          initialAccessTokens: 6,
          endUserSessions: 7,
          notifications: { waiting: 8, failed: 9 },
          oldestNotification: epochSeconds((exampleTime - 10) * 1000),
          size: { database: 4096, log: 0 },
        },
        removals: { clients: 30, within_a_day: 1, within_a_week: 20, first_at: exampleTime },
        at: exampleTime,
      }),
  })
  const text = await read()
  for (const line of [
    'clientele_clients{state="parked"} 4',
    'clientele_end_user_sessions 7',
    'clientele_announced_removals{within="day"} 1',
    'clientele_announced_removals{within="week"} 20',
    'clientele_announced_removals{within="notice"} 30',
    `clientele_first_removal_timestamp_seconds ${exampleTime}`,
    'clientele_logout_notifications{state="failed"} 9',
    'clientele_logout_notification_oldest_seconds 10',
    'clientele_store_bytes{part="database"} 4096',
    'clientele_keys{alg="ES256",use="sig",phase="signing"} 1',
    'clientele_key_next_change_seconds{alg="ES256",use="sig",phase="signing",next="retires"} 100',
  ])
    assert.match(text, `${line}\n`)
})

metrics.run()
