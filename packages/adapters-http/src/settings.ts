import type { TokenHash } from '@clientele/domain/authorization'
import type { KeyPolicy, KeySettings } from '@clientele/domain/keys'
import { type LogoutPolicy, type SessionLifetimes, defaultNotificationLimits } from '@clientele/domain/logout'
import { noPolicy } from '@clientele/domain/policy'
import { type RegistrationSettings, defaultRegistration } from '@clientele/domain/registration'

export type LogoutSettings = {
  readonly policy: LogoutPolicy
  /**
   * The path of the end-session endpoint after the base URL, for example '/logout'; undefined disables the endpoint.
   */
  readonly path: string | undefined
  readonly sessions: SessionLifetimes
}

/** A static document of the service. */
export type PublishedDocument = {
  /** The path after the base URL, for example '/playground'. */
  readonly path: string
  /** Content-Type and other headers of the document. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** HTML §7.1.3: whether a page is parted from the window that opened it. */
export type OpenerPolicy = 'same-origin' | 'unsafe-none'

/** The operator's settings for the HTTP side. */
export type HttpSettings = {
  readonly registration: RegistrationSettings
  readonly keyPolicy: KeyPolicy
  /** The digests of the master tokens, of which several may count at once. */
  readonly masterToken: TokenHash | ReadonlyArray<TokenHash>
  /** The way by which only the operator of the machine can send requests: one without a token is the operator's. */
  readonly operatorAlone?: 'socket' | 'command'
  /** The path of the base URL: '' or, for example, '/op'. */
  readonly basePath: string
  readonly registrationStatus: 200 | 201
  /** Whether the answers to a registration and an update have its warnings as a member; not unless it is set. */
  readonly answersWithWarnings?: boolean
  readonly logout: LogoutSettings
  /** Origins whose pages may call the registration endpoints. */
  readonly corsOrigins: ReadonlyArray<string>
  /** Whether GET /clients is on the public port beside a management port; true unless it is set. */
  readonly listsClientsPublicly?: boolean
  /** The Cross-Origin-Opener-Policy of the pages of login and consent; same-origin unless it is set. */
  readonly signInOpenerPolicy?: OpenerPolicy
  /** Where operators have the console, which a link to it names; left out where there is none, or no links to it. */
  readonly consoleUrl?: string | undefined
  /** Documents that are public beside the endpoints. */
  readonly documents?: ReadonlyArray<PublishedDocument>
}

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

/** The default settings; in seconds. `baseUrl` is the issuer, except for a slash at its end. */
export const settingsWithDefaults = (baseUrl: string, masterToken: TokenHash): HttpSettings => {
  const issuer = withoutSlash(baseUrl)
  return {
    registration: {
      ...defaultRegistration,
      mode: { kind: 'managed' },
      policy: noPolicy,
      issuer,
      registrationEndpoint: `${issuer}/clients`,
      outboundFetches: false,
      abilities: {
        signingAlgorithms: defaultKeySettings.signingAlgorithms,
        providerMetadata: {},
        clientSecretLength: defaultSettings.clientSecretLength,
      },
    },
    keyPolicy: defaultKeySettings.policy,
    masterToken,
    basePath: withoutSlash(new URL(issuer).pathname),
    registrationStatus: defaultSettings.registrationStatus,
    logout: {
      path: defaultSettings.logoutPath,
      policy: { ...defaultSettings.logout, issuer, backchannel: false },
      sessions: defaultSettings.sessions,
    },
    corsOrigins: [],
  }
}
