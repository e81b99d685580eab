import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validate } from '@clientele/testing'

const LanguageTagged = suite('language variants')

const faultsOf = (members: object) =>
  validate({ grant_types: [], ...members }).faults.map(({ pointer, rule }) => `${pointer} ${rule}`)

// RFC 5646, appendix A, and its limits for the length of each part
for (const tag of [
  'de',
  'DE-de',
  'abcd',
  'abcdefgh',
  'i-enochian',
  'EN-gb-OED',
  'sgn-CH-DE',
  'zh-Hant',
  'zh-cmn-Hans-CN',
  'zh-min-nan',
  'sr-Latn-RS',
  'sl-rozaj-biske',
  'de-CH-1901',
  'de-1a2b',
  'sl-IT-nedis',
  'hy-Latn-IT-arevela',
  'es-419',
  'de-CH-x-phonebk',
  'de-x-1-ab-abcdefgh',
  'x-whatever',
  'x-1-2',
  'qaa-Qaaa-QM-x-southern',
  'en-US-u-islamcal',
  'en-u-ab-12-abcdefgh',
  'en-1-abc',
  'zh-CN-a-myext-x-private',
  'en-a-myext-b-another',
  `de-x${'-abcdefgh'.repeat(3)}-abc`,
])
  LanguageTagged(`${tag} is a language tag`, () => assert.equal(faultsOf({ [`client_name#${tag}`]: 'x' }), []))

for (const tag of [
  'de-419-DE',
  'de-19',
  'de-abcd-abcd',
  'de-u',
  'de-u-a',
  'de-x',
  'de-x-abcdefghi',
  'x-abcdefghi',
  'de-a-b-cd',
  'de-4',
  'zh-abc-abc-abc-abc',
  'a-en-GB-oed',
  'i-amis',
  'en-GB-oed-x',
  `de-x${'-abcdefgh'.repeat(3)}-abcd`,
])
  LanguageTagged(`${tag} is no language tag`, () =>
    assert.equal(faultsOf({ [`client_name#${tag}`]: 'x' }), [`/client_name#${tag} language-tag`]),
  )

LanguageTagged('of a name that is no language tag, no more than 80 characters are told', () => {
  const name = `client_name#${'a'.repeat(90)}`
  assert.equal(faultsOf({ [name]: 'x' }), [`/${name.slice(0, 80)} language-tag`])
  assert.equal(faultsOf({ [`client_name#${'a'.repeat(67)}😀`]: 'x' }), [`/client_name#${'a'.repeat(67)} language-tag`])
})

LanguageTagged('what people read of the extensions has variants, too, and those of keywords are lists', () => {
  const sent = {
    'description#fr': 'Une application',
    'keywords#fr': ['une', 'deux'],
    'information_uri#fr': 'https://rp.example/fr',
    'organization_uri#fr': 'https://rp.example/nous',
  }
  const { metadata, faults } = validate({ grant_types: [], ...sent })
  assert.equal(faults, [])
  assert.equal({ ...metadata, ...sent }, { ...metadata })
  assert.equal(
    faultsOf({ 'keywords#fr': 'une', 'keywords#de': ['a', 7], 'keywords#it': [], 'description#fr': ['x'] }),
    ['/keywords#fr array', '/keywords#de/1 string', '/keywords#it array-empty', '/description#fr string'],
  )
})

const variants = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`client_name#x-${index}`, 'name']))

LanguageTagged('there may be 64 variants; beyond them, none is looked at', () => {
  assert.equal(faultsOf(variants(64)), [])
  assert.equal(faultsOf({ ...variants(64), 'tos_uri#fr': 7 }), ['/client_name language-tags'])
  const { metadata } = validate({ grant_types: [], ...variants(64), 'client_name#fr': 'Nom' })
  assert.is(metadata['client_name#x-63'], 'name')
  assert.is(metadata['client_name#fr'], undefined)
})

LanguageTagged.run()
