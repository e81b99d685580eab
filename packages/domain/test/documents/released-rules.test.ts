import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ruleTexts } from '../../src/kernel/rule-texts.js'

// The rules of the last release, by name: a release writes the file anew (CONTRIBUTING.md).
const Released = suite('the rules of the last release')

const names = Object.keys(ruleTexts)
const released = JSON.parse(
  readFileSync(new URL('released-rules.json', import.meta.url), 'utf8'),
) as ReadonlyArray<string>
const upgrade = readFileSync(new URL('../../../../UPGRADE.md', import.meta.url), 'utf8')

/** The names that UPGRADE.md must say something of. */
const changedNames = (before: ReadonlyArray<string>, now: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...now.filter((name) => !before.includes(name)),
  ...before.filter((name) => !now.includes(name)),
]

Released('a rule that is new, or gone, is named in UPGRADE.md', () => {
  assert.ok(released.length > 100, String(released.length))
  for (const name of changedNames(released, names))
    assert.ok(upgrade.includes(`\`${name}\``), `UPGRADE.md: \`${name}\``)
})

Released('one more and one fewer would be noticed', () => {
  const [first = '', ...others] = names
  assert.equal(changedNames(others, names), [first])
  assert.equal(changedNames(names, others), [first])
})

Released.run()
