/**
 * How end-users sign in: by another OpenID provider, by a page or two functions of the host, or by accounts for
 * development.
 */
export { Account, accountsText, isUsername, parseAccounts } from './accounts.js'
export { createDevelopmentLogin, type DevelopmentLogin, type ReadAccounts } from './development-login.js'
export { createHostLogin, type HostLogin } from './host-login.js'
export { createLoginElsewhere, type LoginPorts } from './login-elsewhere.js'
export type { LoginMethod, LoginRequest, ReturnedLogin } from './login-method.js'
export { createLoginPage, type LoginPagePorts, type LoginPageSettings } from './login-page.js'
export { logoutElsewhereUrl } from './logout-elsewhere-url.js'
export { PasswordRecord, isPasswordOf, maxPassword, recordPassword } from './password.js'
export { createUpstreamLogin, type UpstreamLogin, type UpstreamPorts } from './upstream-login.js'
export type { UpstreamSettings } from './upstream-settings.js'
