// What tests on PostgreSQL stand on: a real server, started in a temporary folder from the binaries of the distribution.
//
//   const tests = postgresqlSuite('what it is about')
//   tests('what holds', async (server) => { const url = await newDatabase(server); … })
//   tests.own('what holds after a crash', async (server) => { await server.stop('immediate'); await server.start(); … })
//   tests.run()
//
// Where PostgreSQL is not installed (`apt-get install postgresql`), the tests are skipped and counted as such. With
// CLIENTELE_TEST_POSTGRESQL (given.ts) the tests use another server; those that stop the server are skipped there.
import { suite } from 'uvu'
import { findBinaries } from './binaries.js'
import { givenServer } from './given-server.js'
import { givenUrl } from './given.js'
import { type OwnServer, type Server, startServer } from './server.js'

export type PostgresqlSuite = {
  (title: string, test: (server: Server) => Promise<void>): void
  /** A test that may stop the server. */
  readonly own: (title: string, test: (server: OwnServer) => Promise<void>) => void
  readonly run: () => void
}

/** Starts at the first use, so that a test shows why the server does not start. */
const shared = <A extends Server>(start: () => Promise<A>) => {
  let started: Promise<A> | undefined
  const get = (): Promise<A> => (started ??= start())
  const close = async (): Promise<void> => {
    const server = await started?.catch(() => undefined)
    await server?.close()
  }
  return { get, close }
}

/** Tests that share one server; they are skipped where something else that they need is not installed. */
export const postgresqlSuite = (name: string, isElseInstalled = true): PostgresqlSuite => {
  const tests = suite(name)
  const isInstalled = findBinaries() !== undefined
  const own = shared(startServer)
  const url = givenUrl
  const given = url === undefined ? undefined : shared(async () => givenServer(url))
  tests.after(own.close)
  tests.after(async () => given?.close())
  const add = (title: string, test: (server: Server) => Promise<void>): void => {
    if (!isElseInstalled || (given === undefined && !isInstalled)) return tests.skip(title)
    tests(title, async () => test(await (given ?? own).get()))
  }
  const addOwn = (title: string, test: (server: OwnServer) => Promise<void>): void => {
    if (!isElseInstalled || given !== undefined || !isInstalled) return tests.skip(title)
    tests(title, async () => {
      const server = await own.get()
      try {
        await test(server)
      } catch (error) {
        // The tests that follow find a server as at the start, whatever this one did to it.
        await server.stop('immediate')
        await server.start()
        throw error
      }
    })
  }
  return Object.assign(add, { own: addOwn, run: () => tests.run() })
}
