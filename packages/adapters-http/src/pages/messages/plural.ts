type Say = (count: number) => string

/** Selects the plural form for a number (CLDR plural rules); `other` where the language has no special form. */
export const plural = (
  language: string,
  forms: Partial<Readonly<Record<Intl.LDMLPluralRule, Say>>> & { readonly other: Say },
): Say => {
  const rules = new Intl.PluralRules(language)
  return (count) => (forms[rules.select(count)] ?? forms.other)(count)
}
