import type { TokenHash } from '@clientele/domain/authorization'
import type { KeySettings } from '@clientele/domain/keys'
import { defaultNotificationLimits } from '@clientele/domain/logout'
import { noPolicy } from '@clientele/domain/policy'
import { defaultRegistration } from '@clientele/domain/registration'
import type { HttpSettings } from './settings.js'

const hour = 3_600
const day = 24 * hour

/** One key ring for signing, besides the one for encryption; in seconds. */
export const defaultKeySettings: KeySettings = {
  signingAlgorithms: ['RS256'],
  policy: { lifetime: 90 * day, publishAhead: day, retention: day, maxAge: hour },
}

/** The other defaults, independent of the base URL; in seconds. */
export const defaultSettings = {
  ...defaultRegistration,
  clientSecretLength: 43,
  registrationStatus: 200,
  logoutPath: '/logout',
  logout: {
    notificationLimits: defaultNotificationLimits,
    hintMaxAge: 0,
    confirmationLifetime: 600,
    endsOfflineAccess: false,
  },
  sessions: { lifetime: 30 * day, idleLifetime: day },
} as const

// URL adds a final slash, and addresses made of it would have two.
const withoutSlash = (url: string): string => url.replace(/\/$/, '')

const settingsOf = (baseUrl: string, masterToken: TokenHash): HttpSettings => ({
  registration: {
    ...defaultRegistration,
    mode: { kind: 'managed' },
    policy: noPolicy,
    issuer: baseUrl,
    registrationEndpoint: `${baseUrl}/clients`,
    outboundFetches: false,
    abilities: {
      signingAlgorithms: defaultKeySettings.signingAlgorithms,
      providerMetadata: {},
      clientSecretLength: defaultSettings.clientSecretLength,
    },
  },
  keyPolicy: defaultKeySettings.policy,
  masterToken,
  basePath: withoutSlash(new URL(baseUrl).pathname),
  registrationStatus: defaultSettings.registrationStatus,
  answersWithWarnings: false,
  logout: {
    path: defaultSettings.logoutPath,
    policy: { ...defaultSettings.logout, issuer: baseUrl, backchannel: false },
    sessions: defaultSettings.sessions,
  },
  corsOrigins: [],
  listsClientsPublicly: true,
})

/** The default settings; in seconds. `baseUrl` is the issuer, except for a slash at its end. */
export const settingsWithDefaults = (baseUrl: string, masterToken: TokenHash): HttpSettings =>
  settingsOf(withoutSlash(baseUrl), masterToken)
