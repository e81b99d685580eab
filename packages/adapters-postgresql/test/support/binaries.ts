// Finds the binaries of a PostgreSQL server: Debian's newest version, else by pg_config, else in PATH.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { givenFolder } from './given.js'

const ofDebian = '/usr/lib/postgresql'

const versionsOfDebian = (): ReadonlyArray<string> =>
  existsSync(ofDebian)
    ? readdirSync(ofDebian)
        .sort((one, other) => Number(other) - Number(one))
        .map((version) => join(ofDebian, version, 'bin'))
    : []

const byConfig = (): ReadonlyArray<string> => {
  const { status, stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8', timeout: 10_000 })
  return status === 0 ? [stdout.trim()] : []
}

const inPath = (): ReadonlyArray<string> => (process.env['PATH'] ?? '').split(delimiter)

const isComplete = (folder: string): boolean =>
  ['initdb', 'postgres', 'pg_ctl'].every((name) => existsSync(join(folder, name)))

/** The folder of the binaries; none where PostgreSQL is not installed. */
export const findBinaries = (): string | undefined =>
  givenFolder === undefined
    ? [...versionsOfDebian(), ...byConfig(), ...inPath()].find(isComplete)
    : [givenFolder].find(isComplete)
