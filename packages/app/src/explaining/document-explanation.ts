// How every door would decide about the document at a URL, as plain JSON.
import type { ClientIdUrl, UrlRemark } from '@clientele/domain/client'
import type { Fault } from '@clientele/domain/kernel'
import type { Explanation } from '@clientele/domain/operations'
import { type DecidedDocument, type UrlAcceptance, explainDocument } from '@clientele/domain/provider'
import type { RegistrationSettings } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import type { Sight } from './see-document.js'

/** What was seen at the URL. */
export type SeenSummary = Pick<Sight, 'source'> & {
  /** Left out where there was no answer. */
  readonly status?: number
  readonly media_type?: string
  /** Seconds; left out where no document is kept. */
  readonly fresh_for?: number
  /** Why there is no document. */
  readonly reason?: string
}

export type DocumentExplanation = {
  /** Whether an authorization request with this client_id goes on to the end-user. */
  readonly accepted: boolean
  readonly client_id: string
  readonly remarks: ReadonlyArray<UrlRemark>
  /** What the policy says of the URL; left out, as what follows, for an invalid one. */
  readonly policy?: UrlAcceptance
  readonly seen?: SeenSummary
  /** Of the URL, or of the document, whether the policy accepts it or not. */
  readonly faults: ReadonlyArray<Fault>
  /** The client that the document becomes where the policy accepts it. */
  readonly client?: Pick<DecidedDocument, 'dropped' | 'adjustments'> & Pick<DecidedDocument['client'], 'metadata'>
  /** Why an authorization request is refused; left out where it goes on. */
  readonly refusal?: string
  /** The decision of POST /clients about the same metadata without a token. */
  readonly registration?: Explanation
}

const summaryOf = (
  { seen, source, reason }: Sight,
  decided: ReturnType<typeof explainDocument>['decided'],
): SeenSummary => ({
  source,
  ...(seen.kind === 'answered' ? { status: seen.status, media_type: seen.media_type } : {}),
  ...(E.isRight(decided) ? { fresh_for: decided.right.fresh_until - seen.at } : {}),
  ...(reason === undefined ? {} : { reason }),
})

/** Of a URL that is no valid client_id. */
export const explainInvalidUrl = (url: string, faults: ReadonlyArray<Fault>): DocumentExplanation => ({
  accepted: false,
  client_id: url,
  remarks: [],
  faults,
  ...(faults[0] === undefined ? {} : { refusal: faults[0].description }),
})

/** Of what was seen at a valid URL. */
export const explainSight = (
  settings: RegistrationSettings,
  url: ClientIdUrl,
  sight: Sight,
  registration: Explanation | undefined,
): DocumentExplanation => {
  const { remarks, policy, decided, refusal } = explainDocument(settings, url, sight.seen)
  return {
    accepted: refusal === undefined,
    client_id: url,
    remarks,
    policy,
    seen: summaryOf(sight, decided),
    faults: E.isLeft(decided) ? decided.left : [],
    ...(E.isLeft(decided)
      ? {}
      : {
          client: {
            metadata: decided.right.client.metadata,
            adjustments: decided.right.adjustments,
            dropped: decided.right.dropped,
          },
        }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(registration === undefined ? {} : { registration }),
  }
}
