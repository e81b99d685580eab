import type { Config, SettingName } from './settings.js'

/** A rule across settings; `setting` is the one that the operator corrects. */
export type RuleAcross = {
  readonly setting: SettingName
  readonly isBroken: (config: Config) => boolean
  readonly rule: string
  readonly remedy: string
}
