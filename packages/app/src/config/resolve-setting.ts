import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ConfigFault } from './config-fault.js'
import type { GivenSetting, GivenSettings } from './given-setting.js'
import type { ReadFile } from './values/read-file.js'
import { type SettingName, settings } from './settings.js'
import type { Parse, Setting } from './values/setting.js'

/** A setting with its value and the source of the value. */
export type ResolvedSetting = { readonly name: SettingName; readonly value: unknown; readonly source: string }

const ofFile =
  (readFile: ReadFile, parse: Parse<unknown>): Parse<unknown> =>
  (path) =>
    pipe(
      readFile(path),
      E.mapLeft((code) => `the path of a readable file (${code})`),
      E.flatMap((text) => parse(text.trim())),
    )

const parserOf = (setting: Setting<unknown>, suffix: string, readFile: ReadFile): Parse<unknown> => {
  if (suffix === '') return setting.parse
  return setting.forms?.[suffix] ?? ofFile(readFile, setting.parse)
}

const remedyOf = (setting: Setting<unknown>): string =>
  `correct it, or remove it for the default (${setting.fallbackText ?? String(setting.fallback)})`

const parse = (given: GivenSetting, readFile: ReadFile): E.Either<ReadonlyArray<ConfigFault>, ResolvedSetting> =>
  pipe(
    parserOf(settings[given.setting], given.suffix, readFile)(given.text),
    E.map((value) => ({ name: given.setting, value, source: given.source })),
    E.mapLeft((rule) => [
      {
        setting: `${given.setting}${given.suffix}`,
        source: given.source,
        rule: `must be ${rule}`,
        remedy: remedyOf(settings[given.setting]),
      },
    ]),
  )

const givenTwice = (forms: ReadonlyArray<GivenSetting>): ConfigFault => ({
  setting: forms[0]?.setting ?? '',
  source: forms.map(({ source, setting, suffix }) => `${setting}${suffix} from ${source}`).join(', '),
  rule: 'must be given in one form only',
  remedy: 'remove one of them',
})

/** The value from the first source that gives one; one source must not give it in two forms. */
export const resolveSetting =
  (sources: ReadonlyArray<GivenSettings>, readFile: ReadFile) =>
  (name: SettingName): E.Either<ReadonlyArray<ConfigFault>, ResolvedSetting> => {
    const forms = sources
      .map(({ given }) => given.filter(({ setting }) => setting === name))
      .find((each) => each.length > 0)
    const [first, second] = forms ?? []
    if (first === undefined) return E.right({ name, value: settings[name].fallback, source: 'default' })
    return second === undefined ? parse(first, readFile) : E.left([givenTwice([first, second])])
  }
