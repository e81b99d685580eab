// The settings on which all instances of one database must agree, because a request may reach any of them.
import { jsonInOrder } from '@clientele/domain/kernel'
import { createHmac } from 'node:crypto'
import { type Config, type SettingName, settingNames } from '../config/settings.js'
import type { SharedSecrets } from '../data/open-data.js'

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

const digest = ({ digestKey }: SharedSecrets, name: SettingName, value: unknown): string =>
  createHmac('sha256', digestKey)
    .update(`setting ${name} ${jsonInOrder(value)}`)
    .digest('base64url')

/** By name, the digest of each shared setting. It is keyed, so that the database does not reveal the values. */
export const settingDigests = (config: Config, secrets: SharedSecrets): Readonly<Record<string, string>> => {
  // The token and its SHA-256 are the same setting.
  const [current, previous] = secrets.masterTokens
  const values = { ...config, 'master-token': current, 'previous-master-token': previous }
  return Object.fromEntries(sharedSettings.map((name) => [name, digest(secrets, name, values[name])]))
}
