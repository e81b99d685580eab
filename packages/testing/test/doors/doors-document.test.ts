import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doorExceptions, exceptionsOverHttp, ownDoors } from '../../src/index.js'
import { doorsDocument } from './doors-document.js'

const document = suite('the document of the doors')
const text = doorsDocument()

document('docs/doors.md is what the doors and their exceptions say', () => {
  const stored = readFileSync(new URL('../../../../docs/doors.md', import.meta.url), 'utf8')
  assert.ok(stored === text, 'docs/doors.md is stale: npm run generate')
})

document('every door has a row with a decision', () => {
  for (const { name } of ownDoors())
    assert.match(text, new RegExp(`\\n\\| \`${name}\` \\| [^|]+ \\| \`\\w+\` \\|\\n`), name)
})

const names = ownDoors().map(({ name }) => name)

document('each exception has an id of its own, is about doors that there are, and says its reason', () => {
  const ids = [...doorExceptions, ...exceptionsOverHttp].map(({ id }) => id)
  assert.is(new Set(ids).size, ids.length)
  for (const { id, doors, difference, reason } of doorExceptions) {
    assert.match(id, /^[a-z]+(-[a-z]+)*$/)
    assert.ok(doors.length > 0 && doors.every((door) => names.includes(door)), id)
    assert.ok(difference.length > 10 && reason.length > 5, id)
  }
})

document.run()
