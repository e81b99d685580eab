import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as fc from 'fast-check'
import { effectiveMetadata, law, ruleContext, validate } from '@clientele/testing'
import { droppedMembers } from '../../src/client/dropped-members.js'
import { allRules } from '../../src/client/rules/all-rules.js'
import { validateClientMetadata } from '../../src/client/validate-client-metadata.js'
import { adjustmentsOf } from '../../src/registration/adjustments.js'

const Adjustments = suite('what registration adjusts')
const it = law(Adjustments)

const validateReplacing = validateClientMetadata(allRules, { ...ruleContext, replacesWebType: true })

const rulesOf = (body: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  adjustmentsOf(body, validateReplacing(body).metadata).map(({ pointer, rule }) => `${pointer} ${rule}`)

Adjustments('a type that was left out, or that schemes contradict', () => {
  const redirect_uris = ['com.example.app:/cb']
  assert.equal(rulesOf({ redirect_uris }), ['/application_type application-type-inferred'])
  assert.equal(rulesOf({ redirect_uris, application_type: 'web' }), ['/application_type application-type-replaced'])
  assert.equal(rulesOf({ redirect_uris, application_type: 'native' }), [])
  assert.equal(rulesOf({ redirect_uris, software_statement: 'a.b.c' }), [])
  assert.equal(rulesOf({ redirect_uris: ['https://rp.example/cb'] }), [])
})

Adjustments('an empty scope is left out, in a registration and in an update', () => {
  const body = { redirect_uris: ['https://rp.example/cb'], scope: '' }
  const { metadata, faults } = validate(body)
  assert.equal(faults, [])
  assert.not('scope' in metadata)
  assert.equal(rulesOf(body), ['/scope scope-empty'])
  assert.equal(droppedMembers(body, []), ['scope'])
})

Adjustments('no other member may be empty', () => {
  const body = { redirect_uris: ['https://rp.example/cb'], scope: ' ', client_name: '', software_id: '' }
  assert.equal(
    validate(body).faults.map(({ pointer }) => pointer),
    ['/scope', '/client_name', '/software_id'],
  )
})

it('any body and metadata have adjustments, each once', [fc.anything(), effectiveMetadata()], (body, metadata) => {
  const rules = adjustmentsOf(body, metadata).map(({ rule }) => rule)
  assert.is(new Set(rules).size, rules.length)
})

it('metadata that says all is adjusted in nothing', [effectiveMetadata()], (metadata) =>
  assert.equal(adjustmentsOf({ ...metadata }, metadata), []),
)

Adjustments.run()
