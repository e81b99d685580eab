// A start that waits for the database, or is almost complete, when the signal to stop comes: real processes.
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import * as assert from 'uvu/assert'
import { launch } from '../support/service.js'
import { environmentOn, soon } from './workers-process.js'

const stopping = postgresqlSuite('SIGTERM during a start')

/** The status of a process that gets SIGTERM when so many connections to a database that never answers are open. */
const statusWhenWaiting = async (workers: string, connections: number): Promise<number | null> => {
  const open: Array<Socket> = []
  const silent = createServer((socket) => void open.push(socket.on('error', () => undefined)))
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening))
  const { port } = silent.address() as AddressInfo
  const { child, exited, output } = launch(
    [],
    await environmentOn(`postgresql://role:password@127.0.0.1:${port}/none`, { workers }),
  )
  try {
    await soon(() => open.length >= connections, 'the start waits for the database')
    const began = performance.now()
    child.kill('SIGTERM')
    const status = await exited
    assert.ok(performance.now() - began < 5_000, `ended after ${performance.now() - began} ms`)
    assert.is(output().stdout, '')
    return status
  } finally {
    child.kill('SIGKILL')
    for (const socket of open) socket.destroy()
    silent.close()
  }
}

stopping('ends a process that waits for the database', async () => {
  assert.is(await statusWhenWaiting('1', 1), 0)
})

stopping('ends all workers that wait for the database', async () => {
  assert.is(await statusWhenWaiting('2', 2), 0)
})

stopping('ends workers of which some take no messages yet', async () => {
  assert.is(await statusWhenWaiting('4', 1), 0)
})

stopping('stops an instance that completes its start meanwhile', async (server) => {
  const url = await newDatabase(server)
  const announced = () => query(url, 'SELECT 1 FROM instances').catch(() => [])
  const { child, exited, output } = launch([], await environmentOn(url, { workers: '1' }))
  try {
    await soon(async () => (await announced()).length === 1, 'the instance is announced')
    child.kill('SIGTERM')
    assert.is(await exited, 0)
    const isComplete = /^clientele ready /m.test(output().stdout)
    // A start that takes longer, as on a busy machine, leaves its announcement to expire.
    if (isComplete) assert.equal(await announced(), [])
    else assert.match(output().stderr, 'stopped before the start was complete')
  } finally {
    child.kill('SIGKILL')
  }
})

stopping.run()
