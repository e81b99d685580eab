import { defaultSettings } from '@clientele/adapters-http'
import type { TrustedIssuer } from '@clientele/adapters-jose'
import type { JsonObject } from '@clientele/domain/kernel'
import { maxInitialAccessTokenLifetime } from '@clientele/domain/operations'
import type { RegistrationPolicy } from '@clientele/domain/policy'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { abuseSettings } from './abuse-settings.js'
import { baseUrl } from './values/base-url.js'
import { databaseSettings } from './database-settings.js'
import { engineSettings } from './engine-settings.js'
import { auditSettings } from './audit-settings.js'
import { lifeCycleSettings } from './life-cycle-settings.js'
import { addressSettings, admissionSettings } from './listening-settings.js'
import { loginSettings } from './login-settings.js'
import { logoutSettings } from './logout-settings.js'
import { operatorSettings } from './operator-settings.js'
import { pageSettings } from './page-settings.js'
import { signingSettings } from './signing-settings.js'
import { type ProfileName, profileNames } from './profile-names.js'
import { readProviderMetadata } from './values/provider-metadata.js'
import { readFile } from './values/read-file.js'
import { parseRegistrationPolicy, readRegistrationPolicy } from './values/registration-policy.js'
import { encryptionKeys } from './values/secrets.js'
import { day, flag, optional, range, several, tenYears } from './values/setting-kinds.js'
import type { Setting } from './values/setting.js'
import { softwareStatementIssuer } from './values/software-statement-issuers.js'
import { addressRange, boolean, oneOf, originOrAny, path, scopeToken, commas, list, spaces } from './values/values.js'

const { credentials } = defaultSettings

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

