import { settingForms, settingNames, settings } from '../config/settings.js'
import { environmentName, type Setting } from '../config/values.js'

const describe = (name: (typeof settingNames)[number]): string => {
  const setting: Setting<unknown> = settings[name]
  const forms = settingForms.filter((form) => form.setting === name)
  return [
    `  ${forms.map((form) => `--${form.name}`).join(', ')}`,
    `      ${forms.map((form) => environmentName(form.name)).join(', ')}`,
    `      ${setting.description}.`,
    `      ${setting.values}; default: ${setting.fallbackText ?? String(setting.fallback)}`,
  ].join('\n')
}

/** The text of clientele help settings. */
export const settingsHelp = (): string => `Settings (option, then environment, then --config FILE, then default)
  --config FILE
      A JSON file whose members are settings.
${settingNames.map(describe).join('\n')}
`
