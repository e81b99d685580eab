import { openStore, type StoreOptions } from '@clientele/adapters-sqlite'
import type { StoreOpener } from '@clientele/domain/ports'
import { sqliteFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { type PostgresqlOptions, openPostgresql } from './open-postgresql.js'

export type DatabaseOptions = Required<Pick<StoreOptions, 'expectExisting' | 'onLocked'>> &
  Pick<PostgresqlOptions, 'waitForDatabase' | 'admit' | 'withdraw'>

/** The opener of the database by the scheme of database-url. */
export const openDatabase = (config: Config, options: DatabaseOptions): StoreOpener => {
  const url = config['database-url']
  const { expectExisting, onLocked, waitForDatabase, admit, withdraw } = options
  switch (url.scheme) {
    case 'sqlite': {
      const file = sqliteFiles(config['data-dir'], url).database
      return (needs) => openStore({ ...needs, expectExisting, onLocked, file })
    }
    case 'postgresql':
      return openPostgresql(config, url, {
        waitForDatabase,
        migrates: !expectExisting && config['database-migrate'] === 'auto',
        admit,
        withdraw,
      })
  }
}
