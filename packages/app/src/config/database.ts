// Where clients, keys and sessions are stored: the database, and the directory of the data with its files.
import { hostsOf, nameOf, targets } from '@clientele/adapters-postgresql/hosts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createHash } from 'node:crypto'
import { platform } from 'node:os'
import { basename, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Parse, type Values, choice, flag, path, range, setting } from './values.js'

/** The URL has the password, and is never shown as a whole. */
export type PostgresqlUrl = { readonly scheme: 'postgresql'; readonly url: string }

const postgresqlRule =
  'postgresql://USER:PASSWORD@HOST:PORT/DATABASE, with % before the codes of special characters, and commas between several HOST:PORT'

const targetRule = `a URL with target_session_attrs ${targets.join(', ')}, or without it, because an instance reads from no standby`

const tlsParameter = /^(ssl|uselibpqcompat|channel_binding)/i

/** The rule that the URL of one of the hosts breaks. */
const brokenRule = (text: string): string | undefined => {
  const parsed = O.tryCatch(() => ({ url: new URL(text), decoded: decodeURIComponent(new URL(text).href) }))
  if (O.isNone(parsed)) return postgresqlRule
  const { url } = parsed.value
  const parameters = [...url.searchParams].filter(([name]) => name !== 'target_session_attrs')
  if (parameters.some(([name]) => tlsParameter.test(name)))
    return 'a URL without parameters of TLS, in place of which database-tls is set'
  // A Unix socket is in a directory, which the parameter `host` names.
  if (!parameters.every(([name, value]) => name === 'host' && value.startsWith('/')))
    return 'a URL without parameters, but for target_session_attrs, and for host with the directory of a Unix socket'
  if (url.hash !== '') return `${postgresqlRule}; # is %23`
  if (!/^\/[^/]+$/.test(url.pathname)) return `a URL with the name of a database: ${postgresqlRule}`
  // The driver would take a host from the environment.
  const hasHost = url.hostname !== '' || parameters.length > 0
  return hasHost ? undefined : `a URL with the name of a host: ${postgresqlRule}`
}

/** Reads the rest of a URL after its scheme. */
const postgresqlUrl =
  (scheme: string): Parse<PostgresqlUrl> =>
  (rest) => {
    const url = `${scheme}:${rest}`
    if (!rest.startsWith('//') || /\s/.test(rest)) return E.left(postgresqlRule)
    const { urls, target } = hostsOf(url)
    const rule = urls.map(brokenRule).find((each) => each !== undefined)
    if (rule !== undefined) return E.left(rule)
    return target === undefined ? E.left(targetRule) : E.right({ scheme: 'postgresql', url })
  }

/** A file is relative to the data directory, or absolute. */
export type SqliteUrl = { readonly scheme: 'sqlite'; readonly file: string }

/** The location of the database. */
export type DatabaseUrl = SqliteUrl | PostgresqlUrl

const sqliteRule = 'sqlite:FILE, relative to data-dir, or sqlite:///PATH, without ? # % and backslashes'

