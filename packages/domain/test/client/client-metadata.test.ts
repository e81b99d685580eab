import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { members } from '../../src/client/members.js'
import { documentRules, ruleTexts, sessionRules, signedBodyRules } from '../../src/kernel/all-rules.js'
import type { Fault } from '../../src/kernel/faults.js'
import { everyFaultOf, faultsOfMetadata, law, validate } from '@clientele/testing'

const ClientMetadata = suite('validateClientMetadata')
const it = law(ClientMetadata)
const asBrief = ({ pointer, rule }: Pick<Fault, 'pointer' | 'rule'>) => `${pointer}: ${rule}`

ClientMetadata('each way to break a rule is told', () => {
  for (const one of everyFaultOf({})) assert.equal(validate(one.body).faults.map(asBrief), [asBrief(one.fault)])
})

ClientMetadata('the faults that are tried break every rule of metadata, and every member', () => {
  const elsewhere = [
    'unknown-member',
    'json-object',
    'number',
    'repeated-name',
    'more-faults',
    'lifetime',
    'registration-scope',
    'create-only',
    'server-issued',
    ...Object.keys(sessionRules),
    ...Object.keys(documentRules),
    ...Object.keys(signedBodyRules),
  ]
  const rules = Object.keys(ruleTexts).filter(
    (rule) =>
      !elsewhere.includes(rule) &&
      !/^preferred|-mismatch$|^policy|^software-statement-|^sector|^unsupported|^logout-token|^operator-/.test(rule),
  )
  assert.equal(
    rules.filter((rule) => !faultsOfMetadata.some((fault) => fault.rule === rule)),
    [],
  )
  assert.equal(
    Object.keys(members).filter((member) => !faultsOfMetadata.some((fault) => fault.member === member)),
    [],
  )
})

ClientMetadata('seven faults are told, all seven', () => {
  const { faults } = validate({
    redirect_uris: ['https://rp.example/#', 'https://me@rp.example/', 'http://rp.example/', 'https://rp.example/*'],
    client_name: '',
    contacts: [7],
    jwks_uri: 'http://rp.example/jwks',
  })
  assert.equal(faults.map(asBrief).sort(), [
    '/client_name: text',
    '/contacts/0: string',
    '/jwks_uri: https-uri',
    '/redirect_uris/0: uri-fragment',
    '/redirect_uris/1: uri-user-info',
    '/redirect_uris/2: redirect-uri-web',
    '/redirect_uris/3: redirect-uri-wildcard',
  ])
})

ClientMetadata('members with names of Object.prototype, and those that an operator would set, are dropped', () => {
  const names = [
    'constructor',
    'valueOf',
    'hasOwnProperty',
    'toString',
    '__proto__',
    'is_admin',
    'skip_consent',
    'enabled',
    'trusted',
    'client_id',
    'client_secret',
  ]
  const body = Object.fromEntries([['redirect_uris', ['https://rp.example/']], ...names.map((name) => [name, 'x'])])
  const { metadata, faults } = validate(body)
  assert.equal(faults, [])
  for (const name of names) assert.not(Object.hasOwn(metadata, name), name)
})

it(
  'any language tag whatever is kept or refused, without naming it in the description',
  [fc.string({ unit: 'binary' })],
  (tag) => {
    const { metadata, faults } = validate({ grant_types: [], [`tos_uri#${tag}`]: 'https://rp.example/' })
    assert.is(faults.length === 0, Object.hasOwn(metadata, `tos_uri#${tag}`))
    for (const fault of faults) assert.is(fault.description, `tos_uri ${ruleTexts['language-tag'].text}`)
  },
)

ClientMetadata('members that people do not read have no language variants', () => {
  const body = { grant_types: [], 'redirect_uris#fr': ['javascript:x'], 'scope#fr': 5, 'contacts#fr': [] }
  assert.equal(validate(body), validate({ grant_types: [] }))
})

ClientMetadata.run()
