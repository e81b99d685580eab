import type { ConfigFault } from './config-fault.js'
import { type SettingName, settingNames, settings } from './settings.js'
import { suffixesOf } from './values/setting.js'

/** A setting as somebody gave it: in which form, as what text, and where. */
export type GivenSetting = {
  readonly setting: SettingName
  readonly suffix: string
  readonly text: string
  readonly source: string
}

/** What one source gives. Earlier sources win over later ones. */
export type GivenSettings = { readonly given: ReadonlyArray<GivenSetting>; readonly faults: ReadonlyArray<ConfigFault> }

export type SettingForm = { readonly setting: SettingName; readonly suffix: string; readonly name: string }

/** Every name by which a setting may be given: master-token, master-token-file, and so on. */
export const settingForms: ReadonlyArray<SettingForm> = settingNames.flatMap((setting) =>
  suffixesOf(settings[setting]).map((suffix) => ({ setting, suffix, name: `${setting}${suffix}` })),
)
