// The faults of an endurance run.
import { lockTables } from '../../../adapters-postgresql/test/support/lock-tables.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import type { Databases } from './databases.js'
import type { Instance } from './instances.js'
import type { Fault, Journal } from './journal.js'

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

const downTime = 500
const readOnlyTime = 3_000
const lockTime = 4_000
/** For so long, commits wait for the standby before the server crashes: requests still wait for them then. */
const waitingTime = 1_500
/** Longer than the time limit of a statement. */
const unreplicatedTime = 4_000

const crash = async (databases: Databases, mode: 'immediate' | 'killed'): Promise<void> => {
  await databases.current().stop(mode)
  await pause(downTime)
  await databases.start()
}

const beReadOnly = async (databases: Databases): Promise<void> => {
  const { urlOfSuperuser } = databases.current()
  const name = new URL(databases.url).pathname.slice(1)
  const set = (value: string) =>
    query(urlOfSuperuser, `ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`)
  await set('on')
  await query(urlOfSuperuser, 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  await pause(readOnlyTime)
  await set('off')
}

const lock = (databases: Databases): Promise<void> => {
  const url = databases.current().url(new URL(databases.url).pathname.slice(1))
  return lockTables(url, ['clients', 'initial_access_tokens'], lockTime)
}

// The server comes back without its standby for a while: what it recovered may not be at the standby.
const failOver = async (databases: Databases): Promise<void> => {
  databases.cutReplication()
  await pause(waitingTime)
  await crash(databases, 'immediate')
  await pause(unreplicatedTime)
  await databases.failOver()
}

type Step = readonly [Fault, (databases: Databases) => Promise<void>]

const crashed: Step = ['database crashed', (databases) => crash(databases, 'immediate')]
const killed: Step = ['database crashed', (databases) => crash(databases, 'killed')]
const readOnly: Step = ['database read-only', beReadOnly]
const locked: Step = ['tables locked', lock]
const failed: Step = ['failover', failOver]

/** Seconds from which on each fault but the failover comes more than once. */
const longRun = 100

const stepsOf = (seconds: number): ReadonlyArray<Step> =>
  seconds < longRun
    ? [killed, readOnly, locked, failed]
    : [crashed, readOnly, locked, killed, failed, crashed, readOnly, locked, killed]

const maxRecovery = 15_000

/** Waits for the first acknowledgement, and notes how long it took. */
const recover = async (journal: Journal, fault: Fault): Promise<void> => {
  const back = performance.now()
  while (journal.lastAcknowledgement < back && performance.now() - back < maxRecovery) await pause(2)
  journal.recoveries.push({ fault, milliseconds: performance.now() - back })
}

/** One fault of the database after the other, evenly in the seconds. */
export const plagueDatabases = async (databases: Databases, journal: Journal, seconds: number): Promise<void> => {
  const steps = stepsOf(seconds)
  const began = performance.now()
  for (const [index, [fault, run]] of steps.entries()) {
    const due = began + ((index + 0.3) * seconds * 1_000) / steps.length
    await pause(Math.max(0, due - performance.now()))
    await run(databases)
    journal.faults.push(fault)
    await recover(journal, fault)
  }
}

/** Seconds between two kills. */
const killInterval = 7

/** Kills one of the instances that answer at a time. */
export const killInstances = async (
  instances: ReadonlyArray<Instance>,
  journal: Journal,
  isOver: () => boolean,
): Promise<void> => {
  for (;;) {
    await pause(killInterval * 1_000 * (0.75 + Math.random() / 2))
    if (isOver()) return
    const live = instances.filter(({ service }) => service() !== undefined)
    const chosen = live[Math.floor(Math.random() * live.length)]
    if (chosen === undefined) continue
    await chosen.kill()
    journal.faults.push('instance killed')
  }
}
