// Clients whose client_id is the URL of their metadata: what a document becomes.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type Privileges,
  type ValueSet,
  intersection,
  isRegistrationScopeValue,
  openPrivileges,
} from '../authorization/registrant.js'
import type { ClientIdUrl } from '../client/ids.js'
import { usesSecret } from '../client/keys.js'
import { type ClientMetadata, membersOfAlgorithms } from '../client/metadata.js'
import { droppedMembers, presetMembers } from '../client/schema.js'
import type { ReadStatement } from '../client/statement.js'
import { uriParts } from '../client/uris.js'
import { authMethod } from '../client/values.js'
import type { Fault } from '../kernel/faults.js'
import { anyFault as fault } from '../kernel/refusals.js'
import { ownMember } from '../kernel/json-object.js'
import { spaceDelimitedValues } from '../kernel/values.js'
import { type DocumentPolicy, type RegistrationPolicy, documentPolicy, entryAbout, isHost } from '../policy/policy.js'
import { type Adjustment, adjustmentsOf, tidiedBody } from '../registration/adjustments.js'
import {
  type JudgingSettings,
  type ReadRegistration,
  type RegistrationSettings,
  judgeStoredMetadata,
  readRegistrationRequest,
  ruleBook,
} from '../registration/decide.js'
import { type PermittedMetadata, judgePermission } from '../registration/permit.js'
import { type Loss, type NeededMembers, narrowDocument } from './narrow-document.js'

// RFC 7591 §3.2.1: the server may replace requested values. A document requests nothing of one service: it lists what the
// client can use anywhere, so that values beyond its privileges are left out, and not refused as in a registration.

/** The settings of registration by which documents are judged. */
export type DocumentSettings = Pick<RegistrationSettings, 'policy' | 'mode' | 'outboundFetches' | 'abilities'>

// No document has a secret, and none is too short: algorithms that need one are reported by a rule of their own.
const secretLength = Infinity

/**
 * Those of open registration, also where registration is managed: the policy says which documents are accepted, and which
 * scope values they may have: all of them, or the one at this URL.
 */
export const documentPrivileges = (
  { mode, policy }: Pick<RegistrationSettings, 'mode' | 'policy'>,
  url: ClientIdUrl,
): Privileges => {
  const ofUrl = entryAbout(policy.clients, url)?.scope
  const ofAll = documentPolicy(policy.metadata_documents).scope
  const scope = ofUrl ?? ofAll ?? (mode.kind === 'open' ? mode.scope : [])
  return intersection(policy.ceilings.open, openPrivileges({ kind: 'open', scope }))
}

const isGranted =
  (granted: ValueSet) =>
  (value: string): boolean =>
    granted === 'any' || granted.includes(value)

type Narrowed = {
  readonly metadata: ClientMetadata
  /** The members that lost something. */
  readonly narrowed: ReadonlyArray<string>
}

// Specification §5.1: only an operator registers clients that register others.
const grantedScope = (granted: ValueSet, scope: string | undefined): string | undefined => {
  const values = scope === undefined ? [] : spaceDelimitedValues(scope)
  const permitted = values.filter((value) => isGranted(granted)(value) && !isRegistrationScopeValue(value))
  if (permitted.length === values.length) return scope
  return permitted.length === 0 ? undefined : permitted.join(' ')
}

const narrow = (granted: Privileges, whole: ClientMetadata): Narrowed => {
  const { scope: requestedScope, data: requestedData, ...others } = whole
  const grant_types = whole.grant_types.filter(isGranted(granted.grant_types))
  const scope = grantedScope(granted.scope, requestedScope)
  const data = granted.data ? requestedData : undefined
  const narrowed = [
    ...(grant_types.length === whole.grant_types.length ? [] : ['grant_types']),
    ...(scope === requestedScope ? [] : ['scope']),
    ...(data === requestedData ? [] : ['data']),
  ]
  const rest = { ...(scope === undefined ? {} : { scope }), ...(data === undefined ? {} : { data }) }
  return { metadata: { ...others, ...rest, grant_types }, narrowed }
}

/** What the present privileges leave of metadata that was stored by earlier ones. */
export const withinPrivileges = (
  settings: DocumentSettings,
  url: ClientIdUrl,
  metadata: ClientMetadata,
): ClientMetadata => narrow(documentPrivileges(settings, url), metadata).metadata

type PermittedDocument = { readonly metadata: PermittedMetadata; readonly narrowed: ReadonlyArray<string> }

