type Say = (count: number) => string

/** Says a number in the form that the language has for it (CLDR plural rules); `other` where it has no form of its own. */
export const plural = (
  language: string,
  forms: Partial<Readonly<Record<Intl.LDMLPluralRule, Say>>> & { readonly other: Say },
): Say => {
  const rules = new Intl.PluralRules(language)
  return (count) => (forms[rules.select(count)] ?? forms.other)(count)
}
