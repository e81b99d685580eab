// The pool of connections, the verdict on what failed on one of them, and its repetition.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import { isIPv4 } from 'node:net'
import type { ConnectionOptions as TlsOptions } from 'node:tls'
import {
  type FailedHost,
  type Verdict,
  errorOf,
  isReadOnly,
  notWritable,
  untranslatable,
  verdictOf,
  verdictOnConnecting,
} from './failures.js'
import { type Target, hostsOf } from './hosts.js'

/** PostgreSQL has no U+0000 in text, and the driver would change an unpaired surrogate. Such text is in no row. */
export const isStorable = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isStorable)
    : typeof value !== 'string' || (value.isWellFormed() && !value.includes('\u0000'))

/** Whether connections to other machines are encrypted and the server's certificate is verified. */
type TlsMode = 'verify' | 'off'

const isLoopback = (host: string): boolean =>
  ['localhost', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'))

/** The directory of a Unix socket, as a host in percent-encoding or as the parameter `host`. */
const isSocket = ({ hostname, searchParams }: URL): boolean =>
  /^%2f/i.test(hostname) || searchParams.get('host')?.startsWith('/') === true

/** The options of TLS for pg; false for connections that do not leave this machine. */
const tlsOf = (url: string, mode: TlsMode): TlsOptions | false => {
  const parsed = new URL(url)
  const { hostname } = parsed
  if (mode === 'off' || isSocket(parsed) || isLoopback(hostname)) return false
  // With the host, an IP address is compared with the certificate as well.
  return { rejectUnauthorized: true, host: hostname.replace(/^\[|\]$/g, '') }
}

/** A statement; with a name it is prepared once for each connection. */
export type Statement = {
  readonly name: string
  readonly text: string
  /** Milliseconds until the answer is given up, in place of the limit of requests. */
  readonly maxDuration?: number
}
export type Values = ReadonlyArray<unknown>
export type Rows = ReadonlyArray<unknown>

/** Runs a statement and returns its rows, those of RETURNING for a write. */
export type Query = (statement: Statement, values?: Values) => Promise<Rows>

export type Failure = { readonly verdict: Verdict; readonly error: unknown }
export type Outcome<Result> = E.Either<Failure, Result>

export type ConnectionOptions = {
  /** Of one host or several: hosts.ts. */
  readonly url: string
  /** The maximum number of connections. */
  readonly maxConnections: number
  /** Whether statements are prepared by name; not behind PgBouncer before 1.21. */
  readonly preparedStatements: boolean
  readonly tls: TlsMode
}

export type Connections = {
  /** Runs on a connection, which is given back or, after an error of the connection, closed. */
  readonly run: <Result>(work: (query: Query) => Promise<Result>) => Promise<Outcome<Result>>
  readonly close: () => Promise<void>
}

/** Milliseconds; each is shorter than the time after which a request is refused. */
const connectTimeout = 1_500
const statementTimeout = 3_000
const lockTimeout = 2_000
/**
 * A transaction sends one statement after the other without a pause. An instance that stands still in one gives up the locks
 * of its verbs after this time. Others wait for them: registrations within a limit wait for each other, and so do draws from
 * one kind of budget, and claims of notifications.
 */
const idleInTransactionTimeout = 1_000

// Numbers of this schema are below 2^53; pg reads the type as text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** libpq, "target_session_attrs": what a new connection is asked, and answers where its server is none to use. */
const unfit: Readonly<Record<Target, string | undefined>> = {
  'read-write': `SELECT 1 WHERE current_setting('transaction_read_only') = 'on'`,
  primary: 'SELECT 1 WHERE pg_is_in_recovery()',
  any: undefined,
}

/** Refuses a new connection to a server that is none to use. */
const verifyBy = (text: string): Pick<pg.PoolConfig, 'verify'> => {
  const question = { text, query_timeout: connectTimeout }
  return {
    verify: (client, done) => {
      client.query(question).then(({ rowCount }) => done(rowCount === 0 ? undefined : notWritable()), done)
    },
  }
}

const createPool = (
  { maxConnections, preparedStatements, tls }: ConnectionOptions,
  url: string,
  target: Target,
): pg.Pool => {
  const question = unfit[target]
  const pool = new pg.Pool({
    ...(question === undefined ? {} : verifyBy(question)),
    connectionString: url,
    // Statements that do not wait for each other are sent at once.
    pipeline: true,
    ssl: tlsOf(url, tls),
    max: maxConnections,
    connectionTimeoutMillis: connectTimeout,
    query_timeout: statementTimeout + 500,
    types,
    application_name: 'clientele',
    // A pooler refuses or forgets the settings of a session.
    ...(preparedStatements
      ? {
          statement_timeout: statementTimeout,
          lock_timeout: lockTimeout,
          idle_in_transaction_session_timeout: idleInTransactionTimeout,
        }
      : {}),
  })
  // A broken connection is reported by the statement that needs it; without listeners, the process would end.
  const ignore = (): void => undefined
  pool.on('error', ignore)
  pool.on('connect', (client) => client.on('error', ignore))
  return pool
}

const queryOn =
  (client: pg.PoolClient, { preparedStatements }: ConnectionOptions): Query =>
  async ({ name, text, maxDuration }, values = []) => {
    if (!values.every(isStorable))
      throw Object.assign(new Error('text that cannot be stored'), { code: untranslatable })
    const named = preparedStatements && name !== '' ? { name } : {}
    const limit = maxDuration === undefined ? {} : { query_timeout: maxDuration }
    const results = await client.query<Record<string, unknown>>({ text, values: [...values], ...named, ...limit })
    // A text of several statements has a result for each.
    return [results].flat().flatMap(({ rows }) => rows)
  }

/** The text of pg-pool where all connections are in use. */
const areAllInUse = (error: unknown): boolean => error instanceof Error && /^timeout exceeded/.test(error.message)

type Host = { readonly name: string; readonly pool: pg.Pool }

export const createConnections = (options: ConnectionOptions): Connections => {
  const { urls, target = 'read-write' } = hostsOf(options.url)
  /** The host that was used last is first. */
  let hosts = urls.map((url): Host => ({ name: new URL(url).host, pool: createPool(options, url, target) }))
  /** Others are tried first from now on. */
  const leave = (host: Host): void => {
    const [first, ...others] = hosts
    if (first === host) hosts = [...others, first]
  }
  const connect = async (): Promise<Outcome<{ readonly host: Host; readonly client: pg.PoolClient }>> => {
    const failures: Array<FailedHost> = []
    for (const host of hosts) {
      try {
        return E.right({ host, client: await host.pool.connect() })
      } catch (error) {
        if (areAllInUse(error)) return E.left({ verdict: 'elsewhere', error })
        failures.push({ name: host.name, error })
        leave(host)
      }
    }
    return E.left({ verdict: verdictOnConnecting(failures), error: errorOf(failures) })
  }
  return {
    run: async (work) => {
      const connected = await connect()
      if (E.isLeft(connected)) return connected
      const { host, client } = connected.right
      try {
        const result = await work(queryOn(client, options))
        client.release()
        return E.right(result)
      } catch (error) {
        const verdict = verdictOf(error)
        if (isReadOnly(error)) leave(host)
        client.release(verdict === 'elsewhere' || verdict === 'in_doubt')
        return E.left({ verdict, error })
      }
    },
    close: async () => {
      await Promise.all(hosts.map(({ pool }) => pool.end()))
    },
  }
}

/** Milliseconds until a request is refused. */
const patience = 4_000
/** Milliseconds for the question whether a commit took effect, after a request would be refused. */
const patienceInDoubt = 1_000
/** The maximum number of repetitions after another transaction was faster. */
const maxAgain = 8
/** Milliseconds between two attempts to find a database that writes. */
const pauseElsewhere = 50
const pauseAgain = 5

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

// Half of the pause is random, so that two instances do not collide again.
const jittered = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2)

export const pauseAfter = ({ verdict }: Failure, attempts: number): Promise<void> =>
  pause(jittered(verdict === 'again' ? pauseAgain * attempts : pauseElsewhere))

export const isFinal = ({ verdict }: Failure, attempts: number, deadline: number): boolean =>
  verdict === 'undone' || performance.now() > deadline || (verdict === 'again' && attempts > maxAgain)

type Deadlines = { readonly ofRequest: number; readonly inDoubt: number }

/** `limit` is the time in milliseconds until the request is refused. */
export const deadlinesFromNow = (limit = patience): Deadlines => {
  const ofRequest = performance.now() + limit
  return { ofRequest, inDoubt: ofRequest + patienceInDoubt }
}

/** Runs again what failed for a reason that passes, until the request is refused. */
export const repeat = async <Result>(
  run: () => Promise<Outcome<Result>>,
  { ofRequest, inDoubt }: Deadlines,
): Promise<E.Either<Unavailable, Result>> => {
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await run()
    if (E.isRight(outcome)) return outcome
    const failure = outcome.left
    if (isFinal(failure, attempts, failure.verdict === 'in_doubt' ? inDoubt : ofRequest))
      return E.left(unavailable(failure.error))
    await pauseAfter(failure, attempts)
  }
}
