import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../../../app/convert-database.mjs', import.meta.url))

/** Converts the file, or the database of the URL, as an operator does. */
export const convert = (database: string): void => {
  const { status, stderr } = spawnSync(process.execPath, [script, database], { encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) throw new Error(stderr)
}
