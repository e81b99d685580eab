// How end-users sign in.
import type { RequiredClaims } from '@clientele/domain/provider'
import {
  type LoginPageKey,
  issuerUrl,
  loginPageKeys,
  loginPageSecret,
  loginPageUrl,
  requiredClaims,
  upstreamSecret,
} from './values/login-values.js'
import { optional, several } from './values/setting-kinds.js'
import type { Setting } from './values/setting.js'
import { file, nonEmptyText, oneOf, scopeToken, spaces } from './values/values.js'

const methods = ['development', 'upstream', 'callback'] as const
const authentications = ['client_secret_basic', 'client_secret_post'] as const

/** OpenID Connect Core §5.4: the claims of the scope values profile and email. */
const standardClaims = [
  ...['name', 'given_name', 'family_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture'],
  ...['website', 'gender', 'birthdate', 'zoneinfo', 'locale', 'updated_at', 'email', 'email_verified'],
]

export const loginSettings = {
  login: optional<(typeof methods)[number]>({
    description:
      'How end-users sign in: with accounts in a file, for development on loopback only; at an OpenID provider, upstream; or at a page of yours, callback. docs/login.md describes each',
    values: methods.join(', '),
    fallbackText: 'development where there is an engine and the host of the base URL is loopback, none elsewhere',
    parse: oneOf(...methods),
  }),
  'accounts-file': optional<string>({
    description: 'The accounts of login development, which clientele users changes',
    values: 'path of a file, for its owner only',
    fallbackText: 'accounts.json in data-dir',
    parse: file,
  }),
  'upstream-issuer': optional<string>({
    description:
      'The issuer of the OpenID provider of login upstream, exactly as its metadata names it. Its servers are reached also while outbound-fetches is off, by the rules of outbound-allowed-networks',
    values: 'https URL, or http on loopback',
    fallbackText: 'none',
    parse: issuerUrl,
  }),
  'upstream-client-id': optional<string>({
    description:
      'The client_id of this service at the OpenID provider of login upstream, where /login/callback below base-url is its redirect URI',
    values: 'text',
    fallbackText: 'none',
    parse: nonEmptyText,
  }),
  'upstream-client-secret': optional<string>({
    description: 'The client_secret of upstream-client-id',
    values: 'text',
    fallbackText: 'none',
    secret: true,
    parse: upstreamSecret,
  }),
  'upstream-client-authentication': {
    description: 'How this service authenticates at the token endpoint of the OpenID provider of login upstream',
    values: authentications.join(', '),
    fallback: 'client_secret_basic',
    parse: oneOf(...authentications),
  } satisfies Setting<(typeof authentications)[number]>,
  'upstream-scope': {
    ...several(
      'Scope values for the OpenID provider of login upstream',
      'with openid, separated by spaces',
      spaces,
      scopeToken,
    ),
    fallback: ['openid', 'profile', 'email'],
    fallbackText: 'openid profile email',
  } satisfies Setting<ReadonlyArray<string>>,
  'upstream-subject-claim': optional<string>({
    description:
      'The claim of the OpenID provider whose value becomes sub here. Name only one that the provider never gives to another end-user',
    values: 'name of a claim',
    fallbackText: 'a digest of iss and sub, so that two providers never give one end-user',
    parse: nonEmptyText,
  }),
  'upstream-claims': {
    ...several('Claims of the OpenID provider that are passed on', 'names separated by spaces', spaces, nonEmptyText),
    fallback: standardClaims,
    fallbackText: 'those of the scope values profile and email',
  } satisfies Setting<ReadonlyArray<string>>,
  'upstream-required-claims': {
    ...optional<RequiredClaims>({
      description:
        'Who of the end-users of the OpenID provider may sign in: the claims that must each have one of their values. docs/login.md has the format, and examples for Google, Entra and Keycloak',
      values: 'JSON object, or the path of a JSON file',
      fallbackText: 'none: every end-user of the provider',
      parse: requiredClaims,
      shown: (required) => JSON.stringify(Object.fromEntries(required.map(({ claim, values }) => [claim, values]))),
    }),
    json: true,
  } satisfies Setting<RequiredClaims | undefined>,
  'login-page-url': optional<string>({
    description: 'The page of login callback that authenticates end-users',
    values: 'https URL, or http on loopback',
    fallbackText: 'none',
    parse: loginPageUrl,
  }),
  'login-page-keys': optional<LoginPageKey>({
    description: 'The public keys by which responses of login-page-url are verified',
    values: 'path of a JSON file with a JWK Set',
    fallbackText: 'none',
    parse: loginPageKeys,
  }),
  'login-page-secret': optional<LoginPageKey>({
    description: 'The secret with which login-page-url signs its responses by HS256, in place of login-page-keys',
    values: 'at least 32 characters',
    fallbackText: 'none',
    secret: true,
    parse: loginPageSecret,
  }),
} as const
