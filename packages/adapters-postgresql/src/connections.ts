// The pool of connections, and the verdict on what failed on one of them.
import * as E from 'fp-ts/lib/Either.js'
import pg from 'pg'
import { type Verdict, untranslatable, verdictOf, verdictOnConnecting } from './failures.js'
import { isStorable } from './storable-text.js'
import { type TlsMode, tlsOf } from './tls.js'

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
 * A transaction sends one statement after the other without a pause. An instance that stands still in one gives up its
 * locks after this time, while others wait for them: that of the gate of registrations, of budgets and of claims.
 */
const idleInTransactionTimeout = 1_000

// Numbers of this schema are below 2^53; pg reads the type as text.
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

const createPool = ({ url, maxConnections, preparedStatements, tls }: ConnectionOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
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
    const { rows } = await client.query<Record<string, unknown>>({ text, values: [...values], ...named, ...limit })
    return rows
  }

export const createConnections = (options: ConnectionOptions): Connections => {
  const pool = createPool(options)
  const connect = async (): Promise<Outcome<pg.PoolClient>> => {
    try {
      return E.right(await pool.connect())
    } catch (error) {
      return E.left({ verdict: verdictOnConnecting(error), error })
    }
  }
  return {
    run: async (work) => {
      const connected = await connect()
      if (E.isLeft(connected)) return connected
      const client = connected.right
      try {
        const result = await work(queryOn(client, options))
        client.release()
        return E.right(result)
      } catch (error) {
        const verdict = verdictOf(error)
        client.release(verdict === 'elsewhere' || verdict === 'in_doubt')
        return E.left({ verdict, error })
      }
    },
    close: () => pool.end(),
  }
}
