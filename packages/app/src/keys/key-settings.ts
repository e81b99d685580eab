import type { KeySettings } from '@clientele/domain/keys'
import type { Config } from '../config/settings.js'

export const keySettings = (config: Config): KeySettings => ({
  signingAlgorithms: config['signing-algorithms'],
  policy: {
    lifetime: config['signing-key-lifetime'],
    publishAhead: config['key-publish-ahead'],
    retention: config['key-retention'],
    maxAge: config['jwks-max-age'],
  },
})
