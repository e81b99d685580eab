// docs/audit.md: its table has each action, with its text.
import { auditActions } from '@clientele/domain/audit'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const document = readFileSync(new URL('../../../../docs/audit.md', import.meta.url), 'utf8')

const Documented = suite('docs/audit.md')

Documented('lists all actions', () => {
  const table = document.split('## What has a row')[1]?.split('\n## ')[0] ?? ''
  // The first one is the head of the table.
  const listed = [...table.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \|$/gm)]
  assert.equal(Object.fromEntries(listed.slice(1).map(([, action, text]) => [action, text])), auditActions)
})

Documented.run()
