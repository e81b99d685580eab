// Why a document would be accepted or refused: for operators and authors, beside the question whether the policy accepts it.
import * as E from 'fp-ts/lib/Either.js'
import { type ClientIdUrl, type UrlRemark, clientIdUrl } from '../client/client-id-url.js'
import { isPlainObject } from '../codec/json-object.js'
import { ruleTexts } from '../codec/rule-texts.js'
import { documentPolicy } from '../policy/document-policy.js'
import { type UrlAcceptance, urlAcceptance } from './accepts-url.js'
import { type DecideDocument, decideDocument } from './decide-document.js'
import { documentRefused } from './known-client.js'
import type { DocumentSettings } from './permit-document.js'
import type { SeenDocument } from './seen-document.js'

/**
 * The settings with a policy that accepts every document, so that a document is judged beside the question whether it is
 * accepted. Such a policy needs outbound fetches.
 */
export const asAccepted = (settings: DocumentSettings): DocumentSettings => ({
  ...settings,
  outboundFetches: true,
  policy: {
    ...settings.policy,
    metadata_documents: {
      ...settings.policy.metadata_documents,
      accept: 'any',
      denied_hosts: [],
      denied_url_prefixes: [],
    },
  },
})

export type ExplainedDocument = {
  readonly remarks: ReadonlyArray<UrlRemark>
  readonly policy: UrlAcceptance
  /** As if the policy accepted the URL. */
  readonly decided: ReturnType<DecideDocument>
  /** Why an authorization request is refused; undefined where it goes on. */
  readonly refusal: string | undefined
}

const notAccepted = ({ entry }: UrlAcceptance): string =>
  entry === 'none'
    ? 'no client has this client_id, because the registration policy accepts no documents'
    : `client_id ${ruleTexts['document-not-accepted'].text}`

/** Of what was seen at a valid URL, without an approved document. */
export const explainDocument = (
  settings: DocumentSettings,
  url: ClientIdUrl,
  seen: SeenDocument,
): ExplainedDocument => {
  const read = clientIdUrl(url)
  const policy = urlAcceptance(documentPolicy(settings.policy.metadata_documents), url)
  const decided = decideDocument(asAccepted(settings))(url, seen)
  const refusal = E.isLeft(decided) ? documentRefused(decided.left).error_description : undefined
  return {
    remarks: read.kind === 'url' ? read.remarks : [],
    policy,
    decided,
    refusal: policy.accepted ? refusal : notAccepted(policy),
  }
}

/** The body of POST /clients with the metadata of a document; undefined where there is no JSON object. */
export const sameRegistration = (document: unknown): Readonly<Record<string, unknown>> | undefined =>
  isPlainObject(document)
    ? Object.fromEntries(Object.entries(document).filter(([name]) => name !== 'client_id'))
    : undefined
