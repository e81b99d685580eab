// What each way to sign in needs.
import { isLoopbackUrl } from './chosen-login.js'
import { accountsFile } from './data-files.js'
import type { RuleAcross } from './rule-across.js'
import type { Config } from './settings.js'

const upstreamNeeds = (
  setting: 'upstream-issuer' | 'upstream-client-id' | 'upstream-client-secret',
  remedy: string,
): RuleAcross => ({
  setting,
  isBroken: (config) => config.login === 'upstream' && config[setting] === undefined,
  rule: 'must be set with login upstream',
  remedy,
})

// Where a method is configured and not chosen, end-users would sign in in another way than the operator believes.
const needsMethod = (
  setting: 'upstream-issuer' | 'upstream-required-claims' | 'login-page-url',
  method: Config['login'],
): RuleAcross => ({
  setting,
  isBroken: (config) => config[setting] !== undefined && config.login !== method,
  rule: `must be left out unless login is ${method ?? ''}`,
  remedy: `set login to ${method ?? ''}, or remove it`,
})

const keysOf = (config: Config): number =>
  [config['login-page-keys'], config['login-page-secret']].filter((key) => key !== undefined).length

export const loginRules: ReadonlyArray<RuleAcross> = [
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
  needsMethod('upstream-issuer', 'upstream'),
  needsMethod('upstream-required-claims', 'upstream'),
  needsMethod('login-page-url', 'callback'),
]
