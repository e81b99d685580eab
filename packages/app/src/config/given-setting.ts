import type { ConfigFault } from './config-fault.js'
import { type SettingName, settingNames, settings } from './settings.js'
import { suffixesOf } from './values/setting.js'

/** A setting as given: its form, text and source. */
export type GivenSetting = {
  readonly setting: SettingName
  readonly suffix: string
  readonly text: string
  readonly source: string
}

/** The settings of one source. Earlier sources take precedence. */
export type GivenSettings = { readonly given: ReadonlyArray<GivenSetting>; readonly faults: ReadonlyArray<ConfigFault> }

export type SettingForm = { readonly setting: SettingName; readonly suffix: string; readonly name: string }

/** All names by which a setting may be given: master-token, master-token-file, and so on. */
export const settingForms: ReadonlyArray<SettingForm> = settingNames.flatMap((setting) =>
  suffixesOf(settings[setting]).map((suffix) => ({ setting, suffix, name: `${setting}${suffix}` })),
)
