// An upgrade to the next release, with one migration, and the return to this one, instance by instance and under load.
import { startForwarder } from '../../../adapters-postgresql/test/support/forwarder.js'
import { freePort } from '../../../adapters-postgresql/test/support/free-port.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { last } from '../../../adapters-postgresql/test/support/next-release.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import * as assert from 'uvu/assert'
import { bundledProgram } from '../support/bundled-program.js'
import { type Service, mainFile, startService } from '../support/service.js'
import { environmentOf, settingsOn } from './postgresql-service.js'
import { type Account, newAccount, textOf, work } from './upgrade-load.js'

const tests = postgresqlSuite('an upgrade under load')

const nextFile = bundledProgram('next-release-service')

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Instances behind a proxy, which sends new connections to those that are in it, in turns. */
const startFleet = async (url: string) => {
  const places: Array<{ readonly port: number; readonly service: Service; isIn: boolean }> = []
  const turn = { next: 0 }
  const proxy = await startForwarder(() => {
    const ports = places.filter(({ isIn }) => isIn).map(({ port }) => port)
    turn.next += 1
    return ports.slice(turn.next % Math.max(1, ports.length))
  })
  const base = `http://127.0.0.1:${proxy.port}`
  const start = async (file: string): Promise<void> => {
    const port = await freePort()
    // The load presents tokens of deleted clients many times.
    const unbounded = { 'maximum-failed-credentials': 'off' }
    const settings = environmentOf(settingsOn(url, { 'base-url': base, port: `${port}`, ...unbounded }))
    places.push({ port, service: await startService(settings, '/nowhere/data', file), isIn: true })
  }
  /** As a supervisor does: out of the proxy, SIGTERM, and the other release in its place. */
  const replaceFirst = async (file: string): Promise<void> => {
    const [first] = places
    if (first === undefined) throw new Error('no instance is left')
    first.isIn = false
    await pause(200)
    assert.is(await first.service.stop(), 0)
    places.shift()
    await start(file)
  }
  const close = async (): Promise<void> => {
    await proxy.close()
    for (const { service } of places) await service.stop('SIGKILL')
  }
  return { base, start, replaceFirst, close }
}

const expectGood = (account: Account): void => {
  const text = textOf(account)
  assert.equal(account.unexpected, [], text)
  assert.ok(account.answered >= 500, text)
  assert.ok(account.unavailable <= account.answered / 1_000, text)
}

tests('to the next release and back answers what is due', async (server) => {
  const url = await newDatabase(server)
  const fleet = await startFleet(url)
  const account = newAccount()
  const end = { isOver: false }
  try {
    for (let count = 0; count < 3; count += 1) await fleet.start(mainFile)
    const load = Promise.all([1, 2, 3, 4].map(() => work(fleet.base, account, () => end.isOver)))
    for (const file of [nextFile, nextFile, nextFile, mainFile, mainFile, mainFile]) {
      await pause(500)
      await fleet.replaceFirst(file)
    }
    await pause(500)
    end.isOver = true
    await load
  } finally {
    end.isOver = true
    await fleet.close()
  }
  process.stdout.write(`${textOf(account)}\n`)
  expectGood(account)
  assert.equal(await query(url, 'SELECT version::int FROM schema_version'), [{ version: last + 1 }])
})

tests.run()
