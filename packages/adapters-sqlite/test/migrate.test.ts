// The schema of a file, and files of another schema.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { migrations } from '../src/schema.js'
import { beside } from './support/beside.js'
import { inFolder, opened, refusalOf } from './support/temporary-store.js'

const migrate = suite('migrate')

const versionOf = (file: string): unknown => beside(file, (db) => db.pragma('user_version', { simple: true }))

migrate(
  'a new file has the schema of this version, and says so',
  inFolder(async (file) => {
    await (await opened(file)).close()
    assert.is(versionOf(file), migrations.at(-1)?.number)
  }),
)

migrate(
  'a file of a schema before the first is refused, and stays as it is',
  inFolder(async (file) => {
    await (await opened(file)).close()
    for (const version of [0, 1, 23, 99, -1]) {
      beside(file, (db) => db.pragma(`user_version = ${version}`))
      assert.is((await refusalOf(file)).refusal, 'earlier-schema', `${version}`)
      assert.is(versionOf(file), version)
    }
  }),
)

migrate.run()
