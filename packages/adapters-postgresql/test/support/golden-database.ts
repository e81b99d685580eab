// The golden rows on PostgreSQL; and a database as text, by pg_dump, which `query` loads.
import type { Store } from '@clientele/domain/ports'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { type Column, type GoldenNeeds, goldenNeeds } from '../../../adapters-sql/test/golden/golden.js'
import { type Reading, readStore } from '../../../adapters-sql/test/golden/reading.js'
import { findBinaries } from './binaries.js'
import { query } from './query.js'
import { opened } from './temporary-store.js'

export const openGolden =
  (url: string) =>
  (needs: GoldenNeeds): Promise<Store> =>
    opened(url, needs)

/** The instances as if they had announced themselves just now. */
export const readGolden = async (url: string): Promise<Reading> => {
  await query(url, 'UPDATE instances SET seen_at = extract(epoch FROM clock_timestamp())::bigint')
  const store = await openGolden(url)(goldenNeeds)
  const reading = await readStore(store)
  await store.close()
  return reading
}

export const dumpOf = (url: string): string => {
  const options = ['--no-owner', '--no-privileges', '--column-inserts', '--no-comments', `--dbname=${url}`]
  const { status, stdout, stderr } = spawnSync(join(findBinaries() ?? '', 'pg_dump'), options, {
    encoding: 'utf8',
    env: { ...process.env, PGTZ: 'UTC' },
  })
  if (status !== 0) throw new Error(stderr)
  // Without comments, and without the commands of psql.
  return stdout.replaceAll(/^(--( .*)?|\\(un)?restrict .*)\n/gm, '').replaceAll(/\n{2,}/g, '\n\n')
}

const selectColumns = `
SELECT format('SELECT %L AS name, %L::boolean AS "isNullable", count(*)::integer AS rows, count(%I)::integer AS values FROM %I',
  table_name || '.' || column_name, is_nullable, column_name, table_name) AS counting
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`

export const columnsOf = async (url: string): Promise<ReadonlyArray<Column>> => {
  const counting = (await query(url, selectColumns)).map((each) => String(each['counting']))
  return (await query(url, counting.join(' UNION ALL '))) as ReadonlyArray<Column>
}
