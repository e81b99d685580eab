import { ar } from './ar.js'
import { de } from './de.js'
import { type Messages, en } from './en.js'
import { es } from './es.js'
import { fr } from './fr.js'
import { ja } from './ja.js'

/** RFC 5646 primary subtags; the first one is the default. */
export const languages = ['en', 'de', 'fr', 'es', 'ja', 'ar'] as const

export type Language = (typeof languages)[number]

export const messagesIn: Readonly<Record<Language, Messages>> = { en, de, fr, es, ja, ar }

// Further characters of the list are ignored.
const maxCharacters = 1024

type Range = { readonly tag: string; readonly quality: number }

const known = (tag: string): Language | undefined => languages.find((language) => language === tag.split('-', 1)[0])

const bounded = (text: string | undefined): string =>
  text !== undefined && text.length <= maxCharacters ? text.toLowerCase() : ''

const tagForm = /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/

/** OpenID Connect Core §3.1.2.1: language tags in the order of preference. */
const byLocales = (uiLocales: string | undefined): Language | undefined =>
  bounded(uiLocales)
    .split(' ')
    .filter((tag) => tagForm.test(tag))
    .map(known)
    .find((language) => language !== undefined)

// RFC 9110 §12.4.2 and §12.5.4
const rangeForm = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/

const readRanges = (acceptLanguage: string | undefined): ReadonlyArray<Range> =>
  bounded(acceptLanguage)
    .split(',')
    .flatMap((range) => {
      const [, tag, quality = '1'] = rangeForm.exec(range.trim()) ?? []
      return tag === undefined ? [] : [{ tag, quality: Number(quality) }]
    })

/** A language with weight 0 is not acceptable; `*` matches the languages that are not listed. */
const byAccepted = (acceptLanguage: string | undefined): Language | undefined => {
  const ranges = readRanges(acceptLanguage)
  const excluded = ranges.filter(({ quality }) => quality === 0).map(({ tag }) => tag)
  const mentioned = ranges.map(({ tag }) => known(tag))
  const unmentioned = languages.find((language) => !mentioned.includes(language))
  return ranges
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => (tag === '*' ? unmentioned : known(tag)))
    .find((language) => language !== undefined && !excluded.includes(language))
}

/** The supported language that the end-user prefers most: by the request, by the browser, or else English. */
export const chooseLanguage = (uiLocales: string | undefined, acceptLanguage: string | undefined): Language =>
  byLocales(uiLocales) ?? byAccepted(acceptLanguage) ?? languages[0]
