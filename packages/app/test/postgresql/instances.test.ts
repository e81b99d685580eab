// Several instances on one database: which of them may start, and what is reported about them.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { setTimeout } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Service } from '../../src/compose.js'
import { createLog } from '../../src/observing/log.js'
import { freezeDate } from '../support/frozen-date.js'
import { post } from '../cli/run.js'
import { launch } from '../support/service.js'
import { type Flags, command, masterToken, settingsOn, start } from './postgresql-service.js'

const tests = postgresqlSuite('instances on one database')

const keyOf = (name: string): string => Buffer.alloc(32, name).toString('base64url')
const withKeys = (...names: ReadonlyArray<string>): Flags => ({ 'encryption-key': names.map(keyOf).join(',') })

const refusalOf = async (url: string, flags: Flags): Promise<string> => {
  const outcome = await start(url, flags).catch((error: unknown) => error)
  if (outcome instanceof Error) return outcome.message
  throw new Error('the service started')
}

type Ready = {
  readonly status: number
  readonly checks: ReadonlyArray<{ readonly name: string; readonly status: string; readonly detail?: string }>
}

const readinessOf = async ({ url }: Service): Promise<Ready> => {
  const answer = await fetch(`${url}/health/ready`)
  const { checks } = (await answer.json()) as Pick<Ready, 'checks'>
  return { status: answer.status, checks }
}

type Keys = { readonly seals_with: string; readonly opens_with: ReadonlyArray<string> }
type Listed = Keys & {
  readonly id: string
  readonly version: string
  readonly differing_settings: ReadonlyArray<string>
}
type List = { readonly own_keys: Keys; readonly instances: ReadonlyArray<Listed> }

const list = async (url: string, flags: Flags): Promise<List> => {
  const { status, output, errors } = await command(url, ['instances', 'list', '--json'], flags)
  assert.is(status, 0, errors)
  return JSON.parse(output) as List
}

const listed = async (url: string, flags: Flags = {}): Promise<ReadonlyArray<Listed>> =>
  (await list(url, flags)).instances

/** A log, and its warnings. */
const warned = () => {
  const lines: Array<string> = []
  const log = createLog('warn', { write: (line) => lines.push(line), writableLength: 0 })
  return { log, lines }
}

tests('a start that would seal what a running instance cannot open is refused, and seals nothing', async (server) => {
  const url = await newDatabase(server)
  const sealed = () => query(url, 'SELECT sealed FROM secrets')
  const one = await start(url, withKeys('old'))
  const [{ id } = { id: 'none' }] = await listed(url, withKeys('old'))
  const before = await sealed()
  const refusal = await refusalOf(url, withKeys('new', 'old'))
  assert.match(refusal, `1 running instance (${id}) cannot open what this one would seal`)
  assert.match(refusal, 'add the first encryption-key of this one to theirs')
  assert.not.match(refusal, keyOf('new'))
  assert.not.match(refusal, /\n/)
  const reSealed = await command(url, ['encryption-key', 'rotate'], withKeys('new', 'old'))
  assert.is(reSealed.status, 1)
  assert.match(reSealed.errors, 'cannot open what this one would seal')
  assert.equal(await sealed(), before)
  assert.is((await listed(url, withKeys('old'))).length, 1)
  await one.stop()
  await (await start(url, withKeys('new', 'old'))).stop()
  assert.not.equal(await sealed(), before)
})

tests('a start that fails after it was announced leaves no announcement', async (server) => {
  const url = await newDatabase(server)
  const announced = () => query(url, 'SELECT id FROM instances')
  const one = await start(url, withKeys('old'))
  const taken = await refusalOf(url, { ...withKeys('old'), port: new URL(one.url).port })
  assert.match(taken, 'in use')
  assert.is((await announced()).length, 1)
  await one.stop()
  await query(url, 'ALTER TABLE secrets ADD CONSTRAINT unsealable CHECK (length(sealed) < 0) NOT VALID')
  assert.match(await refusalOf(url, withKeys('new', 'old')), 'violates check constraint "unsealable"')
  assert.equal(await announced(), [])
  await (await start(url, withKeys('old'))).stop()
})

