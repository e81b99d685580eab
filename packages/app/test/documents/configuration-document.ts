import { type SettingForm, settingForms, profileNames, settingNames, settings } from '../../src/config/settings.js'
import { environmentName, type Setting } from '../../src/config/values.js'
import { profiles } from '../../src/config/profiles.js'

const defaultOf = (setting: Setting<unknown>): string => setting.fallbackText ?? `\`${String(setting.fallback)}\``

const isFormOf =
  (name: string) =>
  (form: SettingForm): boolean =>
    form.setting === name

const section = (name: (typeof settingNames)[number]): string => {
  const setting: Setting<unknown> = settings[name]
  const forms = settingForms.filter(isFormOf(name)).map((form) => `\`${environmentName(form.name)}\``)
  return [
    `### ${name}`,
    `${setting.description}.`,
    [`- Environment: ${forms.join(', ')}`, `- Values: ${setting.values}`, `- Default: ${defaultOf(setting)}`].join(
      '\n',
    ),
  ].join('\n\n')
}

const introduction = `# Configuration

This page is generated from \`packages/app/src/config/settings.ts\`.

Every setting may be an option (\`--port 9000\`), an environment variable (\`CLIENTELE_PORT=9000\`) or a member of a
JSON file (\`--config FILE\`, \`{"port": 9000}\`). An option counts before the environment, the environment before the
file, the file before the [profile](#profiles), and the profile before the default. Durations are whole seconds.

A secret is best given as a file: \`CLIENTELE_MASTER_TOKEN_FILE=/run/secrets/master-token\`. An option can be read by
every user of the machine, and an environment variable by every child process.

\`clientele config check\` says what is wrong, all at once. \`clientele config print\` shows every value and where it
comes from, but no secret. Neither starts the service or creates a file.`

const profileSection = (name: (typeof profileNames)[number]): string => {
  const { about, settings: texts, policy } = profiles[name]
  const lines = Object.entries(texts).map(([setting, text]) => `- \`${setting}\`: \`${text}\``)
  const json = policy === undefined ? [] : [`- \`registration-policy\`: \`${JSON.stringify(policy)}\``]
  return [`### ${name}`, `For ${about}.`, [...lines, ...json].join('\n')].join('\n\n')
}

const profilesIntroduction = `## Profiles

[\`profile\`](#profile) names defaults of other settings: \`npm start -- --profile mcp\`. Any setting that is given wins over its profile, and a
[registration policy](registration-policy.md) that is given replaces the policy of the profile.`

/** docs/configuration.md */
export const configurationDocument = (): string =>
  `${[introduction, '## Settings', ...settingNames.map(section), profilesIntroduction, ...profileNames.map(profileSection)].join('\n\n')}\n`
