// The settings of texts, and their faults.
import * as E from 'fp-ts/lib/Either.js'
import { type ConfigFault, describeConfigFault } from '../../src/config/rules.js'
import { type LoadedConfig, loadConfig } from '../../src/config/load-config.js'

type Texts = Readonly<Record<string, string>>

export const load = (environment: Texts, flags: Texts = {}, files: Texts = {}): ReturnType<typeof loadConfig> =>
  loadConfig({ environment, flags, readFile: (path) => E.fromNullable('ENOENT')(files[path]) })

export const loaded = (environment: Texts, flags: Texts = {}, files: Texts = {}): LoadedConfig => {
  const result = load(environment, flags, files)
  if (E.isLeft(result)) throw new Error(result.left.map(describeConfigFault).join('\n'))
  return result.right
}

export const faults = (environment: Texts, flags: Texts = {}, files: Texts = {}): ReadonlyArray<ConfigFault> => {
  const result = load(environment, flags, files)
  return E.isLeft(result) ? result.left : []
}
