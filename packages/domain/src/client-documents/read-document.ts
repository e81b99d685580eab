// The metadata of a document, by the decision about a registration: decision 0136.
import * as E from 'fp-ts/lib/Either.js'
import type * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { usesSecret } from '../client/algorithms.js'
import type { ClientIdUrl } from '../client/client-id-url.js'
import { membersOfAlgorithms } from '../client/client-metadata.js'
import { droppedMembers, presetMembers } from '../client/dropped-members.js'
import type { ReadStatement } from '../client/software-statement.js'
import { uriParts } from '../client/uri.js'
import { type Fault, fault } from '../codec/fault.js'
import { ownMember } from '../codec/json-object.js'
import { adjustmentsOf } from '../registration/adjustments.js'
import type { PermittedMetadata } from '../registration/permit-registration.js'
import { type ReadRegistration, readRegistrationRequest } from '../registration/registration-request.js'
import { ruleBook } from '../registration/registration-settings.js'
import { chooseMethod, isSecretMethod } from './choose-method.js'
import { type DocumentAdjustment, documentAdjustments } from './document-adjustments.js'
import { type DocumentSettings, permitDocument, secretLength } from './permit-document.js'

type Document = Readonly<Record<string, unknown>>

/** The metadata of a document, and what was left out or chosen. */
export type ReadDocument = {
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

/** The metadata, or all faults of the document: those for which its registration would be refused, and a few others. */
export const readDocument = (settings: DocumentSettings): JudgeDocument => {
  const readRequest = readRegistrationRequest(ruleBook(settings))
  const choose = chooseMethod(settings)
  const permit = permitDocument(settings)
  return (url, document, statement) => {
    // They preset what only a registration has: unknown members here.
    const own = Object.fromEntries(Object.entries(document).filter(([name]) => !presetMembers.includes(name)))
    const chosen = choose(own)
    const read = readRequest({ body: chosen, statement, secretLength, registeredBy: 'nobody' })
    if (E.isLeft(read)) return E.left([fault('document-json')('client_id')])
    const { request, refusal } = read.right
    const faults = [
      ...identityFaults(url, document),
      ...(refusal?.errors ?? []),
      ...secretFaults(read.right),
      ...sectorFaults(url, read.right),
    ]
    if (RA.isNonEmpty(faults)) return E.left(faults)
    return pipe(
      permit(request.metadata),
      E.map(({ metadata, narrowed }) => ({
        metadata,
        dropped: droppedMembers(document, ['client_id']),
        adjustments: [...adjustmentsOf(own, metadata), ...documentAdjustments(own, chosen, narrowed)],
      })),
    )
  }
}
