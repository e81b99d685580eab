// How every door would decide about the document at a URL, as plain JSON.
import {
  type ClientIdUrl,
  type DecidedDocument,
  type DocumentSettings,
  type Explanation,
  type Fault,
  type RegistrationSettings,
  type UrlAcceptance,
  type UrlRemark,
  clientIdUrl,
  decideDocument,
  documentPolicy,
  documentRefused,
  ruleTexts,
  urlAcceptance,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { asAccepted } from '../operating/as-accepted.js'
import type { Sight } from '../operating/see-document.js'

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

const notAccepted = (acceptance: UrlAcceptance): string =>
  acceptance.entry === 'none'
    ? 'no client has this client_id, because the registration policy accepts no documents'
    : `client_id ${ruleTexts['document-not-accepted'].text}`

const summaryOf = ({ seen, source, reason }: Sight, decided: ReturnType<typeof judgeSight>): SeenSummary => ({
  source,
  ...(seen.kind === 'answered' ? { status: seen.status, media_type: seen.media_type } : {}),
  ...(E.isRight(decided) ? { fresh_for: decided.right.fresh_until - seen.at } : {}),
  ...(reason === undefined ? {} : { reason }),
})

const judgeSight = (settings: DocumentSettings, url: ClientIdUrl, { seen }: Sight) =>
  decideDocument(asAccepted(settings))(url, seen)

/** Of a URL that is no valid client_id. */
export const explainInvalidUrl = (url: string, faults: ReadonlyArray<Fault>): DocumentExplanation => ({
  accepted: false,
  client_id: url,
  remarks: [],
  faults,
  ...(faults[0] === undefined ? {} : { refusal: faults[0].description }),
})

/** Of what was seen at a valid URL. */
export const explainDocument = (
  settings: RegistrationSettings,
  url: ClientIdUrl,
  sight: Sight,
  registration: Explanation | undefined,
): DocumentExplanation => {
  const policy = urlAcceptance(documentPolicy(settings.policy.metadata_documents), url)
  const decided = judgeSight(settings, url, sight)
  const read = clientIdUrl(url)
  const refusal = E.isLeft(decided) ? documentRefused(decided.left).error_description : undefined
  const said = policy.accepted ? refusal : notAccepted(policy)
  return {
    accepted: said === undefined,
    client_id: url,
    remarks: read.kind === 'url' ? read.remarks : [],
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
    ...(said === undefined ? {} : { refusal: said }),
    ...(registration === undefined ? {} : { registration }),
  }
}
