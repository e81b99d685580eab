// Reads the settings: flags, then environment, then file, then the profile, then defaults.
import { isPlainObject } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type ReadFile, jsonIn } from './files.js'
import { profiles } from './profiles.js'
import { type ConfigFault, faultsAcross } from './rules.js'
import { type Config, type SettingForm, type SettingName, settingForms, settingNames, settings } from './settings.js'
import { type Setting, didYouMean, environmentName } from './values.js'

/** A setting as given: its form, text and source. */
type GivenSetting = {
  readonly setting: SettingName
  readonly suffix: string
  readonly text: string
  readonly source: string
}

/** The settings of one source. Earlier sources take precedence. */
type GivenSettings = { readonly given: ReadonlyArray<GivenSetting>; readonly faults: ReadonlyArray<ConfigFault> }

type Texts = Readonly<Record<string, string | undefined>>

const givenIn = (
  texts: Texts,
  sourceOf: (key: string) => string,
  keyOf = ({ name }: SettingForm): string => name,
): GivenSettings['given'] =>
  settingForms.flatMap((form) => {
    const key = keyOf(form)
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined
    return text === undefined ? [] : [{ setting: form.setting, suffix: form.suffix, text, source: sourceOf(key) }]
  })

const unknown = (key: string, known: ReadonlyArray<string>, source: string): ConfigFault => ({
  setting: key,
  source,
  rule: 'is not a setting',
  remedy: didYouMean(key, known, 'clientele help settings lists them'),
})

const variableOf = ({ name }: SettingForm): string => environmentName(name)
const variables = settingForms.map(variableOf)

const readEnvironment = (environment: Texts): GivenSettings => ({
  given: givenIn(environment, (key) => `environment ${key}`, variableOf),
  faults: Object.keys(environment)
    .filter((key) => key.startsWith('CLIENTELE_') && !variables.includes(key))
    .map((key) => unknown(key, variables, 'environment')),
})

const names = settingForms.map(({ name }) => name)

// A form with a suffix is the path of a file.
const jsonNames = settingForms
  .filter(({ setting, suffix }) => suffix === '' && 'json' in settings[setting])
  .map(({ name }) => name)