// RFC 3986 §3.3: without characters that are special in a URL, and without a slash or blank at the end
const plainPath = /^[^?#%\\\u0000-\u001f\u007f]*[^?#%\\\u0000-\u001f\u007f\s/]$/

// RFC 8089 §2: an absolute path follows an empty authority.
const fileOf = (rest: string): O.Option<string> => {
  if (!rest.startsWith('/')) return O.some(rest)
  return rest.startsWith('///') ? O.tryCatch(() => resolve(fileURLToPath(`file:${rest}`))) : O.none
}

const sqliteUrl: Parse<DatabaseUrl> = (rest) =>
  pipe(
    plainPath.test(rest) ? fileOf(rest) : O.none,
    O.filter((file) => basename(file) !== ''),
    O.map((file) => ({ scheme: 'sqlite' as const, file })),
    E.fromOption(() => sqliteRule),
  )

/** Reads the rest after a scheme: one entry for each kind of database. */
const readers: Readonly<Record<string, Parse<DatabaseUrl>>> = {
  sqlite: sqliteUrl,
  postgresql: postgresqlUrl('postgresql'),
  postgres: postgresqlUrl('postgres'),
}

export const databaseUrl: Parse<DatabaseUrl> = (text) => {
  const [scheme = '', ...rest] = text.split(':')
  const read = Object.entries(readers).find(([name]) => name === scheme)?.[1]
  return read === undefined
    ? E.left(`${sqliteRule}; or ${postgresqlRule}; no other kind of database is known`)
    : read(rest.join(':'))
}

/** The URL of the same database, without user and password: of PostgreSQL, hosts and database alone. */
export const databaseUrlText = (url: DatabaseUrl): string => {
  if (url.scheme === 'postgresql') return nameOf(url.url)
  const { file } = url
  return `sqlite:${isAbsolute(file) ? decodeURI(pathToFileURL(file).href.replace(/^file:/, '')) : file}`
}

export const databaseSection = {
  'data-dir': setting<string>(
    'The directory with the generated secrets, the socket by which commands reach the running service, and the database unless database-url names another place. With PostgreSQL the service does not use it',
    {
      values: 'path; that of the socket in it, run/clientele.sock, has at most 103 bytes',
      fallback: './data',
      parse: path,
    },
  ),
  'database-url': setting<DatabaseUrl>(
    'The database. For SQLite, the service makes the directory of the file, and guards it as data-dir; the secrets of the first start are in data-dir. PostgreSQL is for several instances: it needs encryption-key, master-token and base-url, and the service writes nothing to data-dir. If the URL has several hosts, the service uses the one that takes writes. The service shows only the hosts and the database of the URL',
    {
      values:
        'sqlite:FILE, relative to data-dir, sqlite:///PATH, or postgresql://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE',
      fallback: { scheme: 'sqlite', file: 'clientele.db' },
      fallbackText: 'sqlite:clientele.db',
      secret: true,
      parse: databaseUrl,
      shown: databaseUrlText,
    },
  ),
  'database-max-connections': range('How many connections to PostgreSQL each instance has at most at a time', {
    from: 1,
    to: 1_000,
    fallback: 10,
  }),
  'database-prepared-statements': flag(
    'Whether the service prepares statements once for each connection to PostgreSQL. Set it to false behind PgBouncer in transaction mode',
    true,
  ),
  'database-migrate': choice(
    'What a start on PostgreSQL does if migrations are due: auto runs them; check refuses to start until clientele database migrate has run them',
    ['auto', 'check'],
    'auto',
  ),
  'database-tls': choice(
    'Whether the service encrypts a connection to PostgreSQL on another machine and verifies its certificate. The environment variable NODE_EXTRA_CA_CERTS names a file with further certificate authorities. Loopback and Unix sockets need no TLS',
    ['verify', 'off'],
    'verify',
  ),
} as const

export type DataFiles = {
  readonly directory: string
  readonly database: string
  readonly masterToken: string
  /** Made by the operator while the master token is changed. */
  readonly previousMasterToken: string
  readonly encryptionKey: string
  /** The socket by which commands reach the running service. */
  readonly socket: string
}

/** The maximum length of a socket path in bytes: 107 on Linux, 103 on macOS and the BSDs (sun_path of sockaddr_un). */
export const maxSocketPath = 103

/** On Windows a named pipe, which is in no directory. */
export const socketPath = (directory: string, system: string): string =>
  system === 'win32'
    ? `\\\\.\\pipe\\clientele-${createHash('sha256').update(directory).digest('hex')}`
    : join(directory, 'run', 'clientele.sock')

/** The files of a service with a SQLite database. */
export const sqliteFiles = (dataDir: string, { file }: SqliteUrl): DataFiles => {
  const directory = resolve(dataDir)
  return {
    directory,
    database: resolve(directory, file),
    masterToken: resolve(directory, 'master-token'),
    previousMasterToken: resolve(directory, 'previous-master-token'),
    encryptionKey: resolve(directory, 'encryption-key'),
    socket: socketPath(directory, platform()),
  }
}

/** None with PostgreSQL: an instance keeps nothing in files. */
export const dataFiles = (
  config: Pick<Values<typeof databaseSection>, 'data-dir' | 'database-url'>,
): DataFiles | undefined => {
  const url = config['database-url']
  return url.scheme === 'sqlite' ? sqliteFiles(config['data-dir'], url) : undefined
}
