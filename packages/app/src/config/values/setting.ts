import type * as E from 'fp-ts/lib/Either.js'

/** Text to value; a refusal is the rule that the text breaks, as the end of the sentence "SETTING must be …". */
export type Parse<A> = (text: string) => E.Either<string, A>

export type Setting<A> = {
  /** What it does, in one line. */
  readonly description: string
  /** What may be given. */
  readonly values: string
  readonly fallback: A
  /** The default in words, where the value does not say it. */
  readonly fallbackText?: string
  readonly parse: Parse<A>
  /** The value as it may be given again, where it is not that itself. */
  shown?(value: A): string
  /** Never shown, and may be given as SETTING-file as well. */
  readonly secret?: true
  /** More forms of the same value, by the suffix of their names. */
  readonly forms?: Readonly<Record<string, Parse<A>>>
}

/** The forms in which a setting may be given, by suffix; the -file form has the text of the plain one in a file. */
export const suffixesOf = (setting: Setting<unknown>): ReadonlyArray<string> => [
  '',
  ...(setting.secret ? ['-file'] : []),
  ...Object.keys(setting.forms ?? {}),
]

export const environmentName = (name: string): string => `CLIENTELE_${name.toUpperCase().replaceAll('-', '_')}`
