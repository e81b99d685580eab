import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { humanReadableMembers, members } from '../../src/client/members.js'
import { readMembers } from '../../src/client/metadata.js'
import { refusalOf } from '../documents/refusal-of.js'
import { law, sent, standardRules, validClientMetadata } from '@clientele/testing'
import { schemaTakes } from './compiled-schema.js'

const Schema = suite('clientMetadataSchema')
const it = law(Schema)

const memberNames = Object.keys(members)
const taggedNames = humanReadableMembers.flatMap((name) => [`${name}#fr`, `${name}#no tag`])
const importNames = ['preferred_client_id', 'preferred_client_secret']

/** Whether the value satisfies the rules of the member itself. */
const codecTakes = (name: string, value: unknown): boolean =>
  importNames.includes(name)
    ? !refusalOf(standardRules)(sent({ [name]: value })).some(({ rule }) => rule === name.replace(/_/g, '-'))
    : readMembers({ [name]: value }).faults.length === 0

it('takes every body without fault', [validClientMetadata()], (body) => {
  assert.ok(schemaTakes(body))
})

Schema('refuses what is of a wrong type for its member, and only that', () => {
  for (const name of [...memberNames, ...importNames])
    for (const value of [[], {}, 123, true, null])
      assert.is(schemaTakes({ [name]: value }), codecTakes(name, value), `${name}: ${JSON.stringify(value)}`)
})

const isText = (name: string): boolean =>
  !codecTakes(name, 1) && readMembers({ [name]: 1 }).faults[0]?.rule === 'string'

Schema('refuses an empty text for every member that is no text', () => {
  for (const name of memberNames) assert.ok(isText(name) || !schemaTakes({ [name]: '' }), name)
})

const longText = fc
  .tuple(
    fc.constantFrom('a', 'é', '😀'),
    fc.constantFrom(1, 45, 128, 200, 253, 254, 256, 2048, 32_768),
    fc.integer({ min: -1, max: 1 }),
  )
  .map(([letter, length, more]) => letter.repeat(length + more))
const words = fc.constantFrom('code', 'id_token', 'token', 'web', 'RS256', 'none', 'openid', 'a', '.', '..', '::1')
const texts = fc.oneof(longText, words, fc.string(), fc.webUrl(), fc.webUrl({ withFragments: true }), fc.domain())
const phrases = fc.array(words, { minLength: 1, maxLength: 4 }).map((each) => each.join(' '))
const lists = fc.oneof(
  fc.array(fc.oneof(texts, phrases), { maxLength: 4 }),
  fc.constantFrom(9, 10, 11, 31, 32, 33).map((length) => Array.from({ length }, (_, index) => `x:${index}`)),
)
const keys = fc.array(fc.record({ kty: fc.constantFrom<unknown>('RSA', 'EC', 'AKP', 1) }), { maxLength: 33 })
const values = fc.oneof(fc.jsonValue(), texts, phrases, lists, fc.double(), fc.nat(), fc.record({ keys }))

it(
  'never refuses what the codec takes',
  [fc.constantFrom(...memberNames, ...taggedNames, ...importNames, 'unknown'), values],
  (name, value) => {
    if (!schemaTakes({ [name]: value })) assert.not(codecTakes(name, value))
  },
)

it('takes what is unknown', [fc.string(), fc.jsonValue()], (name, value) => {
  assert.ok(schemaTakes({ [`unknown_${name}`]: value }))
})

Schema.run()
