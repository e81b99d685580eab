import { createPageRenderer, defaultSettings } from '@clientele/adapters-http'
import { enginePaths } from '@clientele/adapters-oidc-provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { day, flag, optional, range, tenYears } from './values/setting-kinds.js'
import type { Parse, Setting } from './values/setting.js'

// RFC 3986 §3.3: unreserved characters, so that URLs and the router contain the path unescaped
const plainPath = /^(?:\/[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)+$/
const taken = [
  ...enginePaths,
  'clients',
  'consents',
  'direct-authz',
  'health',
  'interaction',
  'jwks.json',
  'keys',
  'login',
  'logouts',
  'metrics',
  'playground',
  'sessions',
]

const { logout, sessions } = defaultSettings

const logoutPath: Parse<string> = (text) =>
  plainPath.test(text) && text.length <= 200 && !taken.includes(text.split('/')[1] ?? '')
    ? E.right(text)
    : E.left(
        `a path such as /logout, of letters, digits, - and _, and not below ${taken.map((name) => `/${name}`).join(', ')}`,
      )

const themeDirectory: Parse<string> = (directory) =>
  pipe(
    createPageRenderer({ directory }),
    E.map(() => directory),
    E.mapLeft(({ file, description }) => `the path of a directory with a theme, but ${file} ${description}`),
  )

/** The settings of end-user sessions and logout. */
export const logoutSettings = {
  'logout-enabled': flag('Whether there is a logout endpoint', true),
  'logout-path': {
    description: 'The logout endpoint, below the base URL',
    values: 'path',
    fallback: defaultSettings.logoutPath,
    parse: logoutPath,
  } satisfies Setting<string>,
  'logout-hint-max-age': range(
    'Seconds after its expiry in which an ID token still counts as id_token_hint; 0 is for ever',
    logout.hintMaxAge,
    0,
    tenYears,
  ),
  'logout-ends-offline-access': flag(
    'Whether grants for offline access end with the session that gave them',
    logout.endsOfflineAccess,
  ),
  'session-lifetime': range(
    'Seconds that an end-user session lasts, when its request does not say',
    sessions.lifetime,
    1,
    365 * day,
  ),
  'session-idle-lifetime': range(
    'Seconds without use after which a session is over, when its request does not say',
    sessions.idleLifetime,
    1,
    365 * day,
  ),
  'theme-dir': optional<string>({
    description: 'Templates and a style that replace those of the pages; docs/sign-in.md says which',
    values: 'path of a directory',
    fallbackText: 'none',
    parse: themeDirectory,
  }),
} as const
