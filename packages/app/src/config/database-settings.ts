// Where clients, keys and sessions are stored.
import { type DatabaseUrl, databaseUrl, databaseUrlText } from './values/database-url.js'
import { flag, range } from './values/setting-kinds.js'
import type { Setting } from './values/setting.js'
import { oneOf } from './values/values.js'

export const databaseSettings = {
  'database-url': {
    description:
      'The database. The directory of a SQLite database is made and guarded as data-dir is; secrets of the first start stay in data-dir. PostgreSQL is for several instances: encryption-key, master-token and base-url are required with it, and nothing is written to data-dir. With several hosts, the one that takes writes is used. Hosts and database alone are shown',
    values:
      'sqlite:FILE, relative to data-dir, sqlite:///PATH, or postgresql://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE',
    fallback: { scheme: 'sqlite', file: 'clientele.db' },
    fallbackText: 'sqlite:clientele.db',
    secret: true,
    parse: databaseUrl,
    shown: databaseUrlText,
  } satisfies Setting<DatabaseUrl>,
  'database-max-connections': range('Connections to PostgreSQL at a time, of each instance', 10, 1, 1_000),
  'database-prepared-statements': flag(
    'Whether statements for PostgreSQL are prepared once for each connection; false behind PgBouncer in transaction mode',
    true,
  ),
  'database-migrate': {
    description:
      'Whether a start on PostgreSQL runs the migrations that are due. With check it is refused where one is due, until clientele database migrate has run',
    values: 'auto, check',
    fallback: 'auto',
    parse: oneOf<'auto' | 'check'>('auto', 'check'),
  } satisfies Setting<'auto' | 'check'>,
  'database-tls': {
    description:
      'Whether a connection to PostgreSQL on another machine is encrypted and its certificate verified. Further authorities are named by the environment variable NODE_EXTRA_CA_CERTS. Loopback and Unix sockets need no TLS',
    values: 'verify, off',
    fallback: 'verify',
    parse: oneOf<'verify' | 'off'>('verify', 'off'),
  } satisfies Setting<'verify' | 'off'>,
} as const
