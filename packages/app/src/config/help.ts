import { settingForms } from './given-setting.js'
import { environmentName } from './values/setting.js'
import type { Setting } from './values/setting.js'
import { settingNames, settings } from './settings.js'

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

const commands = `  serve                     run the service (the default)
  token issue --scope SCOPE [--lifetime SECONDS] [--json]
                            issue an initial access token
  token list [--json]       show the initial access tokens that could still register a client
  token revoke ID           take one of them back
  clients renew CLIENT_ID [--json]
                            give a client new credentials: those that it had count no more
  config check [--json]     say what is wrong with the settings, all at once
  config print [--json]     show every setting and where it comes from, but no secret
  explain --metadata FILE [--scope SCOPE] [--open] [--json]
                            say how the registration of a body would be decided, and why; FILE may be -
  policy check FILE [--json]
                            say what is wrong with a registration policy, and which clients would fall under it
  keys list [--json]        show every key: its phase, since when, its age, and what comes next
  keys roll-over [ALG] [--dry-run] [--json]
                            announce a successor for every key, or for the one of ALG, and say what happens when
  keys compromise KID [--yes] [--json]
                            take a key out of the set now; asks before, and says what breaks
  keys import FILE [--foreign] [--dry-run] [--json]
                            take the private keys of another server (a JSON Web Key set): all, or none;
                            or, with --foreign, publish the public keys of another signer, which never sign here
  keys remove KID [--json]  take a key of another signer out of the set
  keys create [--json]      make the keys that are missing, where a store has lost them for good
  keys export --public [--json]
                            print the key set as verifiers get it
  encryption re-seal [--json]
                            seal everything with the first encryption key, so that the others may go
  logouts list [--json]     show every application that is still to be told of a logout, and why it is not yet
  logouts retry [ID] [--json]
                            tell those again that were given up, or the one of ID`

/** The text of clientele --help. */
export const help = (): string => `Usage: clientele [COMMAND] [SETTINGS]

Commands
${commands}
  --help, --version

Exit status: 0 done, 1 refused or failed, 2 wrong usage.

Settings (flag, then environment, then --config FILE, then default)
  --config FILE
      A JSON file whose members are settings.
${settingNames.map(describe).join('\n')}
`
