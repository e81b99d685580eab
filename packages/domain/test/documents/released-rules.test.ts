import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ruleTexts } from '../../src/kernel/all-rules.js'
import { outcomeOf } from './released.js'

// The rules of the last release, by name, and clients that it took: a release writes the files anew (CONTRIBUTING.md).
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

type Recorded = {
  readonly body: Readonly<Record<string, unknown>>
  readonly outcome: { readonly added: Readonly<Record<string, unknown>>; readonly dropped: ReadonlyArray<string> }
}

const recorded = readFileSync(new URL('released-clients.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded)

/** The rules and members by which the present release does something else with a client of the last one. */
const changesOf = ({ body, outcome }: Recorded): ReadonlyArray<string> => {
  const now = outcomeOf(body)
  if ('refusedBy' in now) return now.refusedBy
  const members = Object.keys({ ...outcome.added, ...now.added })
  return [
    ...members.filter((member) => JSON.stringify(outcome.added[member]) !== JSON.stringify(now.added[member])),
    ...now.dropped.filter((member) => !outcome.dropped.includes(member)),
  ]
}

Released('a rule that refuses, or a member that is registered otherwise, is named in UPGRADE.md', () => {
  assert.ok(recorded.length >= 50, String(recorded.length))
  for (const each of recorded)
    for (const name of changesOf(each))
      assert.ok(upgrade.includes(`\`${name}\``), `UPGRADE.md: \`${name}\` by ${JSON.stringify(each.body)}`)
})

Released('a stricter rule, and another default, would be noticed', () => {
  const [first] = recorded
  assert.ok(first !== undefined)
  const { body, outcome } = first
  assert.equal(changesOf({ body: { ...body, contacts: 'nobody' }, outcome }), ['array'])
  assert.equal(changesOf({ body, outcome: { ...outcome, added: { ...outcome.added, client_uri: 'x' } } }), [
    'client_uri',
  ])
  assert.equal(changesOf({ body: { ...body, more: 1 }, outcome }), ['more'])
})

Released.run()
