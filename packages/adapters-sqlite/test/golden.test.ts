// SQLite files of before the first release, and their backups: once converted, they are read as they were.
import { done, refused } from '@clientele/testing'
import { writeFileSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  everyValue,
  expectReading,
  goldenFile,
  goldenNeeds,
  goldenReading,
  goldenText,
  lackingIn,
  neverWritten,
} from '../../adapters-sql/test/golden/golden.js'
import { convert } from '../../adapters-sql/test/golden/convert.js'
import { restoreBackup, verifyBackup } from '../src/index.js'
import { beside } from './support/beside.js'
import { columnsOf, loadDump, readGolden } from './support/golden-database.js'
import { inFolder, refusalOf } from './support/temporary-store.js'

const golden = suite('golden rows on SQLite')

golden(
  'a file of an earlier version is refused, and read as it was once it is converted',
  inFolder(async (file) => {
    loadDump(file, goldenText('sqlite.sql'))
    const before = readFileSync(file)
    const { refusal, message } = await refusalOf(file)
    assert.is(refusal, 'earlier-schema')
    assert.match(message, `node packages/app/convert-database.mjs ${file}`)
    assert.equal(readFileSync(file), before)
    convert(file)
    expectReading(await readGolden(file), goldenReading('reading.json'))
  }),
)

golden(
  'a backup of an earlier version is restored, and what it keeps is read as it was',
  inFolder(async (file, folder) => {
    const { encryption } = goldenNeeds
    const options = { backup: `${folder}/backup.db`, file, encryption }
    writeFileSync(options.backup, gunzipSync(readFileSync(goldenFile('backup.db.gz'))))
    assert.is((await refused(verifyBackup(options))).refusal, 'earlier-schema')
    convert(options.backup)
    const contents = {
      clients: 33,
      sealed_otherwise: 68,
      forgotten: {
        initial_access_tokens: 6,
        operator_tokens: 4,
        end_user_sessions: 3,
        authorizations: 7,
        artefacts: 22,
        consents: 3,
        observed_days: 5,
      },
    }
    assert.equal(await done(verifyBackup(options)), contents)
    assert.equal(await done(restoreBackup(options, new Date())), contents)
    expectReading(await readGolden(file), { ...goldenReading('reading.json'), ...goldenReading('restored.json') })
  }),
)

golden(
  'they have rows in each table, columns with and without values, and each kind',
  inFolder((file) => {
    loadDump(file, goldenText('sqlite.sql'))
    assert.equal(lackingIn(beside(file, columnsOf)), neverWritten)
    for (const [table, column, values] of everyValue) {
      const select = `SELECT DISTINCT ${column} FROM ${table} ORDER BY 1`
      assert.equal(
        beside(file, (db) => db.prepare(select).pluck().all()),
        [...values].sort(),
        `${table}.${column}`,
      )
    }
    return Promise.resolve()
  }),
)

golden.run()
