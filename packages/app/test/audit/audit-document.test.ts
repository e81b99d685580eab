// The audit log in docs/operate/operators.md: its table has each action, with its text.
import { auditActions } from '@clientele/domain/audit'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { partOf } from '../support/documented-commands.js'

const document = readFileSync(new URL('../../../../docs/operate/operators.md', import.meta.url), 'utf8')

const Documented = suite('the audit log in docs/operate/operators.md')

Documented('lists all actions', () => {
  const table = partOf(document, '### What has a row')
  // The first one is the head of the table.
  const listed = [...table.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)]
  assert.equal(Object.fromEntries(listed.slice(1).map(([, action, text]) => [action, text])), auditActions)
})

Documented.run()
