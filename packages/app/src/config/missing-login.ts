// A host that runs the service by `compose` may give a login of its own, so that this is no rule of the settings alone.
import { chosenLogin, isLoopbackUrl } from './chosen-login.js'
import type { ConfigFault } from './config-fault.js'
import type { Config } from './settings.js'

export type LoginSettings = Pick<
  Config,
  'login' | 'engine' | 'base-url' | 'accounts-file' | 'data-dir' | 'database-url'
>

const away = {
  rule: 'must be set, because engine is oidc-provider and the host of base-url is not loopback',
  remedy: 'set login to upstream or callback, or engine to none if another provider signs end-users in',
}

const withoutAccounts = {
  rule: 'must be set, because engine is oidc-provider and no instance has a data directory for accounts',
  remedy: 'set login to upstream or callback, or accounts-file to a file that all instances read, or engine to none',
}

/** The fault of an authorization server at which no end-user can sign in. */
export const missingLogin = (config: LoginSettings): ConfigFault | undefined => {
  if (config.engine === 'none' || chosenLogin(config) !== undefined) return undefined
  return { setting: 'login', source: 'default', ...(isLoopbackUrl(config['base-url']) ? withoutAccounts : away) }
}
