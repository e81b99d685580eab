import { existsSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizationLaws } from '../../src/testing/index.js'

const Laws = suite('laws as data')
const root = new URL('../../../../', import.meta.url)

Laws('each law has an id of its own, in kebab-case, and a sentence of its own', () => {
  const [ids, statements] = [authorizationLaws.map(({ id }) => id), authorizationLaws.map((law) => law.statement)]
  for (const id of ids) assert.match(id, /^[a-z]+(-[a-z]+)*$/)
  for (const statement of statements) assert.match(statement, /^[^\n.|]{10,120}$/)
  assert.is(new Set(ids).size, ids.length)
  assert.is(new Set(statements).size, statements.length)
})

Laws('each law says where it comes from: a section of a standard, or a document that is there', () => {
  for (const { reference } of authorizationLaws) {
    const [, document] = /^(docs\/\S+)/.exec(reference) ?? []
    if (document === undefined) assert.match(reference, /^(RFC \d+|specification) §[\d.]+$/)
    else assert.ok(existsSync(new URL(document, root)), document)
  }
})

Laws.run()
