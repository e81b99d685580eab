import { baseUrl } from './values/base-url.js'
import { type MasterToken, bearerToken, masterToken, masterTokenDigest } from './values/secrets.js'
import { optional } from './values/setting-kinds.js'

/** The credentials of operators. */
export const operatorSettings = {
  'master-token': optional<MasterToken>({
    description: 'The token of the operator, or (as …-sha256) the SHA-256 of it in hexadecimal',
    values: 'at least 32 characters',
    fallbackText: 'generated at the first start',
    secret: true,
    parse: masterToken,
    forms: { '-sha256': masterTokenDigest },
  }),
  'previous-master-token': optional<MasterToken>({
    description:
      'A second token of the operator, which counts as well while the master token is changed; or (as …-sha256) its SHA-256 in hexadecimal',
    values: 'at least 32 characters',
    fallbackText: 'the contents of previous-master-token in data-dir, if it is there',
    secret: true,
    parse: masterToken,
    forms: { '-sha256': masterTokenDigest },
  }),
  'operator-token': optional<string>({
    description:
      'For commands: the token by which the service recognizes the operator, an operator token or the master token; without it, commands act as the operator of the machine',
    values: 'a token',
    fallbackText: 'none',
    secret: true,
    parse: bearerToken,
  }),
  server: optional<string>({
    description:
      'For commands: the service to ask, by its base URL or that of its management port, in place of the one on this machine; needs operator-token',
    values: 'URL, as base-url',
    fallbackText: 'the service of data-dir',
    parse: baseUrl,
  }),
} as const
