import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { usesClientSecret } from '../src/arbitraries/documents.js'
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

// seed 1014861198 of a-document-is-judged-as-a-registration
Laws('only a text names an algorithm that uses a client_secret', () => {
  const values = ['HS256', 'RS256', ['HS256'], [{ toString: '' }], Object.create(null), undefined]
  assert.equal(
    values.map((value) => usesClientSecret('token_endpoint_auth_signing_alg', value)),
    [true, false, false, false, false, false],
  )
})

Laws.run()
