// The rules across settings, and their faults.
import { idTokenLifetime } from '@clientele/adapters-oidc-provider'
import { maxReadAge, maxSkew } from '@clientele/domain/keys'
import { documentPolicy } from '@clientele/domain/policy'
import { isIP } from 'node:net'
import { dataFiles, maxSocketPath } from './database.js'
import { hasConsole } from './listening.js'
import {
  type LoginSettings,
  accountsFile,
  chosenLogin,
  hasDevelopmentLogin,
  hostsBesideIssuer,
  namesOneUpstream,
} from './login.js'
import { allowsAddress } from './outbound.js'
import type { Config, SettingName } from './settings.js'
import { isLoopback, isLoopbackUrl } from './values.js'

/** The fault of one setting. It names the place and the rule, never the value. */
export type ConfigFault = {
  readonly setting: string
  readonly source: string
  readonly rule: string
  readonly remedy: string
}

export const describeConfigFault = ({ setting, source, rule, remedy }: ConfigFault): string =>
  `${setting} (${source}) ${rule}: ${remedy}`

/** A rule across settings; `setting` is the one that the operator corrects. */
type RuleAcross = {
  readonly setting: SettingName
  readonly isBroken: (config: Config) => boolean
  readonly rule: string
  readonly remedy: string
}

const upstreamNeeds = (
  setting: 'upstream-issuer' | 'upstream-client-id' | 'upstream-client-secret',
  remedy: string,
): RuleAcross => ({
  setting,
  isBroken: (config) => config.login === 'upstream' && config.upstreams === undefined && config[setting] === undefined,
  rule: 'must be set with login upstream, unless upstreams is',
  remedy,
})

// Where a method is configured and not chosen, end-users would sign in in another way than the operator believes.
const needsMethod = (
  setting: 'upstream-issuer' | 'upstream-required-claims' | 'upstreams' | 'login-page-url',
  method: Config['login'],
): RuleAcross => ({
  setting,
  isBroken: (config) => config[setting] !== undefined && config.login !== method,
  rule: `must be left out unless login is ${method ?? ''}`,
  remedy: `set login to ${method ?? ''}, or remove it`,
})

const keysOf = (config: Config): number =>
  [config['login-page-keys'], config['login-page-secret']].filter((key) => key !== undefined).length

const loginRules: ReadonlyArray<RuleAcross> = [
  {
    setting: 'login',
    isBroken: (config) => config.login === 'development' && !isLoopbackUrl(config['base-url']),
    rule: 'must not be development, because the host of base-url is not loopback',
    remedy: 'set it to upstream or callback, or develop with a base-url such as http://localhost:8080',
  },
  {
    setting: 'accounts-file',
    isBroken: (config) => config.login === 'development' && accountsFile(config) === undefined,
    rule: 'must be set with login development and a database-url of PostgreSQL, because no instance has a data directory',
    remedy: 'name a file that all instances read',
  },
  upstreamNeeds('upstream-issuer', 'set it to the issuer in the metadata of that OpenID provider'),
  upstreamNeeds('upstream-client-id', 'register this service there, and set it to its client_id'),
  upstreamNeeds('upstream-client-secret', 'set it to the client_secret of that registration, best as a file'),
  {
    setting: 'upstream-scope',
    isBroken: (config) => !config['upstream-scope'].includes('openid'),
    rule: 'must contain openid',
    remedy: 'add openid: without it, the provider does not tell who signs in',
  },
  {
    setting: 'upstreams',
    isBroken: (config) => config.upstreams !== undefined && namesOneUpstream(config),
    rule: 'must be left out beside upstream-issuer and the other settings of one provider',
    remedy:
      'make that provider a member of upstreams, with the same issuer, so that its end-users keep their sub, and remove the settings upstream-*',
  },
  {
    setting: 'login-page-url',
    isBroken: (config) => config.login === 'callback' && config['login-page-url'] === undefined,
    rule: 'must be set with login callback',
    remedy: 'set it to the URL of the page that authenticates end-users',
  },
  {
    setting: 'login-page-keys',
    isBroken: (config) => config.login === 'callback' && keysOf(config) !== 1,
    rule: 'must be set with login callback, or else login-page-secret, and never both',
    remedy: 'name the file with the public keys of the page, or set a secret that both sides know',
  },
  {
    setting: 'upstreams',
    isBroken: (config) =>
      (config.upstreams ?? [])
        .flatMap(hostsBesideIssuer)
        .some((host) => !allowsAddress(config)(isIP(host) === 0 ? '127.0.0.1' : host)),
    rule: 'must have token_endpoint, user_endpoint and emails_endpoint on loopback only where the issuer is',
    remedy: 'give them scheme, host and port of the issuer, or permit the address by outbound-allowed-networks',
  },
  needsMethod('upstream-issuer', 'upstream'),
  needsMethod('upstream-required-claims', 'upstream'),
  needsMethod('upstreams', 'upstream'),
  needsMethod('login-page-url', 'callback'),
]

