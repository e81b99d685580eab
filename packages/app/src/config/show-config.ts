import type { ResolvedSetting } from './resolve-setting.js'
import type { Setting } from './values/setting.js'
import { settings } from './settings.js'

const shownValue = (setting: Setting<unknown>, value: unknown): unknown => {
  if (value === undefined) return null
  return setting.shown?.(value) ?? (setting.secret ? '(secret)' : value)
}

const asText = (value: unknown): string => {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(' ')
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const shownText = (setting: Setting<unknown>, value: unknown): string => {
  const text = asText(shownValue(setting, value))
  return text === '' ? `(${setting.fallbackText ?? 'none'})` : text
}

/** One line for each setting: name, value, source. */
export const configAsText = (resolved: ReadonlyArray<ResolvedSetting>): string =>
  resolved
    .map(({ name, value, source }) => `${name.padEnd(44)} ${shownText(settings[name], value)}  [${source}]`)
    .join('\n')

export const configAsJson = (resolved: ReadonlyArray<ResolvedSetting>): object =>
  Object.fromEntries(
    resolved.map(({ name, value, source }) => [name, { value: shownValue(settings[name], value), source }]),
  )
