import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, later } from '../codec/epoch-seconds.js'
import { type KeyPhase, type KeyRing, keysOf } from './key-ring.js'
import type { GeneratedKey } from './new-ring.js'
import { cachedUntilOf } from './published-until.js'

/** The ring has no such key; `known` names those that it has. */
export type UnknownKid = { readonly error: 'unknown_kid'; readonly known: ReadonlyArray<string> }

/** The ring without the key, and the phase that the key was in. */
export type RevokedKey = { readonly ring: KeyRing; readonly phase: KeyPhase }

const without = (ring: KeyRing, kid: string): KeyRing => ({
  ...ring,
  announced: ring.announced?.key.kid === kid ? undefined : ring.announced,
  retired: ring.retired.filter(({ key }) => key.kid !== kid),
  forgotten: [...ring.forgotten, kid],
})

// A ring that is not open yet has signed nothing: it opens when all sets without the successor have expired from
// caches.
const opening = (ring: KeyRing, at: EpochSeconds): EpochSeconds | undefined =>
  ring.opensAt === undefined ? undefined : later(ring.opensAt, cachedUntilOf(ring, at))

/**
 * Revokes a compromised key, whose private half others may have. RFC 7517 has no revocation list, so that the key
 * leaves the set now. If it is the signing key, the announced key, or else a new one, signs now: verifiers with a
 * cached set fail until they fetch the set again.
 */
export const revoke =
  (at: EpochSeconds) =>
  (ring: KeyRing, kid: string, generated: GeneratedKey): E.Either<UnknownKid, RevokedKey> => {
    const known = keysOf(ring)
    const found = known.find(({ key }) => key.kid === kid)
    if (found === undefined) return E.left({ error: 'unknown_kid', known: known.map(({ key }) => key.kid) })
    if (found.phase !== 'signing') return E.right({ ring: without(ring, kid), phase: found.phase })
    const successor = ring.announced?.key ?? { ...generated, publishedAt: at }
    return E.right({
      phase: ring.opensAt === undefined ? 'signing' : 'announced',
      ring: {
        ...without(ring, kid),
        announced: undefined,
        current: { key: successor, since: at, goodUntil: at },
        opensAt: opening(ring, at),
      },
    })
  }
