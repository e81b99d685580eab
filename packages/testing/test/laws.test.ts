import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { authorizationLaws, documentLaws, keyLaws, metadataLaws, redirectLaws } from '../src/index.js'

const Laws = suite('laws as data')
const laws = [...authorizationLaws, ...metadataLaws, ...redirectLaws, ...keyLaws, ...documentLaws]

Laws('each law has an id of its own, in kebab-case, and a sentence of its own', () => {
  const ids = laws.map(({ id }) => id)
  const statements = laws.map((law) => law.statement)
  for (const id of ids) assert.match(id, /^[a-z]+(-[a-z]+)*$/)
  for (const statement of statements) assert.match(statement, /^[^\n.|]{10,120}$/)
  assert.is(new Set(ids).size, ids.length)
  assert.is(new Set(statements).size, statements.length)
})

// tools/check-docs.mjs checks that the document exists.
Laws('each law says where it comes from: a section of a standard, or a document', () => {
  for (const { reference } of laws)
    assert.match(reference, /^((RFC \d+|specification) §\d[\d.]*|docs\/\S+\.md( \(\w+\))?)$/)
})

Laws.run()
