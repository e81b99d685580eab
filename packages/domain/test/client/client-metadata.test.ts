import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { members } from '../../src/client/members.js'
import { ruleTexts } from '../../src/codec/rule-texts.js'
import { sessionRules } from '../../src/codec/rule-texts/sessions.js'
import type { Fault } from '../../src/codec/fault.js'
import type { SentMetadata } from '../../src/testing/index.js'
import {
  everyFaultOf,
  faultsOfMetadata,
  languageTag,
  law,
  validClientMetadata,
  validate,
  withOneFault,
} from '../../src/testing/index.js'

const ClientMetadata = suite('validateClientMetadata')
const it = law(ClientMetadata)
const valid = validClientMetadata()
const asBrief = ({ pointer, rule }: Pick<Fault, 'pointer' | 'rule'>) => `${pointer}: ${rule}`
const briefly = (faults: ReadonlyArray<Fault>) => faults.map(asBrief).sort()
const withoutUndefined = (body: object) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))

it('valid metadata has no fault, and every member is kept as it was sent', [valid], (body) => {
  const { metadata, faults } = validate(body)
  assert.equal(faults, [])
  assert.equal({ ...metadata, ...body }, { ...metadata })
})

// OpenID Registration §2: A128CBC-HS256, wherever the key algorithm was given
const encryptions = (body: SentMetadata) =>
  Object.fromEntries(
    Object.keys(body)
      .filter((name) => /_(?:encrypted_response|encryption)_alg$/.test(name))
      .map((name) => [name.replace(/alg$/, 'enc'), 'A128CBC-HS256']),
  )

it('effective metadata has every default, and nothing else that was not sent', [valid], (body) => {
  const { metadata } = validate(body)
  const grants = body['grant_types'] ?? ['authorization_code']
  const code = Array.isArray(grants) && grants.includes('authorization_code')
  const defaults = {
    application_type: 'web',
    grant_types: ['authorization_code'],
    id_token_signed_response_alg: 'RS256',
    response_types: code ? ['code'] : [],
    subject_type: 'public',
    token_endpoint_auth_method: 'client_secret_basic',
  }
  assert.equal({ ...metadata }, { ...defaults, ...encryptions(body), ...body })
})

it('effective metadata is valid, and its own effective metadata', [valid], (body) => {
  const { metadata } = validate(body)
  assert.equal(validate({ ...metadata }), { metadata, faults: [] })
})

it('one fault is told once: its member, its place, its rule', [withOneFault(valid)], ({ body, fault }) =>
  assert.equal(validate(body).faults.map(asBrief), [asBrief(fault)]),
)

ClientMetadata('each way to break a rule is told', () => {
  for (const one of everyFaultOf({})) assert.equal(validate(one.body).faults.map(asBrief), [asBrief(one.fault)])
})

ClientMetadata('the faults that are tried break every rule of metadata, and every member', () => {
  const elsewhere = [
    'json-object',
    'more-faults',
    'lifetime',
    'registration-scope',
    'create-only',
    'server-issued',
    ...Object.keys(sessionRules),
  ]
  const rules = Object.keys(ruleTexts).filter(
    (rule) => !elsewhere.includes(rule) && !/^preferred|-mismatch$|^policy|^software-statement-|^sector/.test(rule),
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
  assert.equal(briefly(faults), [
    '/client_name: text',
    '/contacts/0: string',
    '/jwks_uri: https-uri',
    '/redirect_uris/0: uri-fragment',
    '/redirect_uris/1: uri-user-info',
    '/redirect_uris/2: redirect-uri-web',
    '/redirect_uris/3: redirect-uri-wildcard',
  ])
})

it(
  'faults of different members are all told',
  [fc.uniqueArray(fc.constantFrom('client_name', 'scope', 'logo_uri', 'jwks', 'data', 'subject_type'))],
  (names) => {
    const body = Object.fromEntries(names.map((name) => [name, 7]))
    const { faults } = validate({ redirect_uris: ['https://rp.example/'], ...body })
    assert.equal(faults.map(({ pointer }) => pointer).sort(), names.map((name) => `/${name}`).sort())
  },
)

it('an unknown member never survives', [valid, fc.string(), fc.anything()], (body, name, value) => {
  if (Object.hasOwn(members, name) || name.includes('#')) return
  const extra = Object.fromEntries([[name, value]])
  assert.equal(validate({ ...body, ...extra }), validate(body))
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

it('inherited members are nobody’s wish', [valid, valid], (body, inherited) =>
  assert.equal(validate(Object.assign(Object.create({ ...inherited, 'client_name#fr': 5 }), body)), validate(body)),
)

it('a member that is undefined is a member that was not sent', [valid], (body) => {
  const unset = Object.fromEntries([...Object.keys(members), 'client_name#fr'].map((name) => [name, undefined]))
  assert.equal(validate({ ...unset, ...body }), validate(body))
})

it(
  'any member of any value is kept or refused at that member, and no member comes out undefined or null',
  [fc.constantFrom(...Object.keys(members)), fc.anything()],
  (name, value) => {
    const { metadata, faults } = validate({ [name]: value })
    assert.equal(withoutUndefined(metadata), { ...metadata })
    if (faults.length === 0) assert.not(Object.values<unknown>({ ...metadata }).some((kept) => kept === null))
  },
)

it('a language variant is kept as it was sent (RFC 7591 §2.2)', [valid, languageTag()], (body, tag) => {
  const sent = { ...body, [`client_name#${tag}`]: 'Nom', [`logo_uri#${tag}`]: 'https://rp.example/logo' }
  const { metadata, faults } = validate(sent)
  assert.equal([faults, Object.entries(metadata).filter(([name]) => name.endsWith(`#${tag}`)).length > 1], [[], true])
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
