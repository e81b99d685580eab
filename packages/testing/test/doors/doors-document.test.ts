import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { doorExceptions, exceptionsOverHttp, ownDoors } from '../../src/index.js'
import { doorsDocument } from './doors-document.js'

const document = suite('the document of the doors')
const text = doorsDocument()

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

const peers = new URL('../../../../bench/peers/', import.meta.url)
const readPeers = (name: string): string => readFileSync(new URL(name, peers), 'utf8')
const { dependencies }: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
  readPeers('package.json'),
)

document('the other servers have the letters A to D, and no name', () => {
  assert.match(text, /\n\| compared \| A \| B \| C \| D \| Clientele \|\n/)
  const decision = new URL('../../../../docs/decisions/laws-and-doors.md', import.meta.url)
  const scopes = Object.keys(dependencies).map((name) => (/^@([^/]+)/.exec(name) ?? [])[1] ?? name)
  for (const word of scopes.filter((name) => name !== 'express'))
    for (const page of [text, readFileSync(decision, 'utf8')]) assert.not.ok(page.includes(word), word)
})

document('the other servers have exact versions, in a lock file that names no registry', () => {
  for (const [name, version] of Object.entries(dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/, name)
  assert.not.match(readPeers('package-lock.json'), /"resolved"/)
})

document.run()
