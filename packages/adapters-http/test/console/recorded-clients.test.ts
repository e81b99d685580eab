import { isMemberName } from '@clientele/domain/client'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { metadataIn, metadataOf, recordedTemplates, typedOf } from '../../src/console/client-form.js'

const recorded = suite('recorded clients as templates')

// RFC 7591 §2: registration ignores the others.
const known = (client: object): object =>
  Object.fromEntries(Object.entries(client).filter(([name]) => isMemberName(name.split('#')[0] ?? '')))

recorded('the form of each says what registration takes of what the application sends', () => {
  assert.ok(recordedTemplates.length >= 25, String(recordedTemplates.length))
  for (const { title, client } of recordedTemplates) {
    const typed = metadataOf(typedOf(metadataIn(client)))
    assert.equal(E.isRight(typed) ? typed.right : typed.left, known(client), title)
  }
})

recorded('each has an address of its own', () => {
  assert.is(new Set(recordedTemplates.map(({ id }) => id)).size, recordedTemplates.length)
  for (const { id } of recordedTemplates) assert.match(id, /^as-[a-z0-9-]+$/)
})

recorded.run()
