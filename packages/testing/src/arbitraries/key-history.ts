// Random histories of a ring: running, pauses and downtimes of the service, and the operator's actions.
import * as fc from 'fast-check'
import { type GeneratedKey, type KeyPolicy, maxReadAge, maxSkew } from '@clientele/domain/keys'

/** The times of the key rotation; each policy satisfies the rules of settings. */
export const keyPolicy = (): fc.Arbitrary<KeyPolicy> =>
  fc
    .record({
      maxAge: fc.integer({ min: 0, max: 600 }),
      ahead: fc.integer({ min: 1, max: 400 }),
      signing: fc.integer({ min: 1, max: 5_000 }),
      retention: fc.integer({ min: 0, max: 2_000 }),
    })
    .map(({ maxAge, ahead, signing, retention }) => {
      const publishAhead = maxAge + Math.max(maxAge, maxReadAge + maxSkew) + ahead
      return { maxAge, publishAhead, lifetime: publishAhead + signing, retention: maxAge + retention }
    })

export type KeyEvent =
  | { readonly kind: 'runs' | 'is down' | 'sleeps'; readonly seconds: number }
  | { readonly kind: 'rolls over' }
  | { readonly kind: 'compromises'; readonly index: number }
  | { readonly kind: 'restarts with'; readonly policy: KeyPolicy }

const passing = fc.oneof(
  fc.integer({ min: 0, max: 30 }),
  fc.integer({ min: 0, max: 700 }),
  fc.integer({ min: 0, max: 20_000 }),
)

/** An event of a ring: the service runs, pauses or is down, or the operator acts. */
export const keyEvent = (): fc.Arbitrary<KeyEvent> =>
  fc.oneof(
    { weight: 8, arbitrary: passing.map((seconds): KeyEvent => ({ kind: 'runs', seconds })) },
    { weight: 1, arbitrary: passing.map((seconds): KeyEvent => ({ kind: 'is down', seconds })) },
    { weight: 1, arbitrary: passing.map((seconds): KeyEvent => ({ kind: 'sleeps', seconds })) },
    { weight: 2, arbitrary: fc.constant<KeyEvent>({ kind: 'rolls over' }) },
    { weight: 1, arbitrary: fc.nat(9).map((index): KeyEvent => ({ kind: 'compromises', index })) },
    { weight: 1, arbitrary: keyPolicy().map((policy): KeyEvent => ({ kind: 'restarts with', policy })) },
  )

/** A key with a given name, for tests that do not sign. */
export const namedKey = (kid: string): GeneratedKey => ({
  kid,
  jwk: { kty: 'OKP', crv: 'Ed25519', x: kid.padEnd(43, '_') },
  privateKey: `private half of ${kid}`,
})