const isReachedByItself = (host: string): boolean => isLoopback(host) || host === '0.0.0.0' || host === '::'

// Each instance would make a secret of its own, and no instance knows the URL of all.
const requiredWithPostgresql = (
  setting: 'base-url' | 'encryption-key' | 'master-token',
  remedy: string,
): RuleAcross => ({
  setting,
  isBroken: (config) => config['database-url'].scheme === 'postgresql' && config[setting] === undefined,
  rule: 'must be set with a database-url of PostgreSQL',
  remedy,
})

const rules: ReadonlyArray<RuleAcross> = [
  requiredWithPostgresql('encryption-key', 'give every instance the same 32 bytes in base64url, best as a file'),
  requiredWithPostgresql(
    'master-token',
    'give every instance the same token of at least 32 characters, best as a file',
  ),
  requiredWithPostgresql(
    'base-url',
    'set it to the URL by which clients reach the service, the same at every instance',
  ),
  {
    setting: 'base-url',
    isBroken: (config) =>
      config['database-url'].scheme === 'sqlite' && config['base-url'] === undefined && !isReachedByItself(config.host),
    rule: 'must be set when host is not loopback',
    remedy: 'set it to the URL by which clients reach the service',
  },
  {
    setting: 'workers',
    isBroken: (config) => config.workers > 1 && config['database-url'].scheme === 'sqlite',
    rule: 'must be 1 unless database-url is of PostgreSQL, because one process writes to a SQLite file',
    remedy: 'leave it out, or set database-url to a database of PostgreSQL',
  },
  {
    setting: 'data-dir',
    isBroken: (config) => Buffer.byteLength(dataFiles(config)?.socket ?? '') > maxSocketPath,
    rule: `is too long: the path of the socket in it may have ${maxSocketPath} bytes`,
    remedy: 'name a directory with a shorter path',
  },
  {
    setting: 'management-port',
    isBroken: (config) => config['management-port'] === config.port && config.port !== 0,
    rule: 'must differ from port',
    remedy: 'choose another, or leave it out to have health on the public port',
  },
  {
    setting: 'list-clients-on-management-port-alone',
    isBroken: (config) => config['list-clients-on-management-port-alone'] && config['management-port'] === undefined,
    rule: 'must be false without a management-port',
    remedy: 'set management-port, or leave it out',
  },
  // A verifier that cached the set before a key was announced has fetched it twice before that key signs.
  {
    setting: 'jwks-max-age',
    isBroken: (config) => config['jwks-max-age'] * 2 > config['key-publish-ahead'],
    rule: 'must be at most half of key-publish-ahead',
    remedy: 'shorten it, or publish keys further ahead',
  },
  // An instance that last read the keys up to maxReadAge ago publishes the set for the whole jwks-max-age.
  {
    setting: 'key-publish-ahead',
    isBroken: (config) => config['jwks-max-age'] + maxReadAge + maxSkew > config['key-publish-ahead'],
    rule: `must be at least jwks-max-age plus ${maxReadAge + maxSkew}: instances that share a store learn of a new key with a delay`,
    remedy: 'publish keys further ahead, or shorten jwks-max-age',
  },
  {
    setting: 'key-retention',
    isBroken: (config) => config['key-retention'] < config['jwks-max-age'],
    rule: 'must be at least jwks-max-age',
    remedy: 'keep retired keys longer, or shorten jwks-max-age',
  },
  // OpenID Core §10.1.1: a verifier finds the key of a token in the set until the token expires.
  {
    setting: 'key-retention',
    isBroken: (config) =>
      config.engine !== 'none' && config['key-retention'] < Math.max(config['access-token-lifetime'], idTokenLifetime),
    rule: `must be at least access-token-lifetime and ${idTokenLifetime}, the lifetime of an ID token, with an engine`,
    remedy: 'keep retired keys longer, or shorten access-token-lifetime',
  },
  {
    setting: 'signing-key-lifetime',
    isBroken: (config) => config['signing-key-lifetime'] <= config['key-publish-ahead'],
    rule: 'must be longer than key-publish-ahead',
    remedy: 'let keys sign longer, or publish them less far ahead',
  },
  {
    setting: 'unused-open-removed-after',
    isBroken: (config) => config['unused-open-removed-after'] <= config['unused-open-parked-after'],
    rule: 'must be longer than unused-open-parked-after',
    remedy: 'remove unused clients later, or park them earlier',
  },
  {
    setting: 'server',
    isBroken: (config) => config.server !== undefined && config['operator-token'] === undefined,
    rule: 'needs operator-token',
    remedy: 'give the file of an operator token as operator-token-file',
  },
  {
    setting: 'request-uris',
    isBroken: (config) => config['request-uris'] && (config.engine === 'none' || !config['outbound-fetches']),
    rule: 'must be false without an engine and outbound-fetches, because the authorization server fetches the requests',
    remedy: 'set engine and outbound-fetches, or leave it out: applications push their requests (RFC 9126) without it',
  },
  {
    setting: 'registration-policy',
    isBroken: (config) =>
      documentPolicy(config['registration-policy']?.metadata_documents).accept !== 'none' &&
      (config.engine === 'none' || !config['outbound-fetches']),
    rule: 'must not accept metadata_documents without an engine and outbound-fetches, because the authorization server requests them',
    remedy: 'set engine and outbound-fetches, or leave metadata_documents.accept out',
  },
  ...loginRules,
]

