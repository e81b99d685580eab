// Clients of the maximum size of a registration, to check that a store reads back all of it.
import * as fc from 'fast-check'
import type { JsonValue } from '@clientele/domain/kernel'
import type { RegisteredClient } from '@clientele/domain/registration'
import type { SentMetadata } from './client-metadata.js'
import { issued } from './generated-credentials.js'
import { registeredByMaster } from './registered-client.js'
import { registrationSettings } from './settings.js'

const maxDataBytes = 16_384
const nested = (depth: number): JsonValue => (depth === 0 ? 0 : { n: nested(depth - 1) })

/**
 * Many small nodes, few long ones, deep ones, and characters of several bytes, within the maximum bytes of a member.
 */
const largeValue = (): fc.Arbitrary<JsonValue> =>
  fc.oneof(
    fc.integer({ min: 0, max: maxDataBytes / 2 - 50 }).map((length) => Array.from({ length }, () => 0)),
    fc.integer({ min: 0, max: maxDataBytes - 100 }).map((length) => 'x'.repeat(length)),
    fc.integer({ min: 0, max: maxDataBytes / 4 - 50 }).map((length) => '🦊'.repeat(length)),
    fc.integer({ min: 0, max: 28 }).map(nested),
  )

const longUris = (most: number): fc.Arbitrary<ReadonlyArray<string>> =>
  fc
    .record({ count: fc.integer({ min: 1, max: most }), length: fc.integer({ min: 0, max: 1_900 }) })
    .map(({ count, length }) =>
      Array.from({ length: count }, (_, index) => `https://rp.example/${index}/${'p'.repeat(length)}`),
    )

const largeBody = (): fc.Arbitrary<SentMetadata> =>
  fc.record({
    redirect_uris: longUris(32),
    post_logout_redirect_uris: longUris(32),
    client_name: fc.constantFrom('A', '🦊'.repeat(100), 'n'.repeat(200)),
    jwks: largeValue().map((value) => ({ keys: [{ kty: 'X', x: value }] })),
    data: largeValue().map((value) => ({ value })),
  })

/** The client that the master token registers with a large body. */
export const largeClient = (): fc.Arbitrary<RegisteredClient> =>
  fc
    .tuple(registrationSettings(), issued(), largeBody())
    .map(([settings, generated, body]) => registeredByMaster(settings, generated)(body))
