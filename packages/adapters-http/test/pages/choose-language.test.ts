import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { chooseLanguage, languages } from '../../src/pages/messages/languages.js'

const choosing = suite('the language of a page')

choosing('ui_locales names languages in the order of preference (OpenID Connect Core §3.1.2.1)', () => {
  assert.is(chooseLanguage('fr-CA fr en', undefined), 'fr')
  assert.is(chooseLanguage('pt nl ja de', undefined), 'ja')
  assert.is(chooseLanguage('de-AT', 'fr'), 'de')
  assert.is(chooseLanguage('DE-at', undefined), 'de')
  assert.is(chooseLanguage('zh-Hant-TW es-419', undefined), 'es')
  assert.is(chooseLanguage(' ar  en ', undefined), 'ar')
})

choosing('what is no language tag, or one of a language that there is not, is passed over', () => {
  for (const uiLocales of [
    '',
    ' ',
    'tlh',
    'de_AT',
    'deutsch',
    'd',
    '*',
    'de-',
    '-de',
    'de--AT',
    'constructor',
    '__proto__',
    'x-de',
  ])
    assert.is(chooseLanguage(uiLocales, 'fr'), 'fr', uiLocales)
  assert.is(chooseLanguage('de_AT es', undefined), 'es')
})

choosing('Accept-Language tells by quality, and among equals by order (RFC 9110 §12.5.4)', () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ['de', 'de'],
    ['da, en-gb;q=0.8, en;q=0.7', 'en'],
    ['en;q=0.7, fr;q=0.9', 'fr'],
    ['en;q=0.7,de-CH , fr;q=0.9', 'de'],
    ['es, ja', 'es'],
    ['ja ; q=1.000 ,es;q=0.999', 'ja'],
    ['fr;Q=0.5, de;q=0.6', 'de'],
    ['AR-EG', 'ar'],
  ]
  for (const [header, language] of cases) assert.is(chooseLanguage(undefined, header), language, header)
})

choosing('a language at 0 is not chosen, and * stands for those that are not mentioned', () => {
  const cases: ReadonlyArray<readonly [string, string]> = [
    ['*', 'en'],
    ['nl, *', 'en'],
    ['en;q=0, *', 'de'],
    ['en;q=0, de;q=0, *;q=0.1', 'fr'],
    ['de-DE, de;q=0, fr;q=0.1', 'fr'],
    ['de-AT;q=0, de', 'de'],
    ['*;q=0, ja;q=0.1', 'ja'],
    ['fr;q=0.2, *;q=0.5', 'en'],
    ['en;q=0.2, *;q=0.5', 'de'],
    ['*;q=0', 'en'],
    ['en;q=0', 'en'],
  ]
  for (const [header, language] of cases) assert.is(chooseLanguage(undefined, header), language, header)
})

choosing('what is no language range is passed over', () => {
  for (const odd of ['de;q=2', 'de;q=0.1234', 'de;q=', 'de;q=-1', 'de;level=1', 'de q=1', '**', 'de;q=1;q=1', '"de"'])
    assert.is(chooseLanguage(undefined, `${odd}, fr;q=0.1`), 'fr', odd)
  assert.is(chooseLanguage(undefined, ',,, ,ja'), 'ja')
})

choosing('what is longer than anybody needs is ignored, whole', () => {
  const many = 'de '.repeat(400)
  assert.is(chooseLanguage(many, 'fr'), 'fr')
  assert.is(chooseLanguage(undefined, many.replaceAll(' ', ',')), 'en')
})

choosing('any texts whatever give a language that there is', () => {
  const text = fc.option(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('de', 'fr-CA', '*', ';', 'q=', '0', '.5', ' ', ',', '-', '\t', 'ja;q=0.3'))
        .map((all) => all.join('')),
    ),
    { nil: undefined },
  )
  fc.assert(
    fc.property(text, text, (uiLocales, acceptLanguage) => {
      assert.ok(languages.includes(chooseLanguage(uiLocales, acceptLanguage)))
    }),
  )
})

choosing('one wish that can be met is met, wherever it stands', () => {
  const wish = fc.constantFrom(...languages)
  const others = fc.array(fc.constantFrom('nl', 'zh-Hans', 'pt-BR', '??', 'en_US'), { maxLength: 5 })
  fc.assert(
    fc.property(wish, others, others, (language, before, after) => {
      const all = [...before, `${language}-001`, ...after]
      assert.is(chooseLanguage(all.join(' '), undefined), language)
      assert.is(chooseLanguage(undefined, all.join(', ')), language)
      assert.is(chooseLanguage(before.join(' '), all.join(', ')), language)
    }),
  )
})

choosing('the time is bounded, however long and odd the texts are', () => {
  const began = performance.now()
  for (const odd of [
    'a-'.repeat(500_000),
    'q=0;'.repeat(250_000),
    ' '.repeat(1_000_000),
    'a-'.repeat(511),
    '\t;'.repeat(511),
  ])
    chooseLanguage(odd, odd)
  assert.ok(performance.now() - began < 500)
})

choosing.run()
