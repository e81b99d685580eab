/**
 * How end-users sign in: by other providers, by a page or two functions of the host, or by accounts for
 * development.
 */
export {
  Account,
  PasswordRecord,
  accountsText,
  createDevelopmentLogin,
  isPasswordOf,
  isUsername,
  maxPassword,
  parseAccounts,
  recordPassword,
  type DevelopmentLogin,
  type ReadAccounts,
} from './development-login.js'
export {
  createHostLogin,
  createLoginPage,
  type HostLogin,
  type LoginPagePorts,
  type LoginPageSettings,
} from './host-login.js'
export {
  createLoginElsewhere,
  type LoginMethod,
  type LoginPorts,
  type LoginRequest,
  type ReturnedLogin,
} from './login-elsewhere.js'
export { logoutElsewhereUrl } from './logout-elsewhere-url.js'
export { upstreamPresets, type DescribedPreset } from './presets.js'
export { createUpstreamLogin, type UpstreamLogin, type UpstreamPorts } from './upstream-login.js'
export type { UpstreamSettings } from './upstream-protocol.js'
