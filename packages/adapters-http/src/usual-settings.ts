import { type KeySettings, type TokenHash, defaultRegistration, noPolicy, usualNoticeLimits } from '@clientele/domain'
import type { HttpSettings } from './settings.js'

const hour = 3_600
const day = 24 * hour

/** One key ring to sign with, besides the one to encrypt to; in seconds. */
export const usualKeySettings: KeySettings = {
  signingAlgorithms: ['RS256'],
  policy: { lifetime: 90 * day, publishAhead: day, retention: day, maxAge: hour },
}

/** What else the service does unless it is set otherwise, whatever its base URL; in seconds. */
export const defaultSettings = {
  ...defaultRegistration,
  registrationStatus: 200,
  logoutPath: '/logout',
  logout: {
    noticeLimits: usualNoticeLimits,
    hintMaxAge: 0,
    dialogLifetime: 600,
    endsOfflineAccess: false,
  },
  sessions: { lifetime: 30 * day, idleLifetime: day },
} as const

// URL puts one there, and every address that is made of it would have two.
const withoutSlash = (url: string): string => url.replace(/\/$/, '')

const settingsOf = (baseUrl: string, masterToken: TokenHash): HttpSettings => ({
  registration: {
    ...defaultRegistration,
    mode: { kind: 'managed' },
    policy: noPolicy,
    issuer: baseUrl,
    registrationEndpoint: `${baseUrl}/clients`,
    outboundFetches: false,
    abilities: { signingAlgorithms: usualKeySettings.signingAlgorithms, providerMetadata: {} },
  },
  keyPolicy: usualKeySettings.policy,
  masterToken,
  basePath: withoutSlash(new URL(baseUrl).pathname),
  registrationStatus: defaultSettings.registrationStatus,
  logout: {
    path: defaultSettings.logoutPath,
    policy: { ...defaultSettings.logout, issuer: baseUrl, backchannel: false },
    sessions: defaultSettings.sessions,
  },
  corsOrigins: [],
})

/** What the service does unless it is told otherwise; seconds throughout. `baseUrl` is the issuer, but for a slash at its end. */
export const usualSettings = (baseUrl: string, masterToken: TokenHash): HttpSettings =>
  settingsOf(withoutSlash(baseUrl), masterToken)