/** The metadata within the privileges, or its faults by the present rules and policy. */
export const permitDocument = (
  settings: DocumentSettings,
): ((url: ClientIdUrl, metadata: ClientMetadata) => E.Either<ReadonlyNonEmptyArray<Fault>, PermittedDocument>) => {
  const faultsOf = judgeStoredMetadata(settings)
  return (url, whole) => {
    const granted = documentPrivileges(settings, url)
    const registrant = { granted, consumedToken: O.none, by: 'nobody' } as const
    const { metadata, narrowed } = narrow(granted, whole)
    const isLeftWithout = metadata.grant_types.length === 0 && narrowed.includes('grant_types')
    if (isLeftWithout) return E.left([fault('document-privilege')('grant_types')])
    const faults = faultsOf({ ...metadata }, secretLength, registrant.by)
    if (RA.isNonEmpty(faults)) return E.left(faults)
    const request = { metadata, preferred_client_id: undefined, preferred_client_secret: undefined }
    const { answer } = judgePermission(registrant, request)
    return E.isLeft(answer)
      ? E.left([fault('document-privilege')('scope')])
      : E.right({ metadata: answer.right, narrowed })
  }
}

// OpenID RP Metadata Choices §2, draft-ietf-oauth-client-id-metadata-document-02 §4.1 and §8.2: a document is written for
// all services; it may offer several authentication methods, of which this one takes the best that it supports.

type Document = Readonly<Record<string, unknown>>

const isSecretMethod = (method: unknown): boolean => typeof method === 'string' && method.startsWith('client_secret_')

const methodOf = (document: Document): unknown => ownMember(document, 'token_endpoint_auth_method')

/** The methods without a client_secret, the best first. */
const methods = ['private_key_jwt', 'tls_client_auth', 'self_signed_tls_client_auth', 'none']

const supportedMethods = ({ policy, abilities }: JudgingSettings): ReadonlyArray<string> => {
  const declared = ownMember(abilities?.providerMetadata ?? {}, 'token_endpoint_auth_methods_supported')
  const allowed = policy.allowed_token_endpoint_auth_methods ?? authMethod.values
  return allowed.filter((method) => !Array.isArray(declared) || declared.includes(method))
}

const listed = (document: Document): ReadonlyArray<unknown> | undefined => {
  const list = ownMember(document, 'token_endpoint_auth_methods_supported')
  return Array.isArray(list) ? list : undefined
}

/** The document with one method: its own where it is usable, or else the best usable one of its list. */
const chooseMethod = (settings: JudgingSettings): ((document: Document) => Document) => {
  const supported = supportedMethods(settings)
  const { isSupported } = ruleBook(settings)
  const isUsable = (document: Document) => (method: unknown) => {
    if (typeof method !== 'string' || !supported.includes(method)) return false
    if (method !== 'private_key_jwt') return true
    const algorithm = ownMember(document, 'token_endpoint_auth_signing_alg')
    const hasKeys = ['jwks', 'jwks_uri', 'signed_jwks_uri'].some((name) => ownMember(document, name) !== undefined)
    return hasKeys && (typeof algorithm !== 'string' || isSupported('token_endpoint_auth_signing_alg', algorithm))
  }
  return (document) => {
    const own = methodOf(document)
    const list = listed(document)
    // RFC 7591 §2 has client_secret_basic as default, which no document may have.
    if (list === undefined) return own === undefined ? { ...document, token_endpoint_auth_method: 'none' } : document
    const isOfUse = isUsable(document)
    if (isSecretMethod(own) || isOfUse(own)) return document
    // Anybody could act as a client without authentication: it is chosen only where the document leaves the choice open.
    const offered = own === undefined ? methods : methods.filter((method) => method !== 'none')
    const best = offered.find((method) => list.includes(method) && isOfUse(method))
    if (best === undefined) return document
    // OpenID Registration §2: it is the algorithm of private_key_jwt alone
    const { token_endpoint_auth_signing_alg, ...others } = document
    const algorithm = best === 'private_key_jwt' ? { token_endpoint_auth_signing_alg } : {}
    return { ...others, ...algorithm, token_endpoint_auth_method: best }
  }
}

// What is said about the values of a document that were chosen, or left out: RFC 7591 §3.2.1.

/** Adjustments by id: the text follows the name of the member. */
export const documentAdjustmentTexts = {
  'document-auth-method-none':
    'is none, because it was left out, and a document can hold no client_secret: send token_endpoint_auth_method to choose',
  'document-auth-method-chosen':
    'is the best method of token_endpoint_auth_methods_supported that this service supports, because the document has no token_endpoint_auth_method that it supports',
  'document-signing-alg-dropped': 'was left out, because the chosen token_endpoint_auth_method signs nothing',
  'document-narrowed': 'has only what the registration policy grants to clients with a document; the rest was left out',
  'document-left-out':
    'breaks a rule of capability or looks, with whose text the description begins; what breaks it was left out',
  'document-shortened':
    'breaks a rule of looks, with whose text the description begins; the beginning of the value was taken',
} as const

type DocumentAdjustmentId = keyof typeof documentAdjustmentTexts

