// The signing algorithms, and the times of the key rotation.
import { defaultKeySettings } from '@clientele/adapters-http'
import { type KeySettings, signingAlgorithms } from '@clientele/domain/keys'
import { type Values, commas, distinct, list, oneOf, range, setting, tenYears } from './values.js'

const { signingAlgorithms: algorithms, policy } = defaultKeySettings

export const signingSection = {
  'signing-algorithms': setting<ReadonlyArray<string>>(
    'The algorithms by which the provider signs tokens. It has a ring of keys for each of them',
    {
      values: `of ${signingAlgorithms.join(', ')}; several separated by commas`,
      fallback: algorithms,
      fallbackText: algorithms.join(', '),
      parse: distinct(list(commas, oneOf(...signingAlgorithms))),
    },
  ),
  'signing-key-lifetime': range('For how many seconds a key signs before its successor does', {
    from: 1,
    to: tenYears,
    fallback: policy.lifetime,
  }),
  'key-publish-ahead': range('For how many seconds a key is published before it signs', {
    from: 1,
    to: tenYears,
    fallback: policy.publishAhead,
  }),
  'key-retention': range(
    'For how many seconds a key is published after it last signed; no token that it signed may live longer',
    {
      from: 1,
      to: tenYears,
      fallback: policy.retention,
    },
  ),
  'jwks-max-age': range(
    'For how many seconds others may keep the key set and the metadata in a cache; the key set only until its next change, if that is earlier',
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
