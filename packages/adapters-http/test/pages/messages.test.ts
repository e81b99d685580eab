import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { languages, messagesIn } from '../../src/pages/messages/languages.js'
import { redirectRefusalText } from '../../src/pages/page-view.js'

const messages = suite('the messages of the logout pages')

type Texts = ReadonlyArray<readonly [string, string]>

/** All texts of a language by place; with the number for texts that depend on one. */
const textsOf = (value: unknown, place = ''): Texts => {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function')
    return [1, 2, 7, 12, 103].map((count) => [`${place}(${count})`, String(value(count))])
  return Object.entries(value ?? {}).flatMap(([name, inner]) => textsOf(inner, `${place}/${name}`))
}

const isHalf = (place: string): boolean => /\/(?:before|after)$/.test(place)

for (const language of languages) {
  const texts = textsOf(messagesIn[language]).filter(([place]) => place !== '/direction')

  messages(`${language}: no text is empty, holds markup or a placeholder, or has blanks at its ends`, () => {
    for (const [place, text] of texts) {
      assert.not.match(text, /[<>&{}"]|\s{2}|'/u, place)
      if (!isHalf(place)) assert.is(text, text.trim(), place)
      if (!isHalf(place)) assert.ok(text.length > 0, place)
    }
  })

  messages(`${language}: no two messages are the same, so that every page and answer can be told apart`, () => {
    const whole = texts.filter(([place]) => !isHalf(place)).map(([, text]) => text)
    assert.is(new Set(whole).size, whole.length)
  })

  if (language !== 'en')
    messages(`${language}: nothing is left in English`, () => {
      const english = textsOf(messagesIn.en).map(([, text]) => text)
      for (const [place, text] of texts) if (/\p{L}{3}/u.test(text)) assert.not.ok(english.includes(text), place)
    })
}

messages('only Arabic is written from right to left', () => {
  for (const language of languages) assert.is(messagesIn[language].direction, language === 'ar' ? 'rtl' : 'ltr')
})

messages('numbers take the form that the language has for them', () => {
  const { fr, ar, de } = messagesIn
  assert.equal([1, 2].map(fr.more), ['et 1 autre', 'et 2 autres'])
  assert.equal([1, 2].map(de.more), ['und 1 weitere', 'und 2 weitere'])
  assert.equal([1, 2, 3, 10, 11, 99, 100, 103].map(ar.more), [
    'وتطبيق واحد آخر',
    'وتطبيقان آخران',
    'و3 تطبيقات أخرى',
    'و10 تطبيقات أخرى',
    'و11 تطبيقًا آخر',
    'و99 تطبيقًا آخر',
    'و100 تطبيق آخر',
    'و103 تطبيقات أخرى',
  ])
})

messages('each reason that ends in the same sentence is of the same kind, and what was not asked is not told', () => {
  const { en } = messagesIn
  assert.is(redirectRefusalText(undefined, en), undefined)
  assert.is(redirectRefusalText('not_asked', en), undefined)
  assert.is(redirectRefusalText('no_hint', en), en.redirectRefusal.unidentified)
  assert.is(redirectRefusalText('hint_bad_signature', en), redirectRefusalText('hint_undecryptable', en))
  assert.is(redirectRefusalText('refused_uri', en), en.redirectRefusal.address)
})

messages.run()
