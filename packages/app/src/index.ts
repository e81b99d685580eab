/** Clientele as a library: load the settings, then start the service. */
export type { Provider } from './engine/provider.js'
export { type HostLogin, type LoginRequest, type ReturnedLogin } from '@clientele/adapters-login'
export { compose, type Service, type ServiceOptions } from './compose.js'
export { loadConfig, type ConfigSources, type LoadedConfig } from './config/load-config.js'
export { describeConfigFault, type ConfigFault } from './config/rules.js'
export { type Config } from './config/settings.js'
export { readFile } from './config/files.js'
export { createLog, type Log, type Output } from './observing/log.js'
