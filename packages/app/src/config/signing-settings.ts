// The signing algorithms, and the times of the key rotation.
import { defaultKeySettings } from '@clientele/adapters-http'
import { signingAlgorithms } from '@clientele/domain/keys'
import { range, tenYears } from './values/setting-kinds.js'
import type { Setting } from './values/setting.js'
import { commas, distinct, list, oneOf } from './values/values.js'

const { signingAlgorithms: algorithms, policy } = defaultKeySettings

export const signingSettings = {
  'signing-algorithms': {
    description: 'What the provider signs tokens with: one key ring each',
    values: `of ${signingAlgorithms.join(', ')}; several separated by commas`,
    fallback: algorithms,
    fallbackText: algorithms.join(', '),
    parse: distinct(list(commas, oneOf(...signingAlgorithms))),
  } satisfies Setting<ReadonlyArray<string>>,
  'signing-key-lifetime': range('Seconds that a key signs before its successor does', policy.lifetime, 1, tenYears),
  'key-publish-ahead': range('Seconds that a key is published before it signs', policy.publishAhead, 1, tenYears),
  'key-retention': range(
    'Seconds that a key is published after it last signed; no token lives longer',
    policy.retention,
    1,
    tenYears,
  ),
  'jwks-max-age': range(
    'Seconds that the key set and the metadata may be kept; of the key set never past the next change',
    policy.maxAge,
    0,
    tenYears,
  ),
} as const
