// End-user sessions, logout and its pages.
import { type HttpSettings, createPageRenderer, defaultSettings } from '@clientele/adapters-http'
import { enginePaths } from '@clientele/adapters-oidc-provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { OutboundSettings } from './outbound.js'
import { type Parse, type Values, day, flag, matching, optional, range, setting, tenYears } from './values.js'

// RFC 3986 §3.3: unreserved characters, so that URLs and the router contain the path unescaped
const plainPath = /^(?:\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)+$/
const taken = [
  ...enginePaths,
  'clients',
  'console',
  'consents',
  'direct-authz',
  'encryption',
  'exported-clients',
  'health',
  'imported-clients',
  'initial-access-tokens',
  'interaction',
  'jwks.json',
  'keys',
  'login',
  'logouts',
  'manage',
  'metrics',
  'openapi.json',
  'operator-tokens',
  'playground',
  'reference',
  'registration-policy',
  'reload',
  'rules',
  'sessions',
]

const { logout, sessions } = defaultSettings

const logoutPath = matching(
  `a path such as /logout, of letters, digits, - and _, and not below ${taken.map((name) => `/${name}`).join(', ')}`,
  (text) => plainPath.test(text) && text.length <= 200 && !taken.includes(text.split('/')[1] ?? ''),
)

const themeDirectory: Parse<string> = (directory) =>
  pipe(
    createPageRenderer({ directory }),
    E.map(() => directory),
    E.mapLeft(({ file, description }) => `the path of a directory with a theme, but ${file} ${description}`),
  )

export const logoutSection = {
  'logout-enabled': flag('Whether the service has a logout endpoint', true),
  'logout-path': setting<string>('The path of the logout endpoint, below the base URL', {
    values: 'path',
    fallback: defaultSettings.logoutPath,
    parse: logoutPath,
  }),
  'logout-hint-max-age': range(
    'For how many seconds after its expiry an ID token still counts as id_token_hint; with 0 it does so for ever',
    { from: 0, to: tenYears, fallback: logout.hintMaxAge },
  ),
  'logout-ends-offline-access': flag(
    'Whether what an end-user granted for offline access ends with the session in which it was granted',
    logout.endsOfflineAccess,
  ),
  'session-lifetime': range(
    'For how many seconds the session of an end-user lasts, if the request that records it names no lifetime',
    {
      from: 1,
      to: 365 * day,
      fallback: sessions.lifetime,
    },
  ),
  'session-idle-lifetime': range(
    'After how many seconds without use a session ends, if the request that records it does not say',
    {
      from: 1,
      to: 365 * day,
      fallback: sessions.idleLifetime,
    },
  ),
  'theme-dir': optional(
    'A directory with templates and a style that replace those of the pages; docs/use/sign-in.md#how-to-theme-the-pages says which',
    {
      values: 'path of a directory',
      parse: themeDirectory,
    },
  ),
} as const

export const logoutSettings = (
  config: Values<typeof logoutSection> & Pick<OutboundSettings, 'outbound-fetches'>,
  issuer: string,
): HttpSettings['logout'] => ({
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
