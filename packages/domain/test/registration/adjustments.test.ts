import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import * as fc from 'fast-check'
import { effectiveMetadata, law, ruleContext, validate } from '@clientele/testing'
import { droppedMembers } from '../../src/client/schema.js'
import { responseTypes } from '../../src/client/values.js'
import { allRules, validateClientMetadata } from '../../src/client/rules.js'
import { maxReported } from '../../src/kernel/faults.js'
import { adjustmentsOf, tidiedBody } from '../../src/registration/adjustments.js'

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

const servedTypes = fc.uniqueArray(fc.constantFrom(...responseTypes.values), { maxLength: responseTypes.values.length })

it(
  'of the response types, those remain that the authorization server does; where it does none, all (RFC 7591 §2)',
  [servedTypes, fc.option(servedTypes, { nil: undefined })],
  (served, response_types) => {
    const grant_types = ['authorization_code', 'implicit']
    const body = { redirect_uris: ['https://rp.example/cb'], grant_types, ...(response_types && { response_types }) }
    const isSupported = (member: string, value: string): boolean =>
      member !== 'response_types' || served.some((each) => each === value)
    const { metadata } = validateClientMetadata(allRules, { ...ruleContext, isSupported })(body)
    const sent = response_types ?? ['code']
    const remaining = sent.filter((each) => served.includes(each))
    const isNarrowed = response_types !== undefined && remaining.length > 0 && remaining.length < sent.length
    assert.equal(metadata.response_types, isNarrowed ? remaining : sent)
    const told = adjustmentsOf(body, metadata).map(({ rule }) => rule)
    assert.equal(told, isNarrowed ? ['response-types-narrowed'] : [])
    const stated = { ...body, software_statement: 'a.b.c' }
    assert.equal(adjustmentsOf(stated, metadata), [])
  },
)

Adjustments('no other member may be empty', () => {
  const body = { redirect_uris: ['https://rp.example/cb'], scope: ' ', client_name: '', software_id: '' }
  assert.equal(
    validate(body).faults.map(({ pointer }) => pointer),
    ['/scope', '/client_name', '/software_id'],
  )
})

Adjustments('an identifier or a secret that is preset by null or nothing counts as left out', () => {
  const { body, adjustments } = tidiedBody({ preferred_client_id: null, preferred_client_secret: '', client_name: 'a' })
  assert.equal(body, { client_name: 'a' })
  assert.equal(
    adjustments.map(({ pointer }) => pointer),
    ['/preferred_client_id', '/preferred_client_secret'],
  )
})

Adjustments('of many sloppy members, as many are told as faults are, and all are left out', () => {
  const variants = Array.from({ length: 60 }, (_, index) => [`client_name#x${index}`, null])
  const { body, adjustments } = tidiedBody(Object.fromEntries([...variants, ['client_uri', 'https://rp.example/']]))
  assert.equal(body, { client_uri: 'https://rp.example/' })
  assert.is(adjustments.length, maxReported)
})

it('any body and metadata have adjustments, each once', [fc.anything(), effectiveMetadata()], (body, metadata) => {
  const rules = adjustmentsOf(body, metadata).map(({ rule }) => rule)
  assert.is(new Set(rules).size, rules.length)
})

it('metadata that says all is adjusted in nothing', [effectiveMetadata()], (metadata) =>
  assert.equal(adjustmentsOf({ ...metadata }, metadata), []),
)

Adjustments.run()
