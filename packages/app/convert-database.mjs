// Converts a database that was written before the first release: node packages/app/convert-database.mjs FILE, or the URL of a
// PostgreSQL database, after npm run build. Stop the service first, and make a backup. What was there before stays beside it: the
// file with its schema in its name, or the schema clientele_before of PostgreSQL.
import { existsSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = fileURLToPath(new URL('../', import.meta.url))
const built = (path) => import(pathToFileURL(join(packages, path)).href)

const refuse = (reason) => {
  throw new Error(`${reason}. Nothing was changed`)
}

const refuseOther = (version, expected) => {
  if (version === expected) return
  refuse(
    `it has schema ${version}, and schema ${expected} is converted: start the last version before this one on it first`,
  )
}

// Rows of a checkpoint are those above the checkpoint before, up to its highest one.
const otherRows = (rows) => `
SELECT count(*) AS others FROM ${rows} WHERE coalesce(checkpoint, -1) <> coalesce(
  (SELECT min(number) FROM audit_checkpoints WHERE audit_checkpoints.highest >= ${rows}.ordinal), -1)`
const indexRows = (rows) => `
INSERT INTO audit_index SELECT ordinal, at, client_id, actor, actor_name, mac FROM ${rows} WHERE checkpoint IS NOT NULL`
const refuseOtherRows = (others) => {
  if (Number(others) > 0) refuse(`${others} rows of its audit log are not in the order of their checkpoints`)
}

/** Names of SQLite's tables and columns that were others, and what is put in place of a column. */
const earlierTables = { notifications: 'logout_notices', ending_confirmations: 'ending_dialogs' }
const earlierColumns = {
  'ending_confirmations.confirmation': 'dialog_hash',
  'provider_events.ordinal': 'position',
  'notifications.note': 'quoted(note)',
}

const copyRows = (db) => {
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all()
  const columnsOf = (schema, table) => db.prepare(`SELECT name FROM pragma_table_info(?, ?)`).pluck().all(table, schema)
  db.function('quoted', { deterministic: true }, (text) => JSON.stringify(text))
  // A trigger counts the clients.
  for (const table of tables.filter((name) => name !== 'client_count')) {
    const before = earlierTables[table] ?? table
    const known = columnsOf('earlier', before)
    const columns = columnsOf('main', table).filter(
      (column) => known.includes(column) || `${table}.${column}` in earlierColumns,
    )
    // Other tables are new.
    if (columns.length === 0) continue
    const earlier = columns.map((column) => earlierColumns[`${table}.${column}`] ?? column)
    db.exec(`INSERT INTO main.${table} (${columns.join(', ')}) SELECT ${earlier.join(', ')} FROM earlier.${before}`)
  }
  refuseOtherRows(db.prepare(otherRows('earlier.audit_rows')).get().others)
  db.exec(indexRows('earlier.audit_rows'))
  db.exec(`DELETE FROM main.sqlite_sequence;
    INSERT INTO main.sqlite_sequence SELECT name, seq FROM earlier.sqlite_sequence WHERE name IN ('${tables.join("', '")}')`)
}

const convertSqlite = async (file) => {
  const Database = createRequire(join(packages, 'adapters-sqlite/package.json'))('better-sqlite3')
  const { applicationId, makeSchema } = await built('adapters-sqlite/dist/schema.js')
  const before = new Database(file, { fileMustExist: true })
  const found = ['application_id', 'user_version'].map((name) => before.pragma(name, { simple: true }))
  before.pragma('wal_checkpoint(TRUNCATE)')
  before.close()
  if (found[0] !== applicationId) refuse(`${file} is no database of this service`)
  refuseOther(found[1], 23)
  const kept = `${file}.schema-23`
  if (existsSync(kept)) refuse(`${kept} is there already: move it elsewhere`)
  const draft = `${file}.converted`
  rmSync(draft, { force: true })
  const db = new Database(draft)
  // The tables come in any order; the check follows below.
  db.pragma('foreign_keys = OFF')
  makeSchema(db)
  db.prepare('ATTACH ? AS earlier').run(file)
  db.transaction(copyRows)(db)
  const faults = db.pragma('foreign_key_check')
  db.close()
  if (faults.length > 0) refuse(`rows of ${file} refer to others that are missing`)
  renameSync(file, kept)
  renameSync(draft, file)
  return kept
}

const keptSchema = 'clientele_before'

const convertTables = async (db, { statements, number, worksWith }, statementsOf) => {
  const select = async (text, values) => (await db.query(text, values)).rows.map(({ name }) => name)
  const {
    rows: [found],
  } = await db.query('SELECT version::integer, current_schema() AS schema FROM schema_version')
  refuseOther(found.version, 15)
  const tablesOf = (schema) => select('SELECT tablename AS name FROM pg_tables WHERE schemaname = $1', [schema])
  const columnsOf = (schema, table) =>
    select(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = $1 AND table_name = $2 AND is_generated = 'NEVER' ORDER BY ordinal_position`,
      [schema, table],
    )
  await db.query(`CREATE SCHEMA ${keptSchema}`)
  const earlier = await tablesOf(found.schema)
  await db.query('DROP FUNCTION blocks_with_tokens')
  for (const table of earlier) await db.query(`ALTER TABLE ${table} SET SCHEMA ${keptSchema}`)
  for (const text of statementsOf({ statements })) await db.query(text)
  // Tables that others refer to come first, as they do in the schema.
  const tables = [...statements.matchAll(/CREATE TABLE (\w+)/g)].map(([, table]) => table)
  for (const table of tables.filter((name) => earlier.includes(name))) {
    const known = await columnsOf(keptSchema, table)
    const columns = (await columnsOf(found.schema, table)).filter((column) => known.includes(column))
    const names = columns.join(', ')
    await db.query(
      `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE SELECT ${names} FROM ${keptSchema}.${table}`,
    )
    if (columns.includes('ordinal'))
      await db.query(
        `SELECT setval(pg_get_serial_sequence('${table}', 'ordinal'), last_value, is_called)
         FROM ${keptSchema}.${table}_ordinal_seq`,
      )
  }
  const {
    rows: [{ others }],
  } = await db.query(otherRows(`${keptSchema}.audit_rows`))
  refuseOtherRows(others)
  await db.query(indexRows(`${keptSchema}.audit_rows`))
  await db.query(`CREATE TABLE schema_version AS TABLE ${keptSchema}.schema_version`)
  await db.query('ALTER TABLE schema_version ADD PRIMARY KEY (product)')
  for (const column of ['version', 'works_with'])
    await db.query(`ALTER TABLE schema_version ALTER ${column} SET NOT NULL`)
  await db.query('UPDATE schema_version SET version = $1, works_with = $2', [number, worksWith])
}

const convertPostgresql = async (url) => {
  const pg = createRequire(join(packages, 'adapters-postgresql/package.json'))('pg')
  const { migrations } = await built('adapters-postgresql/dist/schema.js')
  const { statementsOf } = await built('adapters-postgresql/dist/migrate.js')
  const db = new pg.Client({ connectionString: url })
  await db.connect()
  try {
    await db.query('BEGIN')
    await convertTables(db, migrations[0], statementsOf)
    await db.query('COMMIT')
  } finally {
    await db.end()
  }
  return `the schema ${keptSchema}`
}

const usage = 'Name one database: node packages/app/convert-database.mjs FILE, or the URL of a PostgreSQL database'

const [, , given, ...more] = process.argv
if (given === undefined || more.length > 0) {
  console.error(usage)
  process.exitCode = 2
} else {
  const isUrl = given.includes('://')
  try {
    const kept = await (isUrl ? convertPostgresql(given) : convertSqlite(given))
    console.log(`converted; ${kept} has what was there before: remove it when all is well`)
  } catch (error) {
    // A URL has a password. An error for each address of a host has no message of its own.
    const { message } = error.errors?.[0] ?? error
    console.error(`${isUrl ? 'The database of the URL' : given} was not converted: ${message}`)
    process.exitCode = 1
  }
}
