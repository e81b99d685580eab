import type { ResourcePolicy } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { readFile } from './values/read-file.js'
import { readResourcePolicy } from './values/resource-policy.js'
import { day, flag, optional, range, several, tenYears } from './values/setting-kinds.js'
import type { Setting } from './values/setting.js'
import { clientId, oneOf, spaces } from './values/values.js'

const engines = ['oidc-provider', 'none'] as const

/** The settings of the authorization server. */
export const engineSettings = {
  engine: {
    description:
      'The authorization server: oidc-provider in this process, or none, where one runs beside this service or not at all',
    values: engines.join(' or '),
    fallback: 'oidc-provider',
    parse: oneOf<(typeof engines)[number]>(...engines),
  } satisfies Setting<(typeof engines)[number]>,
  'access-token-lifetime': range('Seconds until an access token expires', 3600, 10, tenYears),
  'refresh-token-lifetime': range(
    'Seconds until a refresh token expires that is not used; each use issues a new one',
    30 * day,
    10,
    365 * day,
  ),
  'refresh-token-grace': range(
    'Seconds in which a used refresh token is good again, until its successor is used: an answer may have been lost. 0 refuses every second use',
    0,
    0,
    day,
  ),
  'tokens-end-with-session': flag(
    'Whether access and refresh tokens that are not for offline access end with the session in which they were issued',
    true,
  ),
  'resource-policy': optional<ResourcePolicy>({
    description:
      'The resources for which clients may get access tokens (RFC 8707), each with its scope and, as needed, its clients and the clients that introspect its tokens',
    values: 'path of a JSON file',
    fallbackText: 'none: every resource, for every client',
    parse: (path) =>
      pipe(
        readResourcePolicy(readFile)(path),
        E.mapLeft((faults) => `a JSON file with a policy of resources, which this is not: ${faults.join('; ')}`),
      ),
  }),
  'require-pkce': {
    description:
      'The clients that must use PKCE (RFC 7636) where they ask for a code: those without authentication, or all',
    values: 'public or all',
    fallback: 'public',
    parse: oneOf<'public' | 'all'>('public', 'all'),
  } satisfies Setting<'public' | 'all'>,
  'introspection-clients': several(
    'Resource servers of the operator, which may introspect every access token; * names each client that the master token registered. Only a client of the master token is one. Others see their own tokens, and those for a resource whose introspected_by in resource-policy names them',
    'client_id separated by spaces, or *',
    spaces,
    clientId,
  ),
} as const