/** The judgement; undefined where it reads a setting that has a fault of its own, and no value. */
export const judgedIfRead = <Judgement>(
  config: Config,
  faulty: ReadonlyArray<SettingName>,
  judge: (config: Config) => Judgement,
): Judgement | undefined => {
  if (faulty.length === 0) return judge(config)
  const state = { isRead: true }
  const watched = new Proxy(config, {
    get: (target, name): unknown => {
      if (faulty.some((each) => each === name)) state.isRead = false
      return Reflect.get(target, name)
    },
  })
  const judgement = judge(watched)
  return state.isRead ? judgement : undefined
}

/** All violated rules; a fault names the source of its setting. */
export const faultsAcross = (
  config: Config,
  faulty: ReadonlyArray<SettingName>,
  sourceOf: (name: SettingName) => string,
): ReadonlyArray<ConfigFault> =>
  rules
    .filter(({ isBroken }) => judgedIfRead(config, faulty, isBroken) === true)
    .map(({ setting, rule, remedy }) => ({ setting, source: sourceOf(setting), rule, remedy }))

const away = {
  rule: 'must be set, because engine is oidc-provider and the host of base-url is not loopback',
  remedy: 'set login to upstream or callback, or engine to none if another provider signs end-users in',
}

const withoutAccounts = {
  rule: 'must be set, because engine is oidc-provider and no instance has a data directory for accounts',
  remedy: 'set login to upstream or callback, or accounts-file to a file that all instances read, or engine to none',
}

/**
 * The fault of an authorization server at which no end-user can sign in. A host that runs the service by `compose` may give a
 * login of its own, so that this is no rule of the settings alone.
 */
export const missingLogin = (config: LoginSettings): ConfigFault | undefined => {
  if (config.engine === 'none' || chosenLogin(config) !== undefined) return undefined
  return { setting: 'login', source: 'default', ...(isLoopbackUrl(config['base-url']) ? withoutAccounts : away) }
}

/**
 * Warns of a host by which the network reaches what a base URL on loopback keeps for this machine. It is no fault, because a
 * container needs such a host.
 */
export const hostWarning = (
  config: Config,
  hasAccounts = hasDevelopmentLogin(config),
): Omit<ConfigFault, 'source'> | undefined => {
  const served = [
    hasAccounts && 'the login for development',
    config['management-port'] === undefined && hasConsole(config) && 'the console',
  ].filter((each) => each !== false)
  if (isLoopback(config.host) || !isLoopbackUrl(config['base-url']) || served.length === 0) return undefined
  return {
    setting: 'host',
    rule: `lets everybody on the network reach ${served.join(' and ')}`,
    remedy: '127.0.0.1 prevents it; with a container, publish the port on 127.0.0.1 alone',
  }
}
