// What was seen, until another request is due: draft-ietf-oauth-client-id-metadata-document-02 §5.2 (-00 §4.4).
import type { ClientIdUrl } from '@clientele/domain/client'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { DocumentPolicy } from '@clientele/domain/policy'
import { type SeenDocument, freshnessEnd } from '@clientele/domain/provider'
import { createBoundedCache } from './bounded-cache.js'

export type FreshnessPolicy = Pick<DocumentPolicy, 'least_freshness' | 'greatest_freshness'>

/** Documents in memory, and the bytes that they take there. */
export const documentBounds = { entries: 1_000, bytes: 16 * 2 ** 20 }

/** Failures have a place of their own, so that they displace no document. */
const failureBounds = { entries: 1_000, bytes: 8 * 2 ** 20 }

/** Seconds without a second request to a URL that leads to no valid document. */
export const pauseAfterFailure = 10

export type Standing = 'new' | 'known' | 'failing'

export type CachedDocuments = {
  /** What was seen at the URL, while no other request is due. */
  readonly find: (url: ClientIdUrl, at: EpochSeconds) => SeenDocument | undefined
  /** Known: a valid document is stored, even if another request is due; failing: it was seen no more since. */
  readonly standingOf: (url: ClientIdUrl) => Standing
  /** The size is in bytes, in memory. */
  readonly store: (url: ClientIdUrl, seen: SeenDocument, isValid: boolean, size: number) => void
}

// A clock that was set back would make what was seen last as long.
const isBefore = (seen: SeenDocument, end: EpochSeconds, at: EpochSeconds): boolean => seen.at <= at && at < end

export const createCachedDocuments = (policy: () => FreshnessPolicy): CachedDocuments => {
  const documents = createBoundedCache<SeenDocument>(documentBounds)
  const failures = createBoundedCache<SeenDocument>(failureBounds)
  const documentAt = (url: ClientIdUrl, at: EpochSeconds): SeenDocument | undefined => {
    const seen = documents.get(url)
    if (seen?.kind !== 'answered') return undefined
    return isBefore(seen, freshnessEnd(policy(), seen.at, seen.cache), at) ? seen : undefined
  }
  const failureAt = (url: ClientIdUrl, at: EpochSeconds): SeenDocument | undefined => {
    const seen = failures.get(url)
    return seen !== undefined && isBefore(seen, secondsAfter(seen.at, pauseAfterFailure), at) ? seen : undefined
  }
  return {
    find: (url, at) => documentAt(url, at) ?? failureAt(url, at),
    standingOf: (url) => {
      const document = documents.get(url)
      if (document === undefined) return 'new'
      return (failures.get(url)?.at ?? -Infinity) > document.at ? 'failing' : 'known'
    },
    store: (url, seen, isValid, size) => (isValid ? documents : failures).set(url, seen, size + url.length),
  }
}
