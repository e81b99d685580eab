import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import { type KeyPhase, type KeyRing, keysOf } from './key-ring.js'
import type { FreshKey } from './new-ring.js'

/** The ring has no such key; these are the ones that it has. */
export type UnknownKid = { readonly error: 'unknown_kid'; readonly known: ReadonlyArray<string> }

/** What verifiers and clients will notice. */
export type RevokedKey = { readonly ring: KeyRing; readonly phase: KeyPhase }

const without = (ring: KeyRing, kid: string): KeyRing => ({
  ...ring,
  announced: ring.announced?.key.kid === kid ? undefined : ring.announced,
  retired: ring.retired.filter(({ key }) => key.kid !== kid),
  forgotten: [...ring.forgotten, kid],
})

// A ring that is not open yet has signed nothing: it waits until every set is fetched anew that lacks the successor.
const opening = ({ opensAt, cachedUntil, promised }: KeyRing, at: EpochSeconds): EpochSeconds | undefined =>
  opensAt === undefined ? undefined : later(opensAt, later(cachedUntil, secondsAfter(at, promised.maxAge)))

/**
 * A key is revoked because it is compromised: others may have its private half. RFC 7517 has no list of revoked keys, so that
 * the key is out of the set now. If it is the one that signs, its successor signs now, the announced one if there is one:
 * verifiers that keep an older set fail until they fetch it anew.
 */
export const revoke =
  (at: EpochSeconds) =>
  (ring: KeyRing, kid: string, fresh: FreshKey): E.Either<UnknownKid, RevokedKey> => {
    const known = keysOf(ring)
    const found = known.find(({ key }) => key.kid === kid)
    if (found === undefined) return E.left({ error: 'unknown_kid', known: known.map(({ key }) => key.kid) })
    if (found.phase !== 'signing') return E.right({ ring: without(ring, kid), phase: found.phase })
    const successor = ring.announced?.key ?? { ...fresh, publishedAt: at }
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
