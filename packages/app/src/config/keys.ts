// The signing algorithms, and the times of the key rotation.
import { defaultKeySettings } from '@clientele/adapters-http'
import { type KeySettings, signingAlgorithms } from '@clientele/domain/keys'
import { type Values, commas, distinct, list, oneOf, range, setting, tenYears } from './values.js'

const { signingAlgorithms: algorithms, policy } = defaultKeySettings

export const signingSection = {
  'signing-algorithms': setting<ReadonlyArray<string>>('What the provider signs tokens with: one key ring each', {
    values: `of ${signingAlgorithms.join(', ')}; several separated by commas`,
    fallback: algorithms,
    fallbackText: algorithms.join(', '),
    parse: distinct(list(commas, oneOf(...signingAlgorithms))),
  }),
  'signing-key-lifetime': range('Seconds that a key signs before its successor does', {
    from: 1,
    to: tenYears,
    fallback: policy.lifetime,
  }),
  'key-publish-ahead': range('Seconds that a key is published before it signs', {
    from: 1,
    to: tenYears,
    fallback: policy.publishAhead,
  }),
  'key-retention': range('Seconds that a key is published after it last signed; no token lives longer', {
    from: 1,
    to: tenYears,
    fallback: policy.retention,
  }),
  'jwks-max-age': range(
    'Seconds for which others may keep the key set and the metadata; they may never keep the key set past its next change',
    { from: 0, to: tenYears, fallback: policy.maxAge },
  ),
} as const

export const keySettings = (config: Values<typeof signingSection>): KeySettings => ({
  signingAlgorithms: config['signing-algorithms'],
  policy: {
    lifetime: config['signing-key-lifetime'],
    publishAhead: config['key-publish-ahead'],
    retention: config['key-retention'],
    maxAge: config['jwks-max-age'],
  },
})
