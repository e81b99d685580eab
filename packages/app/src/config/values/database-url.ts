import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { basename, isAbsolute, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type PostgresqlUrl, postgresqlName, postgresqlRule, postgresqlUrl } from './postgresql-url.js'
import type { Parse } from './setting.js'

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

const sqliteText = ({ file }: SqliteUrl): string =>
  `sqlite:${isAbsolute(file) ? decodeURI(pathToFileURL(file).href.replace(/^file:/, '')) : file}`

/** The URL of the same database, without user and password. */
export const databaseUrlText = (url: DatabaseUrl): string =>
  url.scheme === 'sqlite' ? sqliteText(url) : postgresqlName(url)
