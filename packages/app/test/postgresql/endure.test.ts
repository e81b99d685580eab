// Thirty seconds of the endurance run (`npm run endure`), with every fault at least once.
import { postgresqlSuite } from '../../../adapters-postgresql/test/support/postgresql-suite.js'
import * as assert from 'uvu/assert'
import { accountOf } from '../endure/account.js'
import { endure } from '../endure/endure.js'

const tests = postgresqlSuite('three instances under faults')

tests.own('keep their promises for 30 seconds', async () => {
  const journal = await endure({ seconds: 30, isSynchronous: true })
  const { text, isBroken } = accountOf(journal)
  assert.not.ok(isBroken, text)
  assert.equal(new Set(journal.faults).size, 5, text)
  assert.ok(journal.faults.filter((each) => each === 'instance killed').length >= 2, text)
  assert.ok(journal.entries.filter(({ kind }) => kind === 'registered').length >= 100, text)
})

tests.run()
