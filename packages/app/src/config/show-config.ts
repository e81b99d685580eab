import type { ResolvedSetting } from './resolve-setting.js'
import type { Setting } from './setting.js'
import { settings } from './settings.js'

const shownValue = (setting: Setting<unknown>, value: unknown): unknown =>
  setting.secret && value !== undefined ? '(secret)' : (value ?? null)

const shownText = (setting: Setting<unknown>, value: unknown): string => {
  const shown = shownValue(setting, value)
  const text = Array.isArray(shown) ? shown.join(' ') : String(shown ?? '')
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
