import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { PublishedJwkSet } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Handler } from '../../src/routes/route.js'
import type { HealthPorts, HttpPorts } from '../../src/ports.js'
import { healthRoutes } from '../../src/routes/operations.js'
import { httpRequest, membersOf } from '../support/http-request.js'

const health = suite('GET /health')

const good = { name: 'store', check: TE.right(undefined) }
const bad = { name: 'keys', check: TE.left(unavailable('/secret/path is gone')) }
const current = E.right({ jwkSet: { keys: [] }, maxAge: 0 })

const handlerOf = (path: string, ports: Pick<HttpPorts, 'health' | 'jwkSet'>): Handler => {
  const route = healthRoutes(ports).find((each) => each.path === path)
  if (route === undefined) throw new Error(`there is no route ${path}`)
  return route.handler
}

const ready = (
  checks: HealthPorts['checks'],
  draining = false,
  published: E.Either<Unavailable, PublishedJwkSet> = current,
) =>
  handlerOf('/health/ready', {
    health: { checks, isDraining: () => draining },
    jwkSet: { publishedJwkSet: () => published },
  })(httpRequest())

health('live says that the process answers', async () => {
  const health = { checks: [], isDraining: () => false }
  const answer = await handlerOf('/health/live', { health, jwkSet: { publishedJwkSet: () => current } })(httpRequest())
  assert.equal([answer.status, membersOf(answer)], [200, { status: 'ok' }])
  assert.equal(answer.headers, { 'Content-Type': 'application/json' })
})

health('ready is 200 when every check holds', async () => {
  const answer = await ready([good])
  assert.is(answer.status, 200)
  assert.equal(membersOf(answer), { status: 'ok', checks: [{ name: 'store', status: 'ok' }] })
  assert.equal(answer.headers, { 'Content-Type': 'application/json' })
})

health('ready is 503 when one fails, and says which, not why', async () => {
  const answer = await ready([good, bad])
  assert.is(answer.status, 503)
  const checks = [
    { name: 'store', status: 'ok' },
    { name: 'keys', status: 'failed' },
  ]
  assert.equal(membersOf(answer), { status: 'unavailable', checks })
})

health('ready has the reason that a check has for everybody', async () => {
  const full = { ...unavailable('SQLITE_FULL of /secret/path'), reason: 'the disk is full: free some space' }
  const answer = await ready([{ name: 'store', check: TE.left(full) }])
  assert.equal(membersOf(answer), {
    status: 'unavailable',
    checks: [{ name: 'store', status: 'failed', detail: 'the disk is full: free some space' }],
  })
})

health('while draining it is 503, although every check holds', async () => {
  const answer = await ready([good], true)
  assert.is(answer.status, 503)
  const checks = [
    { name: 'store', status: 'ok' },
    { name: 'draining', status: 'failed' },
  ]
  assert.equal(membersOf(answer), { status: 'unavailable', checks })
})

health('while the key set could lack a key that signs it is 503, and the log is told since when', async () => {
  const detail = 'the key rings were not read since 1700000000 (in seconds since 1970)'
  const answer = await ready([good], false, E.left(unavailable(detail)))
  assert.equal([answer.status, answer.detail], [503, detail])
  const checks = [
    { name: 'store', status: 'ok' },
    { name: 'keys', status: 'failed' },
  ]
  assert.equal(membersOf(answer), { status: 'unavailable', checks })
})

const readyWith = (reports: ReturnType<NonNullable<HealthPorts['reports']>>) =>
  handlerOf('/health/ready', {
    health: { checks: [good], isDraining: () => false, reports: () => reports },
    jwkSet: { publishedJwkSet: () => current },
  })(httpRequest())

health('a report that does not fail is shown with its detail, and ready is 200', async () => {
  const report = { name: 'settings', status: 'ok', detail: 'base-url differs' } as const
  const answer = await readyWith([report])
  assert.equal(
    [answer.status, membersOf(answer)],
    [200, { status: 'ok', checks: [{ name: 'store', status: 'ok' }, report] }],
  )
})

health('a report that fails is shown with its detail, and ready is 503', async () => {
  const report = { name: 'clock', status: 'failed', detail: 'the clock is 8 seconds ahead' } as const
  const answer = await readyWith([report])
  assert.equal(
    [answer.status, membersOf(answer)],
    [503, { status: 'unavailable', checks: [{ name: 'store', status: 'ok' }, report] }],
  )
})

health.run()