const textOf = (value: unknown, key: string): string | undefined => {
  if (jsonNames.includes(key) && isPlainObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value.join('\n') : undefined
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

const memberFaults = (members: object, source: string): ReadonlyArray<ConfigFault> =>
  Object.entries(members).flatMap(([key, value]) => {
    if (!names.includes(key)) return [unknown(key, names, source)]
    if (textOf(value, key) !== undefined) return []
    const rule = 'must be a string, a number, true, false or an array of strings'
    return [{ setting: key, source, rule, remedy: 'correct it in the file' }]
  })

/** The file of --config: a JSON object whose members are settings. */
const readConfigFile = (path: string, readFile: ReadFile): GivenSettings => {
  const source = `file ${path}`
  return pipe(
    readFile(path),
    E.mapLeft((code) => `cannot be read (${code})`),
    E.flatMap((text) =>
      pipe(
        jsonIn(text),
        E.mapLeft((fault) => `${fault}; no other format is read`),
      ),
    ),
    E.filterOrElse(isPlainObject, () => 'must hold a JSON object, and no other format is read'),
    E.match(
      (rule) => ({
        given: [],
        faults: [{ setting: 'config', source, rule, remedy: 'correct the file, or leave out --config' }],
      }),
      (members) => {
        const texts = Object.fromEntries(Object.entries(members).map(([key, value]) => [key, textOf(value, key)]))
        return { given: givenIn(texts, () => source), faults: memberFaults(members, source) }
      },
    ),
  )
}

// A fault of the name is reported with those of all settings.
const readProfile = (sources: ReadonlyArray<GivenSettings>): ReadonlyArray<GivenSetting> => {
  const named = sources.flatMap(({ given }) => given).find(({ setting }) => setting === 'profile')
  const name = named === undefined ? undefined : settings.profile.parse(named.text)
  if (name === undefined || E.isLeft(name) || name.right === undefined) return []
  const { settings: texts, policy } = profiles[name.right]
  const source = `profile ${name.right}`
  const policyForm = { setting: 'registration-policy', suffix: '-json' } as const
  return [
    ...givenIn(texts, () => source),
    ...(policy === undefined ? [] : [{ ...policyForm, text: JSON.stringify(policy), source }]),
  ]
}

/** A setting with its value and the source of the value. */
export type ResolvedSetting = { readonly name: SettingName; readonly value: unknown; readonly source: string }

const parse = (given: GivenSetting, readFile: ReadFile): E.Either<ReadonlyArray<ConfigFault>, ResolvedSetting> => {
  const { suffix, text, source } = given
  const setting: Setting<unknown> = settings[given.setting]
  const read = suffix === '' ? setting.parse : setting.forms?.[suffix]
  const parsed =
    read?.(text) ??
    pipe(
      readFile(text),
      E.mapLeft((code) => `the path of a readable file (${code})`),
      E.flatMap((contents) => setting.parse(contents.trim())),
    )
  return pipe(
    parsed,
    E.map((value) => ({ name: given.setting, value, source })),
    E.mapLeft((rule) => [
      {
        setting: `${given.setting}${suffix}`,
        source,
        rule: `must be ${rule}`,
        remedy: `correct it, or remove it for the default (${setting.fallbackText ?? String(setting.fallback)})`,
      },
    ]),
  )
}

/** The value from the first source that gives one; one source must not give it in two forms. */
const resolveSetting =
  (sources: ReadonlyArray<ReadonlyArray<GivenSetting>>, readFile: ReadFile) =>
  (name: SettingName): E.Either<ReadonlyArray<ConfigFault>, ResolvedSetting> => {
    const forms = sources
      .map((given) => given.filter(({ setting }) => setting === name))
      .find((each) => each.length > 0)
    const [first, second] = forms ?? []
    if (first === undefined) return E.right({ name, value: settings[name].fallback, source: 'default' })
    if (second === undefined) return parse(first, readFile)
    const source = [first, second].map((each) => `${name}${each.suffix} from ${each.source}`).join(', ')
    return E.left([{ setting: name, source, rule: 'must be given in one form only', remedy: 'remove one of them' }])
  }

export type ConfigSources = {
  /** By the settings' names; and `config`, the path of a file. */
  readonly flags: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly readFile: ReadFile
}

export type LoadedConfig = { readonly config: Config; readonly resolved: ReadonlyArray<ResolvedSetting> }

// The table of settings gives each member its type and is their only source.
const toConfig = (resolved: ReadonlyArray<ResolvedSetting>): Config =>
  Object.fromEntries(resolved.map(({ name, value }) => [name, value])) as Config

/** The settings with all of their faults; what has one has its default here, and its name is in `faulty`. */
export type ReadSettings = LoadedConfig & {
  readonly faults: ReadonlyArray<ConfigFault>
  readonly faulty: ReadonlyArray<SettingName>
}

/** The faults of single settings, and those of the rules across the others. */
export const readSettings = ({ flags, environment, readFile }: ConfigSources): ReadSettings => {
  const path = flags['config']
  const sources = [
    { given: givenIn(flags, (key) => `flag --${key}`), faults: [] },
    readEnvironment(environment),
    ...(path === undefined ? [] : [readConfigFile(path, readFile)]),
  ]
  const given = [...sources.map((source) => source.given), readProfile(sources)]
  const { left: broken, right: resolved } = RA.separate(settingNames.map(resolveSetting(given, readFile)))
  const ofSources = sources.flatMap((source) => source.faults)
  const named = new Set(resolved.map(({ name }) => name))
  const unread = settingNames.filter((name) => !named.has(name))
  const byDefault = unread.map((name) => ({ name, value: settings[name].fallback, source: 'default' }))
  const config = toConfig([...resolved, ...byDefault])
  const misread = ofSources.map(({ setting }) => setting)
  // Without the file or the profile, it is unknown what the others are.
  const faulty =
    unread.includes('profile') || misread.includes('config')
      ? settingNames
      : settingNames.filter((name) => unread.includes(name) || misread.includes(name))
  const sourceOf = (name: SettingName): string => resolved.find((each) => each.name === name)?.source ?? 'default'
  const across = faultsAcross(config, faulty, sourceOf)
  return { config, resolved, faulty, faults: [...ofSources, ...broken.flat(), ...across] }
}

export const loadConfig = (sources: ConfigSources): E.Either<ReadonlyArray<ConfigFault>, LoadedConfig> => {
  const { faults, config, resolved } = readSettings(sources)
  return faults.length > 0 ? E.left(faults) : E.right({ config, resolved })
}

const shownValue = (setting: Setting<unknown>, value: unknown): unknown => {
  if (value === undefined) return null
  return setting.shown?.(value) ?? (setting.secret ? '(secret)' : value)
}

const asText = (value: unknown): string => {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ')
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const shownText = (setting: Setting<unknown>, value: unknown): string =>
  asText(shownValue(setting, value)) || `(${setting.fallbackText ?? 'none'})`

/** One line for each setting: name, value, source. */
export const configAsText = (resolved: ReadonlyArray<ResolvedSetting>): string =>
  resolved
    .map(({ name, value, source }) => `${name.padEnd(44)} ${shownText(settings[name], value)}  [${source}]`)
    .join('\n')

/** By which settings a command judges that asks no service for its own. */
export const judgedBy = (resolved: ReadonlyArray<ResolvedSetting>): string => {
  const sources = [...new Set(resolved.map(({ source }) => source))].filter((source) => source !== 'default')
  return `the settings of this command (${[...sources, 'defaults'].join(', ')}); a running service may have others: give both the same`
}

export const configAsJson = (resolved: ReadonlyArray<ResolvedSetting>): object =>
  Object.fromEntries(
    resolved.map(({ name, value, source }) => [name, { value: shownValue(settings[name], value), source }]),
  )
