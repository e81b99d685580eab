// The decision about a document, and its client.
import * as E from 'fp-ts/lib/Either.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import type { Privileges } from '../authorization/registrant.js'
import { type ClientIdUrl, type UrlRemark, clientIdUrl } from '../client/ids.js'
import { type RuleId, ruleTexts } from '../kernel/all-rules.js'
import { type Fault, reportedFaults } from '../kernel/faults.js'
import { isPlainObject } from '../kernel/json-object.js'
import { anyFault as fault } from '../kernel/refusals.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import { withdrawnTexts } from '../life-cycle/states.js'
import {
  type DocumentPolicy,
  type DriftAction,
  type DriftKind,
  documentPolicy,
  skipsConsent,
} from '../policy/policy.js'
import type { PermittedMetadata } from '../registration/permit.js'
import type { GeneratedCredentials, RegisteredClient } from '../registration/registered-client.js'
import {
  type DocumentAdjustment,
  type DocumentSettings,
  type JudgeDocument,
  type JudgedDocument,
  type UrlAcceptance,
  acceptsUrl,
  documentWaits,
  permitDocument,
  readDocument,
  urlAcceptance,
  withinPrivileges,
} from './documents.js'
import {
  type NoDocument,
  type SeenDocument,
  actionOn,
  documentIn,
  driftBetween,
  freshnessEnd,
} from './seen-documents.js'

// The client of a client_id: registered, or documented (draft-ietf-oauth-client-id-metadata-document); docs/decisions/documents-of-clients.md.

export type KnownClient =
  | { readonly kind: 'registered'; readonly client: RegisteredClient }
  /** An end-user must be asked before the document counts: no client is stored yet, or another document was approved. */
  | {
      readonly kind: 'documented'
      /** As it is stored when an end-user consents. */
      readonly client: RegisteredClient
      /** As an end-user approved it last: it counts where no end-user can be asked. */
      readonly approved: RegisteredClient | undefined
    }

/** That of the stored client, if there is one. */
export const registrationOfKnown = (known: KnownClient): RegisteredClient | undefined =>
  known.kind === 'registered' ? known.client : known.approved

/** The document is not accepted, is not there, or has faults. */
export type DocumentRefused = {
  readonly error: 'document_refused'
  readonly error_description: string
  /** For the log. */
  readonly errors: ReadonlyNonEmptyArray<Fault>
}

/** The policy suspends the client, because its document has changed. */
export type DocumentSuspended = { readonly error: 'document_suspended' }

export const documentSuspended: DocumentSuspended = { error: 'document_suspended' }

// The same text for each, so that no party learns from the answers of this service which ports of a host are open.
const notThere: ReadonlyArray<string> = ['document-unreachable', 'document-withdrawn', 'document-json']

/** What every party may read about the refusal: a document that is not there is described in one way. */
export const documentRefused = (errors: ReadonlyNonEmptyArray<Fault>): DocumentRefused => ({
  error: 'document_refused',
  error_description: errors.some(({ rule }) => notThere.includes(rule))
    ? 'there is no document at client_id: its URL must answer with 200 and a JSON object'
    : errors[0].description,
  errors,
})

// A judgement depends on its arguments alone, so that it may be kept for as long as the body is. docs/decisions/outgoing-requests.md.

type Remembered = {
  readonly url: ClientIdUrl
  readonly statement: Parameters<JudgeDocument>[2]
  readonly judged: JudgedDocument
}

/** Judges a body again only for another URL or statement. */
export const rememberJudgement = (judge: JudgeDocument): JudgeDocument => {
  const known = new WeakMap<object, Remembered>()
  return (url, body, statement) => {
    const before = known.get(body)
    if (before?.url === url && before.statement === statement) return before.judged
    const judged = judge(url, body, statement)
    known.set(body, { url, statement, judged })
    return judged
  }
}

// draft-ietf-oauth-client-id-metadata-document-02 §4, §5, §8.4: the client of a document; docs/decisions/documents-of-clients.md.

/** A client whose client_id is the URL of its metadata. */
type DocumentedClient = { readonly client_id: ClientIdUrl; readonly metadata: PermittedMetadata }

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

type DecideDocument = (url: ClientIdUrl, seen: SeenDocument, approved?: ApprovedDocument) => Decision

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
    const permitted = permit(url, approved.metadata)
    if (E.isLeft(permitted)) return refuse(permitted.left)
    const drift: ReadonlyArray<DriftKind> = [isWithdrawn ? 'withdrawn' : 'unreachable']
    const client = { client_id: url, metadata: permitted.right.metadata }
    return E.right({ client, dropped: [], adjustments: [], drift, action: actionOn(policy, drift), fresh_until: at })
  }
}

// Where no end-user is asked, one answer would count for all: also that of whoever has taken the host over.
const policyAbout = (
  { policy: { clients, metadata_documents } }: DocumentSettings,
  url: ClientIdUrl,
): DocumentPolicy => {
  const policy = documentPolicy(metadata_documents)
  if (!skipsConsent(clients, url)) return policy
  const stricter = (action: DriftAction): DriftAction => (action === 'ask' ? 'suspend' : action)
  const { redirect_host, keys_host, weaker_method } = policy.on_drift
  const on_drift = {
    ...policy.on_drift,
    redirect_host: stricter(redirect_host),
    keys_host: stricter(keys_host),
    weaker_method: stricter(weaker_method),
  }
  return { ...policy, on_drift }
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
    // The policy, and not the document, takes away what the privileges of the approval gave.
    const drift =
      approved === undefined ? [] : driftBetween(url, withinPrivileges(settings, url, approved.metadata), metadata)
    return E.right({
      client: { client_id: url, metadata },
      dropped,
      adjustments,
      drift,
      action: actionOn(policyAbout(settings, url), drift),
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

// A client whose client_id is the URL of its metadata, as it is stored from the first consent on; docs/decisions/documents-of-clients.md.

/** No party knows its registration access token: only the document changes its metadata. */
export const storedDocument = (
  { client_id, metadata }: DocumentedClient,
  { at, registration_id, registration_access_token }: GeneratedCredentials,
  privileges: Privileges,
): RegisteredClient => ({
  client_id,
  registration_id,
  client_id_issued_at: at,
  secret: undefined,
  registration_access_token,
  registered_by: 'nobody',
  privileges,
  metadata,
  version: 1,
})

/** The stored client with the metadata of its document. */
export const withDocument = (client: RegisteredClient, metadata: RegisteredClient['metadata']): RegisteredClient => ({
  ...client,
  metadata,
  version: client.version + 1,
})

// Why a document would be accepted or refused: for operators and authors, beside the question whether the policy accepts it.

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
  const waits = documentWaits(settings.policy, url) ? withdrawnTexts.pending : undefined
  const refusal = E.isLeft(decided) ? documentRefused(decided.left).error_description : waits
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
