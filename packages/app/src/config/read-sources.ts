import { isPlainObject, readJson } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReadFile } from './values/read-file.js'
import type { ConfigFault } from './config-fault.js'
import { didYouMean } from './did-you-mean.js'
import { type GivenSettings, type SettingForm, settingForms } from './given-setting.js'
import { settings } from './settings.js'
import { environmentName } from './values/setting.js'

type Texts = Readonly<Record<string, string | undefined>>

const givenIn = (texts: Texts, nameOf: (form: SettingForm) => string, where: string): GivenSettings['given'] =>
  settingForms.flatMap(({ setting, suffix, name }) => {
    const key = nameOf({ setting, suffix, name })
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined
    return text === undefined ? [] : [{ setting, suffix, text, source: where.replace('*', key) }]
  })

export const readFlags = (flags: Texts): GivenSettings => ({
  given: givenIn(flags, ({ name }) => name, 'flag --*'),
  faults: [],
})

const unknown = (key: string, known: ReadonlyArray<string>, source: string): ConfigFault => ({
  setting: key,
  source,
  rule: 'is not a setting',
  remedy: didYouMean(key, known, 'clientele help settings lists them'),
})

const environmentNames = settingForms.map(({ name }) => environmentName(name))

export const readEnvironment = (environment: Texts): GivenSettings => ({
  given: givenIn(environment, ({ name }) => environmentName(name), 'environment *'),
  faults: Object.keys(environment)
    .filter((key) => key.startsWith('CLIENTELE_') && !environmentNames.includes(key))
    .map((key) => unknown(key, environmentNames, 'environment')),
})

// A form with a suffix is the path of a file.
const jsonSettings = settingForms
  .filter(({ setting, suffix }) => suffix === '' && 'json' in settings[setting])
  .map(({ name }) => name)

const textOf = (value: unknown, key: string): string | undefined => {
  if (jsonSettings.includes(key) && isPlainObject(value)) return JSON.stringify(value)
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value.join(' ') : undefined
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

const names = settingForms.map(({ name }) => name)

const memberFaults = (members: object, source: string): ReadonlyArray<ConfigFault> =>
  Object.entries(members).flatMap(([key, value]) => {
    if (!names.includes(key)) return [unknown(key, names, source)]
    if (textOf(value, key) !== undefined) return []
    const rule = 'must be a string, a number, true, false or an array of strings'
    return [{ setting: key, source, rule, remedy: 'correct it in the file' }]
  })

const membersIn = (text: string): E.Either<string, object> =>
  pipe(
    readJson(text),
    E.mapLeft((fault) => `${fault.text}; no other format is read`),
    E.filterOrElse(isPlainObject, () => 'must hold a JSON object, and no other format is read'),
  )

const unreadable = (rule: string, source: string): GivenSettings => ({
  given: [],
  faults: [{ setting: 'config', source, rule, remedy: 'correct the file, or leave out --config' }],
})

/** The file of --config: a JSON object whose members are settings. */
export const readConfigFile = (path: string, readFile: ReadFile): GivenSettings => {
  const source = `file ${path}`
  const text = readFile(path)
  if (E.isLeft(text)) return unreadable(`cannot be read (${text.left})`, source)
  const members = membersIn(text.right)
  if (E.isLeft(members)) return unreadable(members.left, source)
  const texts = Object.fromEntries(Object.entries(members.right).map(([key, value]) => [key, textOf(value, key)]))
  return { given: givenIn(texts, ({ name }) => name, source), faults: memberFaults(members.right, source) }
}
