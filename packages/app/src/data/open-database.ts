import { openStore, type StoreOptions } from '@clientele/adapters-sqlite'
import type { StoreOpener } from '@clientele/domain'
import { sqliteFiles } from '../config/data-files.js'
import type { Config } from '../config/settings.js'
import { openPostgresql } from './open-postgresql.js'

export type DatabaseOptions = Required<Pick<StoreOptions, 'expectExisting' | 'onLocked'>> & {
  /** Milliseconds that the opening waits for PostgreSQL. */
  readonly waitForDatabase: number
}

/** The opener of the database by the scheme of database-url. */
export const openDatabase = (config: Config, options: DatabaseOptions): StoreOpener => {
  const url = config['database-url']
  const { expectExisting, onLocked, waitForDatabase } = options
  switch (url.scheme) {
    case 'sqlite': {
      const file = sqliteFiles(config['data-dir'], url).database
      return (needs) => openStore({ ...needs, expectExisting, onLocked, file })
    }
    case 'postgresql':
      return openPostgresql(config, url, {
        waitForDatabase,
        migrates: !expectExisting && config['database-migrate'] === 'auto',
      })
  }
}
