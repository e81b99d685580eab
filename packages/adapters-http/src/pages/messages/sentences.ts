// Sentences with a place for a value, and those that depend on a number.

/** The two halves of a sentence around a value: the template marks up the value, a message never does. */
export type Around = { readonly before: string; readonly after: string }

/** The halves of a sentence with one place, whatever is named there. */
export const around = (sentence: `${string}{${string}}${string}`): Around => {
  const [before = '', after = ''] = sentence.split(/\{[a-z]+\}/)
  return { before, after }
}

/** A sentence without a place. */
export const whole = (sentence: string): Around => ({ before: sentence, after: '' })

type Say = (count: number) => string

/** Selects the plural form for a number (CLDR plural rules); `other` where the language has no special form. */
export const plural = (
  language: string,
  forms: Partial<Readonly<Record<Intl.LDMLPluralRule, Say>>> & { readonly other: Say },
): Say => {
  let rules: Intl.PluralRules | undefined
  return (count) => {
    rules ??= new Intl.PluralRules(language)
    return (forms[rules.select(count)] ?? forms.other)(count)
  }
}
