import { accountsFile } from './data-files.js'
import type { Config } from './settings.js'
import { isLoopback } from './values/base-url.js'

type ChoosingSettings = Pick<Config, 'login' | 'engine' | 'base-url' | 'accounts-file' | 'data-dir' | 'database-url'>

/** Whether only browsers on the same machine reach the base URL. */
export const isLoopbackUrl = (url: string | undefined): boolean =>
  url === undefined || isLoopback(new URL(url).hostname)

/** The login of the setting, or else the one for development, where there is an engine that only developers reach. */
export const chosenLogin = (config: ChoosingSettings): Config['login'] => {
  if (config.login !== undefined || config.engine === 'none') return config.login
  return isLoopbackUrl(config['base-url']) && accountsFile(config) !== undefined ? 'development' : undefined
}
