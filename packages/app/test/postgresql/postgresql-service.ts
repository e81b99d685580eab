// Services on a database of PostgreSQL, and commands on it.
import type { Server } from '../../../adapters-postgresql/test/support/server.js'
import { newDatabase } from '../../../adapters-postgresql/test/support/new-database.js'
import type { Service, ServiceOptions } from '../../src/compose.js'
import { type Ran, run, started } from '../cli/run.js'

export const masterToken = 'the-master-token-of-all-services-in-this-test'

export type Flags = Readonly<Record<string, string>>

/** The settings of every instance on this database. */
export const settingsOn = (url: string, more: Flags = {}): Flags => ({
  'database-url': url,
  'encryption-key': Buffer.alloc(32, 'the key of this test').toString('base64url'),
  'master-token': masterToken,
  'base-url': 'http://127.0.0.1:8080',
  // On PostgreSQL, it is not made.
  'data-dir': '/nowhere/data',
  engine: 'none',
  ...more,
})

/** The same settings for a process. */
export const environmentOf = (flags: Flags): Flags =>
  Object.fromEntries(
    Object.entries(flags).map(([name, value]) => [`CLIENTELE_${name.toUpperCase().replaceAll('-', '_')}`, value]),
  )

export const start = (url: string, more: Flags = {}, options: Partial<ServiceOptions> = {}): Promise<Service> =>
  started(settingsOn(url, more), options)

/** Runs the test with the services, which are stopped afterwards, on one new database. */
export const withServices =
  (count: number, test: (services: ReadonlyArray<Service>, url: string) => Promise<void>) =>
  async (server: Server): Promise<void> => {
    const url = await newDatabase(server)
    const starts = Array.from({ length: count }, () => start(url))
    try {
      await test(await Promise.all(starts), url)
    } finally {
      for (const each of await Promise.allSettled(starts)) if (each.status === 'fulfilled') await each.value.stop()
    }
  }

export const command = (url: string, argv: ReadonlyArray<string>, more: Flags = {}): Promise<Ran> =>
  run([...argv, ...Object.entries(settingsOn(url, more)).map(([name, value]) => `--${name}=${value}`)])

/** The part of the URL that no output may have. */
export const passwordOf = (url: string): string => new URL(url).password
