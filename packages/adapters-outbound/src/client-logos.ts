// The logos of applications, which pages contain. A page is shown to any visitor of an application, so that requests are
// cached, shared and counted as those for documents are.
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import type { ClientLogos } from '@clientele/domain/ports'
import { readPicture } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import type { Dispatcher } from 'undici'
import {
  createBoundedCache,
  createRequestBudget,
  createSingleFlight,
  documentBudget,
  hostOf,
  mebibyte,
} from './client-documents.js'
import { type OutboundOptions, strictOptions } from './outbound-options.js'
import { createSafeFetch, ignoreLateErrors, readContent, refuseRedirection } from './safe-fetch.js'

/** Seconds: a picture is requested once a day, and one that cannot be shown every ten minutes. */
const freshness = { shown: 86_400, refused: 600 }

const readLogo = async (response: Dispatcher.ResponseData): Promise<Buffer> => {
  ignoreLateErrors(response)
  const { statusCode: status } = response
  refuseRedirection(status)
  if (status !== 200) throw new Error(`the status is ${status}`)
  return readContent(response)
}

/** The bytes as a data: URI (RFC 2397). */
const dataUri = (bytes: Buffer): E.Either<string, string> => {
  const picture = readPicture(bytes)
  return E.isLeft(picture)
    ? E.left(`the picture ${picture.left}`)
    : E.right(`data:${picture.right.type};base64,${bytes.toString('base64')}`)
}

type KeptLogo = { readonly at: EpochSeconds; readonly until: EpochSeconds; readonly logo: string | undefined }

type ClientLogosOptions = Partial<OutboundOptions> & {
  readonly now: () => EpochSeconds
  /** For the log: why there is no picture. */
  readonly onFailure: (uri: string, reason: string) => void
}

export const createClientLogos = (options: ClientLogosOptions): ClientLogos => {
  const { now, onFailure } = options
  const safeFetch = createSafeFetch({ ...strictOptions, ...options }, readLogo)
  const share = createSingleFlight<string | undefined>()
  const kept = createBoundedCache<KeptLogo>(1_000, 16 * mebibyte)
  const mayRequest = createRequestBudget(documentBudget)

  const request = async (uri: string, at: EpochSeconds): Promise<string | undefined> => {
    if (!mayRequest(hostOf(uri), at)) {
      onFailure(uri, 'too many requests for logos in this minute')
      return undefined
    }
    const headers = { accept: 'image/png, image/jpeg, image/gif, image/webp' }
    const fetched = await safeFetch({ url: uri, method: 'GET', headers, holder: hostOf(uri) })()
    const read = E.isLeft(fetched) ? E.left(fetched.left.reason) : dataUri(fetched.right)
    if (E.isLeft(read)) onFailure(uri, read.left)
    const logo = E.isLeft(read) ? undefined : read.right
    const until = secondsAfter(at, logo === undefined ? freshness.refused : freshness.shown)
    kept.set(uri, { at, until, logo }, { size: uri.length + (logo?.length ?? 0) + 1 })
    return logo
  }

  return {
    findLogo: (uri) => async () => {
      if (!URL.canParse(uri)) return undefined
      const at = now()
      const known = kept.get(uri)
      // A clock that was set back would keep it as long.
      return known !== undefined && known.at <= at && at < known.until ? known.logo : share(uri, () => request(uri, at))
    },
  }
}