tests('settings with which a start is refused list the instances and their keys, and seal nothing', async (server) => {
  const url = await newDatabase(server)
  const sealed = () => query(url, 'SELECT sealed FROM secrets')
  const one = await start(url, withKeys('old'))
  const before = await sealed()
  const { own_keys: old, instances } = await list(url, withKeys('old'))
  assert.equal(
    instances.map(({ seals_with, opens_with }) => ({ seals_with, opens_with })),
    [old],
  )
  for (const names of [['new', 'old'], ['unknown']]) {
    await refusalOf(url, withKeys(...names))
    const found = await list(url, withKeys(...names))
    assert.equal(
      found.instances.map(({ id }) => id),
      [instances[0]?.id],
    )
    assert.is(found.own_keys.opens_with.length, names.length)
    assert.is(found.own_keys.seals_with, found.own_keys.opens_with[0])
    assert.not.equal(found.own_keys.seals_with, old.seals_with)
    const { status, output } = await command(url, ['instances', 'list'], withKeys(...names))
    assert.is(status, 0)
    assert.match(output, `  encryption-key: seals with ${old.seals_with}, opens ${old.seals_with}\n`)
    assert.match(output, `seals with ${found.own_keys.seals_with}, opens ${found.own_keys.opens_with.join(', ')}\n`)
    assert.not.match(output, keyOf(names[0] ?? ''))
  }
  assert.equal(await sealed(), before)
  await one.stop()
})

tests('a key is changed instance by instance, and nothing is refused', async (server) => {
  const url = await newDatabase(server)
  const services = { one: await start(url, withKeys('old')), other: await start(url, withKeys('old')) }
  const newFirst = withKeys('new', 'old')
  const errorsOf = async (name: string) => (await command(url, ['encryption-key', name], newFirst)).errors
  for (const keys of [withKeys('old', 'new'), newFirst])
    for (const name of ['one', 'other'] as const) {
      await services[name].stop()
      services[name] = await start(url, keys)
      if (name === 'one' && keys === newFirst)
        assert.match(await errorsOf('rotate'), 'running instances seal with another key')
    }
  const reSealed = await command(url, ['encryption-key', 'rotate'], withKeys('new', 'old'))
  assert.is(reSealed.status, 0, reSealed.errors)
  const checked = await command(url, ['encryption-key', 'check'], newFirst)
  assert.is(checked.status, 0, checked.output + checked.errors)
  assert.match(await errorsOf('drop'), 'encryption-key is a setting')
  await Promise.all([services.one.stop(), services.other.stop()])
  await (await start(url, withKeys('new'))).stop()
})

