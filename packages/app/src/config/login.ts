// How end-users sign in.
import { type UpstreamSettings, upstreamPresets } from '@clientele/adapters-login'
import {
  type RequiredClaims,
  type UpstreamEntry,
  decodeRequiredClaims,
  decodeUpstreams,
  standardClaims,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { resolve } from 'node:path'
import type { databaseSection } from './database.js'
import type { engineSection } from './engine.js'
import { type Decode, type PublicKeys, decodeJson, jsonIn, jsonOf, readFile, readPublicKeys } from './files.js'
import type { listeningSection } from './listening.js'
import {
  type Parse,
  type Values,
  choice,
  file,
  isLoopback,
  isLoopbackUrl,
  list,
  matching,
  nonEmptyText,
  oneOf,
  optional,
  scopeToken,
  setting,
  spaces,
} from './values.js'

/** By which the responses of a login page are verified. */
export type LoginPageKey =
  { readonly kind: 'public'; readonly jwks: PublicKeys } | { readonly kind: 'secret'; readonly secret: string }

const urlThat = (rule: string, holds: (url: URL) => boolean): Parse<string> =>
  matching(rule, (text) => {
    if (!URL.canParse(text) || /[\s#]/.test(text)) return false
    const url = new URL(text)
    return url.username === '' && url.password === '' && holds(url)
  })

const isSecure = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))

// OpenID Connect Discovery §3: an https URL without query and fragment
const issuerUrl = urlThat(
  'an https URL without user, query and fragment, such as https://accounts.example.com; http on loopback only',
  (url) => isSecure(url) && !url.href.includes('?'),
)

/** The origin of an issuer on loopback, to which the service may connect. */
export const loopbackOriginOf = (issuer: string): string | undefined =>
  isLoopbackUrl(issuer) ? new URL(issuer).origin : undefined

/** A text that begins as a JSON object, or the path of a file with one. */
const jsonObject =
  <A>(rule: string, decode: Decode<A>): Parse<A> =>
  (text) =>
    pipe(
      decodeJson(text.trimStart().startsWith('{') ? jsonIn(text) : jsonOf(text), decode),
      E.mapLeft((faults) => `${rule}, which this is not: ${faults.join('; ')}`),
    )

const requiredClaims: Parse<RequiredClaims> = jsonObject(
  'a JSON object with claims and their values, such as {"hd": ["example.com"]}, or the path of a file with one',
  decodeRequiredClaims,
)

const loginPageUrl = urlThat(
  'an https URL without user and fragment, such as https://www.example.com/login; http on loopback only',
  isSecure,
)

// RFC 6749 appendix A.2: VSCHAR
const upstreamSecret = matching('1 to 1024 ASCII characters', (text) => /^[\x20-\x7e]{1,1024}$/.test(text))

// RFC 7518 §3.2: a key of HS256 has at least 256 bits
const loginPageSecret: Parse<LoginPageKey> = (text) =>
  Buffer.byteLength(text) >= 32 && text.length <= 1_024
    ? E.right({ kind: 'secret', secret: text })
    : E.left('32 to 1024 characters, chosen at random')

const loginPageKeys: Parse<LoginPageKey> = (file) =>
  pipe(
    readPublicKeys(file),
    E.map((jwks) => ({ kind: 'public' as const, jwks })),
    E.mapLeft((reason) => `the path of a JSON file with a JWK Set of public keys only (RFC 7517 section 5): ${reason}`),
  )

const methods = ['development', 'upstream', 'callback'] as const

/** A provider at which end-users sign in. */
export type Upstream = UpstreamSettings & { readonly name: string }

const withSecret = (entry: UpstreamEntry): E.Either<ReadonlyArray<string>, Upstream> => {
  const { client_id: clientId, client_secret_file, client_authentication: clientAuthentication, ...provider } = entry
  return pipe(
    readFile(client_secret_file),
    E.mapLeft((code) => `must be the path of a readable file (${code})`),
    E.flatMap((text) =>
      pipe(
        upstreamSecret(text.trim()),
        E.mapLeft((rule) => `must name a file with ${rule}`),
      ),
    ),
    E.mapLeft((fault) => [`/${entry.id}/client_secret_file ${fault}`]),
    E.map((clientSecret) => ({ ...provider, clientId, clientSecret, clientAuthentication })),
  )
}

const upstreamsRule = 'a JSON object with a member for each provider, or the path of a file with one'

const allFaults = E.getApplicativeValidation(RA.getSemigroup<string>())

const upstreams: Parse<ReadonlyArray<Upstream>> = (text) =>
  pipe(
    text,
    jsonObject(upstreamsRule, decodeUpstreams(upstreamPresets)),
    E.flatMap((entries) =>
      pipe(
        entries,
        RA.traverse(allFaults)(withSecret),
        E.mapLeft((faults) => `${upstreamsRule}: ${faults.join('; ')}`),
      ),
    ),
  )

export const loginSection = {
  login: optional(
    'How end-users sign in. development: with accounts in a file, only on loopback; upstream: at an OpenID provider; callback: at a page of yours. docs/use/sign-in.md#who-signs-end-users-in describes each',
    {
      values: methods.join(', '),
      fallbackText: 'development if engine is oidc-provider and the host of the base URL is loopback; otherwise none',
      parse: oneOf(...methods),
    },
  ),
  'accounts-file': optional(
    'The file with the accounts of login development, which the commands clientele users change',
    {
      values: 'path of a file, for its owner only',
      fallbackText: 'accounts.json in data-dir',
      parse: file,
    },
  ),
  'upstream-issuer': optional(
    'The issuer of the OpenID provider of login upstream, exactly as its metadata names it. The service connects to it even if outbound-fetches is false, but only at public addresses, at those of outbound-allowed-networks, and at the issuer itself where it is on loopback',
    { values: 'https URL, or http on loopback', parse: issuerUrl },
  ),
  'upstream-client-id': optional(
    'The client_id of this service at the OpenID provider of login upstream. Register /login/callback below base-url there as its redirect URI',
    { values: 'text', parse: nonEmptyText },
  ),
  'upstream-client-secret': optional('The client_secret for upstream-client-id', {
    values: 'text',
    secret: true,
    parse: upstreamSecret,
  }),
  'upstream-client-authentication': choice(
    'How this service authenticates at the token endpoint of the OpenID provider of login upstream',
    ['client_secret_basic', 'client_secret_post'],
    'client_secret_basic',
  ),
  'upstream-scope': setting<ReadonlyArray<string>>(
    'The scope values for which this service asks the OpenID provider of login upstream',
    {
      values: 'scope values separated by spaces, one of them openid',
      fallback: ['openid', 'profile', 'email'],
      fallbackText: 'openid profile email',
      parse: list(spaces, scopeToken),
    },
  ),
  'upstream-subject-claim': optional(
    'The claim of the OpenID provider of login upstream whose value becomes the sub of the end-user here. Name only a claim whose value the provider never gives to another end-user',
    {
      values: 'name of a claim',
      fallbackText: 'a digest of iss and sub, which differs for end-users of different providers',
      parse: nonEmptyText,
    },
  ),
  'upstream-claims': setting<ReadonlyArray<string>>(
    'The claims of the OpenID provider of login upstream that this service passes on to applications',
    {
      values: 'names separated by spaces',
      fallback: standardClaims,
      fallbackText: 'those of the scope values profile and email',
      parse: list(spaces, nonEmptyText),
    },
  ),
  'upstream-required-claims': optional(
    'Which end-users of the OpenID provider of login upstream may sign in: for each claim that is named here, their claim must have one of its values. docs/use/sign-in.md#who-signs-end-users-in has the format, and examples for Google, Entra and Keycloak',
    {
      values: 'JSON object, or the path of a JSON file',
      fallbackText: 'none: every end-user of the provider',
      json: true,
      parse: requiredClaims,
      shown: (required) => JSON.stringify(Object.fromEntries(required.map(({ claim, values }) => [claim, values]))),
    },
  ),
  upstreams: optional(
    'The providers at which end-users of login upstream sign in, in place of upstream-issuer and the settings beside it: a JSON object with a member for each provider. /login/callback/MEMBER below base-url is the redirect URI at that provider. If there are several, a page asks the end-user to choose. docs/use/sign-in.md#who-signs-end-users-in has the format, and docs/login-presets.md the providers for which a few members are enough',
    {
      values: 'JSON object, or the path of a JSON file',
      fallbackText: 'none: the provider of upstream-issuer',
      json: true,
      parse: upstreams,
      shown: (providers) => providers.map(({ id, issuer }) => `${id ?? ''}=${issuer}`).join(' '),
    },
  ),
  'login-page-url': optional('The URL of the page that authenticates end-users, for login callback', {
    values: 'https URL, or http on loopback',
    parse: loginPageUrl,
  }),
  'login-page-keys': optional('The public keys by which the service verifies the responses of login-page-url', {
    values: 'path of a JSON file with a JWK Set',
    parse: loginPageKeys,
  }),
  'login-page-secret': optional(
    'The secret with which login-page-url signs its responses by HS256, in place of login-page-keys',
    { values: 'at least 32 characters', secret: true, parse: loginPageSecret },
  ),
} as const

/** What decides how end-users sign in. */
export type LoginSettings = Values<
  typeof loginSection & typeof engineSection & typeof listeningSection & typeof databaseSection
>

/** None with PostgreSQL, unless it is set. */
export const accountsFile = (config: LoginSettings): string | undefined => {
  if (config['accounts-file'] !== undefined) return resolve(config['accounts-file'])
  return config['database-url'].scheme === 'sqlite' ? resolve(config['data-dir'], 'accounts.json') : undefined
}

/** The login of the setting, or else the one for development, where there is an engine that only developers reach. */
export const chosenLogin = (config: LoginSettings): LoginSettings['login'] => {
  if (config.login !== undefined || config.engine === 'none') return config.login
  return isLoopbackUrl(config['base-url']) && accountsFile(config) !== undefined ? 'development' : undefined
}

/** Whether end-users sign in at this service with the accounts for development. */
export const hasDevelopmentLogin = (config: LoginSettings): boolean =>
  config.engine !== 'none' && chosenLogin(config) === 'development'

// The provider of the settings upstream-…, if they name one.
const onlyUpstream = (config: Values<typeof loginSection>): ReadonlyArray<Upstream> => {
  const { 'upstream-issuer': issuer, 'upstream-client-id': clientId, 'upstream-client-secret': clientSecret } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return []
  return [
    {
      id: undefined,
      name: issuer,
      issuer,
      clientId,
      clientSecret,
      clientAuthentication: config['upstream-client-authentication'],
      scope: config['upstream-scope'],
      required: config['upstream-required-claims'] ?? [],
      subjectClaim: config['upstream-subject-claim'],
      claims: config['upstream-claims'],
      plain: undefined,
    },
  ]
}

/** The providers of login upstream: those of upstreams, or the one of the settings upstream-… */
export const upstreamsOf = (config: Values<typeof loginSection>): ReadonlyArray<Upstream> =>
  config.upstreams ?? onlyUpstream(config)

/** Of the endpoints to which the service connects, the hosts on loopback where the issuer is not. */
export const hostsBesideIssuer = ({ issuer, plain }: Pick<Upstream, 'issuer' | 'plain'>): ReadonlyArray<string> =>
  [plain?.token_endpoint, plain?.user_endpoint, plain?.emails_endpoint]
    .flatMap((endpoint) => (endpoint === undefined ? [] : [new URL(endpoint)]))
    .filter(({ origin, hostname }) => isLoopback(hostname) && origin !== new URL(issuer).origin)
    .map(({ hostname }) => hostname.replace(/^\[|\]$/g, ''))

/** Whether a setting of the one provider has another value than its default. */
export const namesOneUpstream = (config: Values<typeof loginSection>): boolean =>
  (
    [
      ...(['upstream-issuer', 'upstream-client-id', 'upstream-client-secret', 'upstream-required-claims'] as const),
      ...(['upstream-client-authentication', 'upstream-scope', 'upstream-subject-claim', 'upstream-claims'] as const),
    ] as const
  ).some((name) => config[name] !== loginSection[name].fallback)
