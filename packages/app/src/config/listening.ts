// Where the service is reached, and what its HTTP side takes of all settings.
import type { HttpSettings } from '@clientele/adapters-http'
import { isIPv6 } from 'node:net'
import { keySettings } from './keys.js'
import { type logoutSection, logoutSettings } from './logout.js'
import type { pageSection, webSection } from './pages.js'
import { type RegistrationSections, registrationSettings } from './registration.js'
import { type Values, baseUrl, flag, host, integer, isLoopbackUrl, optional, pathOf, range, setting } from './values.js'

export const listeningSection = {
  'base-url': optional(
    'The URL by which clients reach the service, which is also its issuer. It must have https unless the host is loopback, and no slash at the end',
    {
      values: 'URL',
      fallbackText: 'http://127.0.0.1:8080, or the loopback host and port that are set',
      parse: baseUrl,
    },
  ),
  host: setting<string>(
    'The address on which the service listens. If it is not loopback and the host of base-url is, everybody who reaches it can use the login for development, where the service has that, and the console, where it has no management-port. The start, config check and doctor warn of this',
    { values: 'host name or IP address', fallback: '127.0.0.1', parse: host },
  ),
  port: range('The port on which the service listens; with 0 it takes any free port', {
    from: 0,
    to: 65_535,
    fallback: 8080,
  }),
  'management-port': optional(
    'A port for operators, on management-host. It has /metrics, /health/ready and /health/live and, below the path of base-url, the console and the requests that only operators send, such as those to /manage/v1, /keys, /logouts and /initial-access-tokens. It also has POST and GET /clients, POST /direct-authz and GET /jwks.json, which the public port has as well (GET /clients unless list-clients-on-management-port-alone is true). Without this setting, the public port has all of these but /metrics',
    { values: '0 to 65535', parse: integer(0, 65_535) },
  ),
  'list-clients-on-management-port-alone': flag(
    'Whether the public port refuses GET /clients with 405, because that request shows all clients with their credentials; needs management-port',
    false,
  ),
  'management-host': setting<string>(
    'The address on which the management port listens. Everybody who reaches that port may read /health/ready, /health/live, and /metrics unless metrics-need-token is true. In a container that is probed from outside, set management-host to an address that only the probes reach',
    { values: 'host name or IP address', fallback: '127.0.0.1', parse: host },
  ),
  'metrics-need-token': flag(
    'Whether /metrics needs the master token, or an operator token with the privilege metrics. Set it to true if others than the operator reach the management port',
    false,
  ),
  workers: range(
    'How many instances clientele serve starts behind these ports. Each one is a process, and has the limits that settings give to an instance. One for each core is best; more than 1 needs PostgreSQL',
    { from: 1, to: 128, fallback: 1 },
  ),
} as const

/** The local URL of a listener: an address that means "all" is reached over loopback. */
export const localUrl = (host: string, port: number): string => {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`
  if (host === '::') return `http://[::1]:${port}`
  return isIPv6(host) ? `http://[${host}]:${port}` : `http://${host}:${port}`
}

/** The configured base URL, or else the address and port of the service. */
export const baseUrlAt = (config: Values<typeof listeningSection>, port = config.port): string =>
  config['base-url'] ?? localUrl(config.host, port)

/** Whether operators have a console: by default where only they reach it. */
export const hasConsole = (config: Values<typeof listeningSection & Pick<typeof webSection, 'console'>>): boolean =>
  config.console ?? (config['management-port'] !== undefined || isLoopbackUrl(baseUrlAt(config)))

type Sections = RegistrationSections &
  typeof logoutSection &
  typeof pageSection &
  typeof webSection &
  typeof listeningSection

/** The address of the console, at the base URL or at the management port. */
const consoleAt = (config: Values<typeof listeningSection>, baseUrl: string, managementPort?: number): string =>
  managementPort === undefined
    ? `${baseUrl}/console`
    : `${localUrl(config['management-host'], managementPort)}${pathOf(baseUrl)}/console`

/** `managementPort` is the one on which the service listens, where the setting leaves it to the system. */
export const httpSettings = (
  config: Values<Sections>,
  masterToken: HttpSettings['masterToken'],
  baseUrl: string,
  managementPort = config['management-port'],
): HttpSettings => ({
  registration: registrationSettings(config, baseUrl),
  keyPolicy: keySettings(config).policy,
  masterToken,
  basePath: pathOf(baseUrl),
  registrationStatus: config['registration-status'],
  answersWithWarnings: config['registration-warnings'],
  logout: logoutSettings(config, baseUrl),
  corsOrigins: config['cors-origins'],
  signInOpenerPolicy: config['sign-in-opener-policy'],
  consoleUrl: hasConsole(config) ? consoleAt(config, baseUrl, managementPort) : undefined,
  listsClientsPublicly: !config['list-clients-on-management-port-alone'],
})
