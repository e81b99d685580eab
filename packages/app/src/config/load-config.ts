import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ConfigFault } from './config-fault.js'
import type { GivenSettings } from './given-setting.js'
import type { ReadFile } from './values/read-file.js'
import { readConfigFile, readEnvironment, readFlags } from './read-sources.js'
import { type ResolvedSetting, resolveSetting } from './resolve-setting.js'
import { settingsOfProfile } from './profiles.js'
import { faultsAcross } from './faults-across.js'
import { type Config, settingNames, settings } from './settings.js'

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

// A fault of the name is reported with those of all settings.
const ofProfile = (given: ReadonlyArray<GivenSettings>): ReadonlyArray<GivenSettings> => {
  const [named] = given.flatMap((source) => source.given.filter(({ setting }) => setting === 'profile'))
  const name = named === undefined ? undefined : settings.profile.parse(named.text)
  return name === undefined || E.isLeft(name) || name.right === undefined ? [] : [settingsOfProfile(name.right)]
}

/** Flags, then environment, then file, then the profile, then defaults; reports all faults at once. */
export const loadConfig = (sources: ConfigSources): E.Either<ReadonlyArray<ConfigFault>, LoadedConfig> => {
  const path = sources.flags['config']
  const given = [
    readFlags(sources.flags),
    readEnvironment(sources.environment),
    ...(path === undefined ? [] : [readConfigFile(path, sources.readFile)]),
  ]
  const { left: broken, right: resolved } = RA.separate(
    settingNames.map(resolveSetting([...given, ...ofProfile(given)], sources.readFile)),
  )
  const faults = [...given.flatMap((source) => source.faults), ...broken.flat()]
  if (faults.length > 0) return E.left(faults)
  const config = toConfig(resolved)
  const across = faultsAcross(config, (name) => resolved.find((each) => each.name === name)?.source ?? 'default')
  return across.length > 0 ? E.left(across) : E.right({ config, resolved })
}
