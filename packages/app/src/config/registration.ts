// Who may register clients, what the operator allows them, and the credentials that they get.
import { defaultSettings } from '@clientele/adapters-http'
import type { TrustedIssuer } from '@clientele/adapters-jose'
import { engineMetadata, servedBy } from '@clientele/adapters-oidc-provider'
import { type JsonObject, isPlainObject } from '@clientele/domain/kernel'
import { maxInitialAccessTokenLifetime } from '@clientele/domain/operations'
import {
  type RegistrationPolicy,
  decodeRegistrationPolicy,
  documentPolicy,
  listedAlgorithms,
  noPolicy,
  typesByPolicy,
} from '@clientele/domain/policy'
import type { RegistrationSettings } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { describedSettings, type engineSection, type metadataSection } from './engine.js'
import { decodeJson, jsonIn, jsonInFile, jsonOf, readPublicKeys } from './files.js'
import type { signingSection } from './keys.js'
import { allowsAddress, type outboundSection } from './outbound.js'
import {
  type Parse,
  type Values,
  choice,
  commas,
  day,
  flag,
  isLoopbackUrl,
  list,
  oneOf,
  optional,
  range,
  scopeToken,
  setting,
  several,
  spaces,
  tenYears,
} from './values.js'

/** A policy, and its JSON. */
export type PolicyFile = { readonly json: object; readonly policy: RegistrationPolicy }

type ReadPolicy = (text: string) => E.Either<ReadonlyArray<string>, PolicyFile>

const policyOf = (json: E.Either<string, unknown>): ReturnType<ReadPolicy> =>
  decodeJson(json, (value) =>
    pipe(
      decodeRegistrationPolicy(value),
      E.map((policy) => ({ json: isPlainObject(value) ? value : {}, policy })),
    ),
  )

/** The contents of a policy file, or all of its faults. */
export const readPolicyFile: ReadPolicy = (path) => policyOf(jsonInFile(path))

const policyBy =
  (what: string, read: ReadPolicy): Parse<RegistrationPolicy> =>
  (text) =>
    pipe(
      read(text),
      E.map(({ policy }) => policy),
      E.mapLeft((faults) => `${what} with a registration policy, which this is not: ${faults.join('; ')}`),
    )

const issuersRule = 'issuers with their JWK set files, such as https://issuer.example=/etc/clientele/issuer.json'

/** One issuer as ISSUER=FILE; RFC 8414 §2: an issuer has no query, so that the first = ends it. */
const softwareStatementIssuer: Parse<TrustedIssuer> = (text) => {
  const [issuer, ...path] = text.split('=')
  if (issuer === undefined || issuer === '' || path.length === 0) return E.left(issuersRule)
  return pipe(
    readPublicKeys(path.join('=')),
    E.map((jwks) => ({ issuer, jwks })),
    E.mapLeft((reason) => `${issuersRule}: ${reason}`),
  )
}

const { credentials } = defaultSettings

export const registrationSection = {
  'allow-open-registration': flag('Whether anybody may register a client without a token', false),
  'open-registration-scopes': several(
    'The scope values that a client may register without a token. A client that registers none may ask a resource for these values',
    'scope values separated by spaces',
    list(spaces, scopeToken),
  ),
  'registration-status': choice(
    'The HTTP status of a successful registration. Some clients, such as openid-client, accept only 201 (RFC 7591 section 3.2.1)',
    [200, 201],
    defaultSettings.registrationStatus,
    ' or ',
  ),
  'registration-warnings': flag(
    'Whether the answers to a registration and an update have a member warnings. It lists the members that were left out, with "did you mean", and those that the service does not use. The answers to dry runs always have it',
    false,
  ),
  lenient: optional<'on' | 'off'>(
    'Whether POST /clients repairs sloppy bodies, and says so in its answer: it leaves out members that are null or empty, grant_types and response_types that are empty beside redirect_uris, and repeated entries; it reads charset=utf8 as UTF-8, and accepts any number in a member that it drops. It repairs nothing that concerns safety',
    {
      values: 'on, off',
      fallbackText: 'on if allow-open-registration is true, otherwise off',
      parse: oneOf('on', 'off'),
    },
  ),
  'client-id-length': range('How many characters a new client_id has', { from: 16, to: 128, fallback: 20 }),
  'client-secret-length': range('How many characters a new client_secret has', {
    from: 32,
    to: 128,
    fallback: defaultSettings.clientSecretLength,
  }),
  'registration-access-token-length': range(
    'How many characters a new registration access token or initial access token has',
    {
      from: 32,
      to: 128,
      fallback: 43,
    },
  ),
  'client-secret-lifetime': range('After how many seconds a client_secret expires; with 0 it never does', {
    from: 0,
    to: tenYears,
    fallback: credentials.clientSecretLifetime,
  }),
  'initial-access-token-lifetime': range(
    'After how many seconds an initial access token expires, if the request for it names no lifetime',
    { from: 1, to: maxInitialAccessTokenLifetime, fallback: defaultSettings.initialAccessTokenLifetime },
  ),
  'rotate-registration-access-token-on-update': flag(
    'Whether PUT gives a client a new registration access token',
    credentials.rotateRegistrationAccessTokenOnUpdate,
  ),
  'registration-access-token-grace': range(
    'For how many seconds the registration access token that a PUT replaces stays valid, because its answer may be lost. It ends earlier when the client first uses the new one; with 0 it ends at once',
    { from: 0, to: day, fallback: credentials.registrationAccessTokenGrace ?? 0 },
  ),
  'rotate-client-secret-on-update': flag(
    'Whether each PUT gives a client a new client_secret. With false, it does so only if the secret has expired',
    credentials.rotateClientSecretOnUpdate,
  ),
  'client-secret-overlap': range(
    'For how many seconds a client_secret that a PUT replaces stays valid beside the new one, if rotate-client-secret-on-update is true; with 0 it ends at once',
    { from: 0, to: 90 * day, fallback: credentials.clientSecretOverlap ?? 0 },
  ),
  'changes-need-if-match': flag(
    'Whether PUT, PATCH and DELETE of a client must name its version by If-Match (RFC 6585 section 3)',
    false,
  ),
  'registration-policy': optional(
    'What the operator permits and refuses beyond the standards: a file or, in the form …-json, the JSON itself. docs/operate/security.md#registration-policy says what it may hold',
    {
      values: 'path of a JSON file; in the form …-json, JSON',
      parse: policyBy('a JSON file', (path) => policyOf(jsonOf(path))),
      forms: { '-json': policyBy('JSON', (text) => policyOf(jsonIn(text))) },
    },
  ),
  'software-statement-issuers': setting<ReadonlyArray<TrustedIssuer>>(
    'The issuers that may vouch for clients by software statements, each with a JSON file of its public keys',
    {
      values: 'ISSUER=FILE, separated by commas',
      fallback: [],
      fallbackText: 'none',
      parse: list(commas, softwareStatementIssuer),
    },
  ),
} as const

