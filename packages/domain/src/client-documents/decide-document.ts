// draft-ietf-oauth-client-id-metadata-document-02 §4, §5, §8.4: the client of a document; decisions 0136 and 0137.
import * as E from 'fp-ts/lib/Either.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { ClientIdUrl } from '../client/client-id-url.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import { type Fault, fault, reportedFaults } from '../codec/fault.js'
import type { RuleId } from '../codec/rule-texts.js'
import { type DriftAction, type DriftKind, documentPolicy } from '../policy/document-policy.js'
import type { PermittedMetadata } from '../registration/permit-registration.js'
import { acceptsUrl } from './accepts-url.js'
import type { DocumentAdjustment } from './document-adjustments.js'
import { actionOn, driftBetween } from './drift.js'
import { type DocumentSettings, permitDocument } from './permit-document.js'
import { type JudgeDocument, readDocument } from './read-document.js'
import { rememberJudgement } from './remember-judgement.js'
import { type NoDocument, type SeenDocument, documentIn, freshnessEnd } from './seen-document.js'

/** A client whose client_id is the URL of its metadata. */
export type DocumentedClient = { readonly client_id: ClientIdUrl; readonly metadata: PermittedMetadata }

/** The metadata that was approved, and when a document was last seen at its URL. */
export type ApprovedDocument = { readonly metadata: PermittedMetadata; readonly seen_at: EpochSeconds }

export type DecidedDocument = {
  readonly client: DocumentedClient
  /** The members that were neither stored nor refused, as in a registration. */
  readonly dropped: ReadonlyArray<string>
  readonly adjustments: ReadonlyArray<DocumentAdjustment>
  /** How the document differs from the approved one, the most severe first. */
  readonly drift: ReadonlyArray<DriftKind>
  /** What the policy does about it. */
  readonly action: DriftAction
  /** When another request is due. -02 §5.2: an error is never fresh. */
  readonly fresh_until: EpochSeconds
}

type Decision = E.Either<ReadonlyNonEmptyArray<Fault>, DecidedDocument>

export type DecideDocument = (url: ClientIdUrl, seen: SeenDocument, approved?: ApprovedDocument) => Decision

const refuse = ([first, ...rest]: ReadonlyNonEmptyArray<Fault>): Decision => E.left(reportedFaults([first, ...rest]))

const refuseUrl = (rule: RuleId): Decision => refuse([fault(rule)('client_id')])

// -02 §5.1 (-00 §4.3): without a document, the authorization request is to be aborted; with an approved one it goes on.
const decideWithout = (
  settings: DocumentSettings,
): ((url: ClientIdUrl, without: NoDocument, at: EpochSeconds, approved: ApprovedDocument | undefined) => Decision) => {
  const policy = documentPolicy(settings.policy.metadata_documents)
  const permit = permitDocument(settings)
  return (url, without, at, approved) => {
    const isWithdrawn = without === 'document-withdrawn'
    if (approved === undefined || (!isWithdrawn && at > secondsAfter(approved.seen_at, policy.unreachable_for)))
      return refuseUrl(without)
    const permitted = permit(approved.metadata)
    if (E.isLeft(permitted)) return refuse(permitted.left)
    const drift: ReadonlyArray<DriftKind> = [isWithdrawn ? 'withdrawn' : 'unreachable']
    const client = { client_id: url, metadata: permitted.right.metadata }
    return E.right({ client, dropped: [], adjustments: [], drift, action: actionOn(policy, drift), fresh_until: at })
  }
}

const deciding = (settings: DocumentSettings, read: JudgeDocument): DecideDocument => {
  const policy = documentPolicy(settings.policy.metadata_documents)
  const without = decideWithout(settings)
  return (url, seen, approved) => {
    if (!acceptsUrl(policy, url)) return refuseUrl('document-not-accepted')
    const document = documentIn(seen)
    if (document.kind === 'none') return without(url, document.rule, seen.at, approved)
    const judged = read(url, document.body, document.statement)
    if (E.isLeft(judged)) return refuse(judged.left)
    const { metadata, dropped, adjustments } = judged.right
    const drift = approved === undefined ? [] : driftBetween(url, approved.metadata, metadata)
    return E.right({
      client: { client_id: url, metadata },
      dropped,
      adjustments,
      drift,
      action: actionOn(policy, drift),
      fresh_until: freshnessEnd(policy, seen.at, document.cache),
    })
  }
}

/**
 * Decides about the document at a URL. Without a document, the approved one counts for a time while its server is not
 * reached; one that is withdrawn counts only as far as the policy says. An approved document is judged again by the
 * present policy.
 */
export const decideDocument = (settings: DocumentSettings): DecideDocument => deciding(settings, readDocument(settings))

/**
 * The same decision. A body is judged once for its URL and statement, and again only as another object: for documents
 * that are kept in memory and used often.
 */
export const rememberDecision = (settings: DocumentSettings): DecideDocument =>
  deciding(settings, rememberJudgement(readDocument(settings)))
