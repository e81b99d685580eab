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

const introduction = `# Settings and commands

You get every setting with its default and its range, and every [command](#commands) with its options. This page is for operators. The following command says what is wrong with your settings, all at once, and does not start the service:

\`\`\`sh
clientele config check --port 9000 --log-level debug
\`\`\`

Every setting may be an option (\`--port 9000\`), an environment variable (\`CLIENTELE_PORT=9000\`) or a member of a
JSON file (\`--config FILE\`, \`{"port": 9000}\`). An option counts before the environment, the environment before the
file, the file before the [profile](#profiles), and the profile before the default. Durations are whole seconds, unless a setting counts days.

A secret is best given as a file: \`CLIENTELE_MASTER_TOKEN_FILE=/run/secrets/master-token\`. An option can be read by
every user of the machine, and an environment variable by every child process.

\`clientele config print\` shows every value and where it comes from, but no secret. It does not start the service either, and neither command creates a file.
This page is generated from \`packages/app/src/config/settings.ts\`.`

const profileSection = (name: (typeof profileNames)[number]): string => {
  const { about, settings: texts, policy } = profiles[name]
  const lines = Object.entries(texts).map(([setting, text]) => `- \`${setting}\`: \`${text}\``)
  const json = policy === undefined ? [] : [`- \`registration-policy\`: \`${JSON.stringify(policy)}\``]
  return [`### ${name}`, `For ${about}.`, [...lines, ...json].join('\n')].join('\n\n')
}

const profilesIntroduction = `## Profiles

[\`profile\`](#profile) sets the defaults of other settings: \`npm start -- --profile mcp\`. A setting that you give counts before the profile. A
[registration policy](security.md#registration-policy) that you give replaces the whole policy of the profile.`

/** The first part of docs/operate/settings.md */
export const settingsDocument = (): string =>
  `${[introduction, '## Settings', ...settingNames.map(section), profilesIntroduction, ...profileNames.map(profileSection)].join('\n\n')}\n`