tests('of two that start at once with keys of their own, one is refused', async (server) => {
  const url = await newDatabase(server)
  await (await start(url, withKeys('old'))).stop()
  const starts = [withKeys('one', 'old'), withKeys('other', 'old')].map((flags) => start(url, flags))
  const outcomes = await Promise.allSettled(starts)
  assert.equal(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  for (const each of outcomes) if (each.status === 'fulfilled') await each.value.stop()
})

tests('settings that differ are reported by the log and by readiness, by name only', async (server) => {
  const url = await newDatabase(server)
  const one = await start(url)
  const [{ id } = { id: 'none' }] = await listed(url)
  const { log, lines } = warned()
  const flags = { 'session-lifetime': '77777', 'master-token': 'another-master-token-of-this-test-only' }
  const other = await start(url, { ...flags, host: '127.0.0.1' }, { log })
  assert.is(lines.length, 1)
  assert.match(
    lines[0] ?? '',
    `master-token differs from ${id}; session-lifetime differs from ${id}: give all instances`,
  )
  const { status, checks } = await readinessOf(other)
  assert.is(status, 200)
  assert.equal(
    checks.map(({ name, status: each }) => [name, each]),
    [
      ['store', 'ok'],
      ['settings', 'ok'],
    ],
  )
  assert.match(checks[1]?.detail ?? '', 'session-lifetime differs')
  const shown = JSON.stringify([lines, checks, await query(url, 'SELECT instance FROM instances')])
  for (const secret of ['77777', masterToken, flags['master-token']]) assert.not.match(shown, secret)
  assert.equal(
    (await listed(url)).map(({ differing_settings }) => differing_settings),
    [
      ['master-token', 'session-lifetime'],
      ['master-token', 'session-lifetime'],
    ],
  )
  for (const { stop } of [one, other]) await stop()
})

tests('the list shows three; a stopped one is gone at once', async (server) => {
  const url = await newDatabase(server)
  const services = [await start(url), await start(url), await start(url)]
  const before = await listed(url)
  assert.is(new Set(before.map(({ id }) => id)).size, 3)
  assert.ok(before.every(({ version }) => /^\d+\.\d+\.\d+/.test(version)))
  const { output } = await command(url, ['instances', 'list'])
  for (const { id } of before)
    assert.match(output, new RegExp(`^${id}\n  version \\S+, started at 20\\S+Z, last seen`, 'm'))
  await services[0]?.stop()
  assert.is((await listed(url)).length, 2)
  for (const { stop } of services.slice(1)) await stop()
  assert.match((await command(url, ['instances', 'list'])).output, /^No instance runs on this database\n/)
})

/** A test that is run with a clock of this process that the test sets. */
const withClock = async (test: (pass: (seconds: number) => void) => Promise<void>): Promise<void> => {
  const { pass, restore } = freezeDate()
  try {
    await test(pass)
  } finally {
    restore()
  }
}

tests('a clock that is more than 5 seconds off is refused, in both directions', async (server) => {
  const url = await newDatabase(server)
  for (const [seconds, direction] of [
    [8, 'ahead of'],
    [-16, 'behind'],
  ] as const)
    await withClock(async (pass) => {
      pass(seconds)
      const refusal = await refusalOf(url, {})
      assert.match(
        refusal,
        new RegExp(`the clock of this machine is \\d+\\.\\d seconds ${direction} that of the database`),
      )
      assert.match(refusal, 'synchronize both by NTP, then start again')
    })
  assert.equal(await listed(url), [])
})

tests('a clock that is 3 seconds off is one warning', async (server) => {
  const url = await newDatabase(server)
  const { log, lines } = warned()
  await withClock(async (pass) => {
    pass(3)
    const service = await start(url, { 'management-port': '0' }, { log })
    assert.is(lines.length, 1)
    assert.match(lines[0] ?? '', /the clock of this machine is [123]\.\d seconds ahead of/)
    const metrics = await (await fetch(`${service.managementUrl}/metrics`)).text()
    const [, seconds] = /^clientele_clock_difference_seconds (\S+)$/m.exec(metrics) ?? []
    assert.ok(Number(seconds) > 1 && Number(seconds) <= 3, metrics)
    await service.stop()
  })
})

/** Fails unless the check of the name has failed within the time of an announcement. */
const soonFails = async (service: Service, name: string): Promise<string> => {
  const deadline = performance.now() + 15_000
  for (;;) {
    const { status, checks } = await readinessOf(service)
    const found = checks.find((each) => each.name === name && each.status === 'failed')
    if (found !== undefined && status === 503) return found.detail ?? ''
    if (performance.now() > deadline) throw new Error(`${name} has not failed: ${JSON.stringify(checks)}`)
    await setTimeout(100)
  }
}

tests('an instance is not ready while its clock is off, or after others have taken its place', async (server) => {
  const url = await newDatabase(server)
  const one = await start(url, withKeys('old'))
  // As if the host of the instance had stood still.
  await query(url, 'UPDATE instances SET seen_at = seen_at - 31')
  const other = await start(url, withKeys('new', 'old'))
  await withClock(async (pass) => {
    pass(60)
    assert.match(await soonFails(one, 'encryption-key'), 'this one cannot open what 1 running instance')
    assert.match(await soonFails(other, 'clock'), 'seconds ahead of that of the database: synchronize both by NTP')
  })
  for (const { stop } of [one, other]) await stop()
})

tests('an instance that a migration excludes is not ready, and writes nothing', async (server) => {
  const url = await newDatabase(server)
  const service = await start(url)
  const register = () => post(`${service.url}/clients`, masterToken, { redirect_uris: ['https://rp.example/cb'] })
  assert.is((await register()).status, 200)
  await query(url, 'UPDATE schema_version SET version = 999, works_with = 999')
  assert.match(await soonFails(service, 'schema'), /schema 999, which excludes this version.*start the version that/)
  assert.is((await register()).status, 503)
  assert.is((await fetch(`${service.url}/jwks.json`)).status, 200)
  await service.stop()
})

tests('an instance that was killed is listed until it was not seen for 30 seconds', async (server) => {
  const url = await newDatabase(server)
  const one = await start(url)
  const flags = Object.entries(settingsOn(url, { port: '0' })).map(([name, value]) => `--${name}=${value}`)
  const killed = launch(flags, {})
  while ((await listed(url)).length < 2) await setTimeout(50)
  killed.child.kill('SIGKILL')
  await killed.exited
  const before = await listed(url)
  assert.is(before.length, 2)
  await query(url, 'UPDATE instances SET seen_at = seen_at - 31 WHERE id <> $1', [before[0]?.id])
  assert.equal(await listed(url), before.slice(0, 1))
  await one.stop()
})

tests.run()