export type DocumentAdjustment =
  Adjustment | { readonly pointer: string; readonly rule: DocumentAdjustmentId; readonly description: string }

const adjustment = (rule: DocumentAdjustmentId, member: string): DocumentAdjustment => ({
  pointer: `/${member}`,
  rule,
  description: `${member} ${documentAdjustmentTexts[rule]}`,
})

const ofMethod = (document: Document, chosen: Document): ReadonlyArray<DocumentAdjustment> => {
  if (methodOf(document) === methodOf(chosen)) return []
  const isListed = ownMember(document, 'token_endpoint_auth_methods_supported') !== undefined
  const signing = 'token_endpoint_auth_signing_alg'
  const isDropped = ownMember(document, signing) !== undefined && ownMember(chosen, signing) === undefined
  return [
    adjustment(isListed ? 'document-auth-method-chosen' : 'document-auth-method-none', 'token_endpoint_auth_method'),
    ...(isDropped ? [adjustment('document-signing-alg-dropped', signing)] : []),
  ]
}

const endings = { 'left-out': 'it was left out', shortened: 'its beginning was taken' } as const

const ofLoss = ({ fault: { pointer, description }, how }: Loss): DocumentAdjustment => ({
  pointer,
  rule: `document-${how}`,
  description: `${description}; ${endings[how]}`,
})

// The metadata of a document, by the decision about a registration: docs/decisions/documents-of-clients.md.

/** The metadata of a document, and what was left out or chosen. */
type ReadDocument = {
  readonly metadata: PermittedMetadata
  readonly dropped: ReadonlyArray<string>
  readonly adjustments: ReadonlyArray<DocumentAdjustment>
}

export type JudgedDocument = E.Either<ReadonlyNonEmptyArray<Fault>, ReadDocument>

export type JudgeDocument = (url: ClientIdUrl, document: Document, statement: O.Option<ReadStatement>) => JudgedDocument

// -02 §4.1 (-00 §4.1): client_secret and client_secret_expires_at MUST NOT be used.
const secretMembers = ['client_secret', 'client_secret_expires_at']

const identityFaults = (url: ClientIdUrl, document: Document): ReadonlyArray<Fault> => [
  ...(ownMember(document, 'client_id') === url ? [] : [fault('document-client-id')('client_id')]),
  ...secretMembers.filter((name) => Object.hasOwn(document, name)).map((name) => fault('document-secret')(name)),
]

// -02 §4.1 (-00 §4.1): no method with a shared secret; no algorithm has one either (OpenID Core §10.1)
const secretFaults = ({ request: { metadata }, invalid }: ReadRegistration): ReadonlyArray<Fault> => {
  if (Object.hasOwn(invalid, 'token_endpoint_auth_method')) return []
  const method = metadata.token_endpoint_auth_method
  if (isSecretMethod(method)) return [fault('document-auth-method')('token_endpoint_auth_method')]
  // Of a public client, the rules of registration report these algorithms.
  const algorithms = method === 'none' ? [] : membersOfAlgorithms(metadata, usesSecret)
  return algorithms.map((member) => fault('document-secret-algorithm')(member))
}

// OpenID Core §8.1: the sector determines the sub that the client gets. A registration is compared with the document of the
// sector (OpenID Registration §5); the owner of a document vouches for its own host alone.
const sectorFaults = (url: ClientIdUrl, { request: { metadata }, invalid }: ReadRegistration): ReadonlyArray<Fault> => {
  const { sector_identifier_uri: sector, subject_type, redirect_uris = [] } = metadata
  const isOwn = (uri: string): boolean => uriParts(uri).host === uriParts(url).host
  if (Object.hasOwn(invalid, 'sector_identifier_uri')) return []
  if (sector !== undefined) return isOwn(sector) ? [] : [fault('document-sector')('sector_identifier_uri')]
  // Without the member, the sector is the host of the redirection URIs.
  return subject_type !== 'pairwise' || redirect_uris.every(isOwn) ? [] : [fault('document-sector')('subject_type')]
}

// The grants that no document has go first: rules about them would judge what the client never gets.
const grantedTypes = (granted: ValueSet, document: Document): Document => {
  const sent = ownMember(document, 'grant_types')
  if (!Array.isArray(sent)) return document
  const grant_types = sent.filter((each) => typeof each !== 'string' || isGranted(granted)(each))
  return grant_types.length === 0 || grant_types.length === sent.length ? document : { ...document, grant_types }
}

// The policy requires these, or decides by them: without them, its decision would be another one.
const neededMembers = ({ policy }: JudgingSettings): NeededMembers =>
  new Set([
    'redirect_uris',
    'token_endpoint_auth_method',
    ...(policy.required_members ?? []),
    ...(policy.software_statements === undefined ? [] : ['software_id', 'software_version']),
  ])

/**
 * The metadata that is left of the document, or the faults of safety for which its registration would be refused, and a
 * few others.
 */
