// The table of all settings: of each section, its definitions.
import { databaseSection } from './database.js'
import { engineSection, metadataSection } from './engine.js'
import { signingSection } from './keys.js'
import { auditSection, lifeCycleSection } from './life-cycle.js'
import { limitsSection } from './limits.js'
import { listeningSection } from './listening.js'
import { loginSection } from './login.js'
import { logoutSection } from './logout.js'
import { operatorSection } from './operators.js'
import { outboundSection } from './outbound.js'
import { pageSection, webSection } from './pages.js'
import { registrationSection } from './registration.js'
import { type Values, choice, oneOf, optional, suffixesOf } from './values.js'

/** The profiles, by name; profiles.ts says what each sets. */
export const profileNames = [
  'mcp',
  'matrix',
  'mail',
  'openbanking-br',
  'fapi2',
  'strict',
  'conformance-dynamic',
] as const

export type ProfileName = (typeof profileNames)[number]

/** All settings: the source of decoding, help, `config check`, `config print` and docs/operate/settings.md, in this order. */
export const settings = {
  profile: optional(
    'The name of a set of defaults for other settings, which suit certain clients. A setting that you give counts before the profile',
    { values: profileNames.join(', '), parse: oneOf<ProfileName>(...profileNames) },
  ),
  ...listeningSection,
  ...databaseSection,
  ...operatorSection,
  ...registrationSection,
  ...signingSection,
  ...metadataSection,
  ...lifeCycleSection,
  ...auditSection,
  ...engineSection,
  ...logoutSection,
  ...loginSection,
  ...pageSection,
  ...outboundSection,
  ...webSection,
  ...limitsSection,
  'log-level': choice(
    'The severity from which the service logs entries',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
  ),
} as const

export type Settings = typeof settings
export type SettingName = keyof Settings
export const settingNames = Object.keys(settings).filter((name): name is SettingName => Object.hasOwn(settings, name))

/** The value of each setting, by name. */
export type Config = Values<Settings>

export type SettingForm = { readonly setting: SettingName; readonly suffix: string; readonly name: string }

/** All names by which a setting may be given: master-token, master-token-file, and so on. */
export const settingForms: ReadonlyArray<SettingForm> = settingNames.flatMap((setting) =>
  suffixesOf(settings[setting]).map((suffix) => ({ setting, suffix, name: `${setting}${suffix}` })),
)

/**
 * The settings of the place of one instance; encryption-key, which differs while it is changed; and profile, of which the
 * settings that it gives count.
 */
export const settingsOfOneInstance: ReadonlyArray<SettingName> = [
  'profile',
  'host',
  'port',
  'management-host',
  'management-port',
  'data-dir',
  'accounts-file',
  'database-url',
  'database-max-connections',
  'database-prepared-statements',
  'database-tls',
  'database-migrate',
  'encryption-key',
  'operator-token',
  'server',
  'theme-dir',
  'workers',
  'maximum-connections',
  'maximum-requests',
  'trusted-proxies',
  'log-level',
]

/** All others. */
export const sharedSettings: ReadonlyArray<SettingName> = settingNames.filter(
  (name) => !settingsOfOneInstance.includes(name),
)