/** All settings: the source of decoding, help, `config check`, `config print` and docs/configuration.md. */
export const settings = {
  profile: optional<ProfileName>({
    description: 'Defaults of other settings that suit certain clients; a setting that is given wins over its profile',
    values: profileNames.join(', '),
    fallbackText: 'none',
    parse: oneOf<ProfileName>(...profileNames),
  }),
  'base-url': optional<string>({
    description: 'Where clients reach the service; the issuer. https, unless the host is loopback; no slash at the end',
    values: 'URL',
    fallbackText: 'http://127.0.0.1:8080, or the loopback host and port that are set',
    parse: baseUrl,
  }),
  ...addressSettings,
  'data-dir': {
    description:
      'The directory of generated secrets, of the socket by which commands reach the running service, and of the database unless database-url names another; not used with PostgreSQL',
    values: 'path; of its socket, run/clientele.sock, at most 103 bytes',
    fallback: './data',
    parse: path,
  } satisfies Setting<string>,
  ...databaseSettings,
  ...operatorSettings,
  'encryption-key': optional<ReadonlyArray<Buffer>>({
    description: 'Seals what the database keeps secret. Several, separated by commas: the first seals, all open',
    values: '32 bytes, base64url',
    fallbackText: 'generated at the first start',
    secret: true,
    parse: encryptionKeys,
  }),
  'allow-open-registration': flag('Whether a client may be registered without a token', false),
  'open-registration-scopes': several(
    'Scope values that a registrant without a token may set in open registration, and for which its client may ask a resource where it set none',
    'scope values separated by spaces',
    spaces,
    scopeToken,
  ),
  'registration-status': {
    description:
      'The status of a successful registration; clients that insist on 201 (RFC 7591 section 3.2.1), as openid-client, refuse 200',
    values: '200 or 201',
    fallback: defaultSettings.registrationStatus,
    parse: oneOf<200 | 201>(200, 201),
  } satisfies Setting<200 | 201>,
  'registration-warnings': flag(
    'Whether the answers to a registration and an update have a member warnings: members that were left out, with "did you mean", and what the service does not use. Dry runs always have it',
    false,
  ),
  'client-id-length': range('Characters of a new client_id', 20, 16, 128),
  'client-secret-length': range('Characters of a new client_secret', defaultSettings.clientSecretLength, 32, 128),
  'registration-access-token-length': range(
    'Characters of a new registration access token or initial access token',
    43,
    32,
    128,
  ),
  'client-secret-lifetime': range(
    'Seconds until a client_secret expires; 0 is never',
    credentials.clientSecretLifetime,
    0,
    tenYears,
  ),
  'initial-access-token-lifetime': range(
    'Seconds until an initial access token expires, when its request does not say',
    defaultSettings.initialAccessTokenLifetime,
    1,
    maxInitialAccessTokenLifetime,
  ),
  'rotate-registration-access-token-on-update': flag(
    'Whether PUT makes a new registration access token',
    credentials.rotateRegistrationAccessTokenOnUpdate,
  ),
  'registration-access-token-grace': range(
    'Seconds in which the registration access token of a PUT stays valid until the new one is first used: the answer may have been lost. 0 ends it at once',
    credentials.registrationAccessTokenGrace ?? 0,
    0,
    day,
  ),
  'rotate-client-secret-on-update': flag(
    'Whether PUT makes a new client_secret, or only for an expired one',
    credentials.rotateClientSecretOnUpdate,
  ),
  'changes-need-if-match': flag(
    'Whether PUT, PATCH and DELETE of a client must name its version by If-Match (RFC 6585 section 3)',
    false,
  ),
  'registration-policy': optional<RegistrationPolicy>({
    description:
      'What the operator allows beyond the standards, in a file or (as …-json) as text; docs/registration-policy.md says what it may hold',
    values: 'path of a JSON file; as …-json, the JSON',
    fallbackText: 'none',
    parse: (path) =>
      pipe(
        readRegistrationPolicy(readFile)(path),
        E.mapLeft((faults) => `a JSON file with a registration policy, which this is not: ${faults.join('; ')}`),
      ),
    forms: {
      '-json': (text) =>
        pipe(
          parseRegistrationPolicy(text),
          E.mapLeft((faults) => `JSON with a registration policy, which this is not: ${faults.join('; ')}`),
        ),
    },
  }),
  'software-statement-issuers': {
    description: 'Who may vouch for clients by software statements, each with the JSON file of its public keys',
    values: 'ISSUER=FILE, separated by commas',
    fallback: [],
    fallbackText: 'none',
    parse: list(commas, softwareStatementIssuer(readFile)),
  } satisfies Setting<ReadonlyArray<TrustedIssuer>>,
  ...signingSettings,
  'provider-metadata': optional<JsonObject>({
    description:
      'What the metadata documents tell beyond this service, such as the endpoints of the provider beside it. A list of algorithms in it says what registration takes',
    values: 'path of a JSON file',
    fallbackText: 'none',
    parse: readProviderMetadata(readFile),
    forms: { '-file': readProviderMetadata(readFile) },
  }),
  ...lifeCycleSettings,
  ...auditSettings,
  ...engineSettings,
  ...logoutSettings,
  ...loginSettings,
  ...pageSettings,
  'outbound-fetches': flag(
    'Whether the service may reach out: to check sector_identifier_uri, to read the keys of a client at its jwks_uri, and to send logout tokens; it makes no connection otherwise, but for login upstream. Names are asked of DNS servers, not of the hosts file',
    false,
  ),
  'outbound-allowed-networks': several(
    'Networks that are not public and may be reached nevertheless, such as those of private applications',
    'CIDRs or addresses separated by commas',
    commas,
    addressRange,
  ),
  playground: optional<boolean>({
    description:
      'Whether there is a page, /playground below the base URL, where any visitor may try what would be registered; it shows the registration policy',
    values: 'true or false',
    fallbackText: 'true where the host of the base URL is loopback, false elsewhere',
    parse: boolean,
  }),
  'cors-origins': several(
    'Origins whose pages may use registration (CORS); * is any origin',
    'origins separated by commas, or *',
    commas,
    originOrAny,
  ),
  ...admissionSettings,
  ...abuseSettings,
  'log-level': {
    description: 'The least severe entries to log',
    values: logLevels.join(', '),
    fallback: 'info',
    parse: oneOf<(typeof logLevels)[number]>(...logLevels),
  } satisfies Setting<(typeof logLevels)[number]>,
} as const

export type Settings = typeof settings
export type SettingName = keyof Settings
export const settingNames = Object.keys(settings).filter((name): name is SettingName => Object.hasOwn(settings, name))

/** The value of each setting, by name. */
export type Config = {
  readonly [Name in SettingName]: Settings[Name] extends Setting<infer A> ? A : never
}