export const readDocument = (settings: DocumentSettings): JudgeDocument => {
  const readRequest = readRegistrationRequest(ruleBook(settings))
  const choose = chooseMethod(settings)
  const permit = permitDocument(settings)
  const needed = neededMembers(settings)
  return (url, document, statement) => {
    // They preset what only a registration has: unknown members here.
    const own = Object.fromEntries(Object.entries(document).filter(([name]) => !presetMembers.includes(name)))
    const tidied = tidiedBody(own)
    const chosen = choose(tidied.body)
    const first = grantedTypes(documentPrivileges(settings, url).grant_types, chosen)
    const judge = (body: Document) => {
      const read = readRequest({ body, statement, secretLength, registeredBy: 'nobody' })
      return { read, faults: E.isRight(read) ? (read.right.refusal?.errors ?? []) : [] }
    }
    const { read: judged, document: left, losses, faults: broken } = narrowDocument(judge, needed)(first)
    if (E.isLeft(judged.read)) return E.left([fault('document-json')('client_id')])
    const read = judged.read.right
    const faults = [...identityFaults(url, document), ...broken, ...secretFaults(read), ...sectorFaults(url, read)]
    if (RA.isNonEmpty(faults)) return E.left(faults)
    return pipe(
      permit(url, read.request.metadata),
      E.map(({ metadata, narrowed }) => ({
        metadata,
        dropped: droppedMembers(document, ['client_id']),
        adjustments: [
          ...tidied.adjustments,
          ...adjustmentsOf(left, metadata),
          ...ofMethod(tidied.body, chosen),
          ...[...new Set([...(first === chosen ? [] : ['grant_types']), ...narrowed])].map((member) =>
            adjustment('document-narrowed', member),
          ),
          ...losses.map(ofLoss),
        ],
      })),
    )
  }
}

// draft-ietf-oauth-client-id-metadata-document-02 §8.9 (-00 §6.8): the URLs that the operator trusts.

type HostList = 'allowed_hosts' | 'denied_hosts'
type PrefixList = 'allowed_url_prefixes' | 'denied_url_prefixes'

/** What decides about a URL: `accept` itself, or an entry of a list. */
export type UrlAcceptance = {
  readonly accepted: boolean
  readonly part: 'accept' | HostList | PrefixList
  readonly entry: string
}

// Some servers find a file by its name in capital letters too: another spelling is denied, and never allowed.
const hasPrefix = (list: PrefixList, url: string, prefix: string): boolean =>
  list === 'denied_url_prefixes' ? url.toLowerCase().startsWith(prefix.toLowerCase()) : url.startsWith(prefix)

const entryOf = (
  policy: DocumentPolicy,
  url: ClientIdUrl,
  hosts: HostList,
  prefixes: PrefixList,
): Omit<UrlAcceptance, 'accepted'> | undefined => {
  const { host } = uriParts(url)
  const named = policy[hosts].find((each) => isHost(host, each))
  if (named !== undefined) return { part: hosts, entry: named }
  const prefix = policy[prefixes].find((each) => hasPrefix(prefixes, url, each))
  return prefix === undefined ? undefined : { part: prefixes, entry: prefix }
}

/** Whether the policy accepts a document at the URL, and by which part. A denied one is never accepted. */
export const urlAcceptance = (policy: DocumentPolicy, url: ClientIdUrl): UrlAcceptance => {
  const byAccept = { part: 'accept', entry: policy.accept } as const
  if (policy.accept === 'none') return { accepted: false, ...byAccept }
  const denied = entryOf(policy, url, 'denied_hosts', 'denied_url_prefixes')
  if (denied !== undefined) return { accepted: false, ...denied }
  if (policy.accept === 'any') return { accepted: true, ...byAccept }
  const allowed = entryOf(policy, url, 'allowed_hosts', 'allowed_url_prefixes')
  return allowed === undefined ? { accepted: false, ...byAccept } : { accepted: true, ...allowed }
}

/** Whether the document of an accepted URL waits for the approval of an operator: where no list names its host or URL. */
export const documentWaits = (
  { approve = [], metadata_documents }: Pick<RegistrationPolicy, 'approve' | 'metadata_documents'>,
  url: ClientIdUrl,
): boolean =>
  approve.includes('documents') &&
  entryOf(documentPolicy(metadata_documents), url, 'allowed_hosts', 'allowed_url_prefixes') === undefined

/** Whether the policy accepts a document at the URL. */
export const acceptsUrl = (policy: DocumentPolicy, url: ClientIdUrl): boolean => urlAcceptance(policy, url).accepted

/** Whether the operator names the document, by a list: also where documents of any host are accepted. */
export const isListedUrl = (policy: DocumentPolicy, url: ClientIdUrl): boolean =>
  acceptsUrl({ ...policy, accept: 'listed' }, url)
