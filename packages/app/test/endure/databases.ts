// A server with a synchronous standby, behind a forwarder that stands for the address that a failover moves.
import { type Forwarder, startForwarder } from '../../../adapters-postgresql/test/support/forwarder.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import { query } from '../../../adapters-postgresql/test/support/query.js'
import { type OwnServer, startServer } from '../../../adapters-postgresql/test/support/server.js'
import { nameOfStandby, startStandby, untilReplicated } from '../../../adapters-postgresql/test/support/standby.js'

export type Databases = {
  /** The database, at an address that stays. */
  readonly url: string
  /** The server that takes writes now. */
  readonly current: () => OwnServer
  /** Starts the current server, after it was stopped. */
  readonly start: () => Promise<void>
  /** Breaks the replication, so that nothing reaches the standby any more. */
  readonly cutReplication: () => void
  /** The current server ends, and the standby becomes it. */
  readonly failOver: () => Promise<void>
  readonly close: () => Promise<void>
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const withPort = (url: string, { port }: Forwarder): string => Object.assign(new URL(url), { port: `${port}` }).href

// After the postmaster was killed, its last processes hold the shared memory for a moment.
const startAgain = async (server: OwnServer, settings: Readonly<Record<string, string>>, tries = 50): Promise<void> => {
  const started = await server.start(settings).then(
    () => true,
    () => false,
  )
  if (started) return
  if (tries === 0) throw new Error('the server does not start again')
  await pause(50)
  await startAgain(server, settings, tries - 1)
}

/** Without `isSynchronous`, an acknowledged write may be lost at the failover. */
export const startDatabases = async (isSynchronous: boolean): Promise<Databases> => {
  const primary = await startServer()
  const state = { current: primary, isReplicating: true }
  const replication = await startForwarder(() => (state.isReplicating ? [primary.port] : []))
  const forwarder = await startForwarder(() => [state.current.port])
  const ofPrimary = isSynchronous ? { synchronous_standby_names: nameOfStandby } : {}
  const url = await newDatabase(primary)
  const standby = await startStandby(primary, replication.port)
  await primary.stop('fast')
  await primary.start(ofPrimary)
  await untilReplicated(primary, isSynchronous ? 'sync' : 'async')
  return {
    url: withPort(url, forwarder),
    current: () => state.current,
    start: () => startAgain(state.current, state.current === primary ? ofPrimary : {}),
    cutReplication: () => {
      state.isReplicating = false
      replication.cut()
    },
    failOver: async () => {
      await primary.stop('immediate')
      await query(standby.urlOfSuperuser, 'SELECT pg_promote()')
      state.current = standby
      forwarder.cut()
    },
    close: async () => {
      for (const each of [forwarder, replication, standby, primary]) await each.close()
    },
  }
}
