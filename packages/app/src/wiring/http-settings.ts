import { defaultSettings, type HttpSettings } from '@clientele/adapters-http'
import { served } from '@clientele/adapters-oidc-provider'
import { type Abilities, noPolicy } from '@clientele/domain/policy'
import type { RegistrationSettings } from '@clientele/domain/registration'
import { isIPv6 } from 'node:net'
import { pathOf } from '../config/values/base-url.js'
import type { Config } from '../config/settings.js'
import { metadataOfEngine } from './engine-wiring.js'
import { keySettings } from '../keys/key-settings.js'
import { allowsAddress } from './reach-out.js'

/** The local URL of a listener: an address that means "all" is reached over loopback. */
export const localUrl = (host: string, port: number): string => {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return isIPv6(host) ? `http://[${host}]:${port}` : `http://${host}:${port}`
}

/** The configured base URL, or else the address and port of the service. */
export const baseUrlAt = (config: Config, port: number): string => config['base-url'] ?? localUrl(config.host, port)

/** The algorithms of this service's keys, and the declared metadata of the provider. */
const abilities = (config: Config, issuer: string): Abilities => ({
  signingAlgorithms: config['signing-algorithms'],
  providerMetadata: { ...config['provider-metadata'], ...metadataOfEngine(config, issuer) },
  clientSecretLength: config['client-secret-length'],
  ...(config.engine === 'none' ? {} : { served }),
})

export const registrationSettings = (config: Config, baseUrl: string): RegistrationSettings => ({
  mode: config['allow-open-registration']
    ? { kind: 'open', scope: config['open-registration-scopes'] }
    : { kind: 'managed' },
  policy: config['registration-policy'] ?? noPolicy,
  credentials: {
    clientSecretLifetime: config['client-secret-lifetime'],
    rotateRegistrationAccessTokenOnUpdate: config['rotate-registration-access-token-on-update'],
    registrationAccessTokenGrace: config['registration-access-token-grace'],
    rotateClientSecretOnUpdate: config['rotate-client-secret-on-update'],
  },
  requiresIfMatch: config['changes-need-if-match'],
  outboundFetches: config['outbound-fetches'],
  readsKeySets: config.engine !== 'none',
  allowsAddress: allowsAddress(config),
  abilities: abilities(config, baseUrl),
  registrationEndpoint: `${baseUrl}/clients`,
  issuer: baseUrl,
  initialAccessTokenLifetime: config['initial-access-token-lifetime'],
})

export const logoutSettings = (config: Config, issuer: string): HttpSettings['logout'] => ({
  path: config['logout-enabled'] ? config['logout-path'] : undefined,
  policy: {
    ...defaultSettings.logout,
    issuer,
    backchannel: config['outbound-fetches'],
    hintMaxAge: config['logout-hint-max-age'],
    endsOfflineAccess: config['logout-ends-offline-access'],
  },
  sessions: { lifetime: config['session-lifetime'], idleLifetime: config['session-idle-lifetime'] },
})

export const httpSettings = (
  config: Config,
  masterToken: HttpSettings['masterToken'],
  baseUrl: string,
): HttpSettings => ({
  registration: registrationSettings(config, baseUrl),
  keyPolicy: keySettings(config).policy,
  masterToken,
  basePath: pathOf(baseUrl),
  registrationStatus: config['registration-status'],
  answersWithWarnings: config['registration-warnings'],
  logout: logoutSettings(config, baseUrl),
  corsOrigins: config['cors-origins'],
  listsClientsPublicly: !config['list-clients-on-management-port-alone'],
})