type EngineSections = typeof engineSection & typeof metadataSection & typeof signingSection

/** The sections that registration depends on. */
export type RegistrationSections = typeof registrationSection & typeof outboundSection & EngineSections

const servedHere = (config: Values<RegistrationSections>, issuer: string) => {
  const served = servedBy(describedSettings(config, issuer))
  return { ...served, ...typesByPolicy(config['registration-policy'] ?? noPolicy, served) }
}

/** What the authorization server here tells of itself, in place of what the operator declares; nothing without one. */
const metadataOfEngine = (config: Values<RegistrationSections>, issuer: string): JsonObject => {
  if (config.engine === 'none') return {}
  const policy = config['registration-policy'] ?? noPolicy
  const { allowed_token_endpoint_auth_methods: methods } = policy
  const abilities = { signingAlgorithms: [], providerMetadata: {}, clientSecretLength: config['client-secret-length'] }
  const listed = listedAlgorithms({ policy, abilities })
  return {
    ...engineMetadata({
      ...describedSettings(config, issuer),
      assertions: listed('token_endpoint_auth_signing_alg'),
      // No client registers the algorithm of its proofs.
      proofs: listed('request_object_signing_alg'),
      types: servedHere(config, issuer),
      ...(methods === undefined ? {} : { methods }),
    }),
    // draft-ietf-oauth-client-id-metadata-document-02 §6
    client_id_metadata_document_supported: documentPolicy(policy.metadata_documents).accept !== 'none',
  }
}

export const registrationSettings = (config: Values<RegistrationSections>, baseUrl: string): RegistrationSettings => ({
  mode: config['allow-open-registration']
    ? { kind: 'open', scope: config['open-registration-scopes'] }
    : { kind: 'managed' },
  policy: config['registration-policy'] ?? noPolicy,
  credentials: {
    clientSecretLifetime: config['client-secret-lifetime'],
    rotateRegistrationAccessTokenOnUpdate: config['rotate-registration-access-token-on-update'],
    registrationAccessTokenGrace: config['registration-access-token-grace'],
    rotateClientSecretOnUpdate: config['rotate-client-secret-on-update'],
    clientSecretOverlap: config['client-secret-overlap'],
  },
  lenient: (config.lenient ?? (config['allow-open-registration'] ? 'on' : 'off')) === 'on',
  requiresIfMatch: config['changes-need-if-match'],
  outboundFetches: config['outbound-fetches'],
  isOnLoopback: isLoopbackUrl(baseUrl),
  readsKeySets: config.engine !== 'none',
  allowsAddress: allowsAddress(config),
  // The algorithms of this service's keys, and the declared metadata of the provider.
  abilities: {
    signingAlgorithms: config['signing-algorithms'],
    providerMetadata: { ...config['provider-metadata'], ...metadataOfEngine(config, baseUrl) },
    clientSecretLength: config['client-secret-length'],
    ...(config.engine === 'none' ? {} : { served: servedHere(config, baseUrl) }),
  },
  registrationEndpoint: `${baseUrl}/clients`,
  issuer: baseUrl,
  initialAccessTokenLifetime: config['initial-access-token-lifetime'],
})
