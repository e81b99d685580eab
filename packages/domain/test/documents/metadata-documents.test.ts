import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { documentPolicy, driftKinds } from '@clientele/domain/policy'
import { documentRules } from '../../src/kernel/all-rules.js'
import { metadataDocumentsDocument } from './metadata-documents.js'

const document = suite('document about metadata documents')
const text = metadataDocumentsDocument()

document('every rule of documents names a section of each draft, or the policy', () => {
  for (const [rule, { reference }] of Object.entries(documentRules))
    assert.match(
      reference,
      /^(?:CIMD -02 §[\d., ]+, -00 §[\d., ]+|the registration policy of the operator|a bound of this service)$/,
      rule,
    )
})

document('every part of the policy and every change has a row', () => {
  for (const part of [...Object.keys(documentPolicy()), ...driftKinds])
    assert.ok(text.includes(`| \`${part}\``) || text.includes(`, \`${part}\``), part)
})

document.run()
