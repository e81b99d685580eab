import type * as E from 'fp-ts/lib/Either.js'

/** Parses a text; a refusal is the violated rule, as the end of the sentence "SETTING must be …". */
export type Parse<A> = (text: string) => E.Either<string, A>

export type Setting<A> = {
  /** The effect, in one line. */
  readonly description: string
  /** The accepted values. */
  readonly values: string
  readonly fallback: A
  /** The default in words, where the value is not clear by itself. */
  readonly fallbackText?: string
  readonly parse: Parse<A>
  /** The text of the value, where it is not the value itself; of a secret, the part that is not secret. */
  shown?(value: A): string
  /** Shown only as `shown` says, and may be given as SETTING-file as well. */
  readonly secret?: true
  /** May be a JSON object in the file of --config, beside a text with it. */
  readonly json?: true
  /** Further forms of the same value, by the suffix of their names. */
  readonly forms?: Readonly<Record<string, Parse<A>>>
}

/** The suffixes of the forms of a setting; the -file form names a file with the text of the plain form. */
export const suffixesOf = (setting: Setting<unknown>): ReadonlyArray<string> => [
  '',
  ...(setting.secret ? ['-file'] : []),
  ...Object.keys(setting.forms ?? {}),
]

export const environmentName = (name: string): string => `CLIENTELE_${name.toUpperCase().replaceAll('-', '_')}`
