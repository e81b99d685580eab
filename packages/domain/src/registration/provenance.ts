// What a client was registered with: nothing is permitted by it, so that stores bind it by no proof.
import type { Branded } from 'io-ts'
import { type ClientId, isDocumented } from '../client/client-id.js'
import type { RegisteredBy, TokenHash } from '../authorization/credential.js'
import { isOperatorsClient } from '../client/registered-by.js'

export interface ProvenanceBrand {
  readonly TokenFingerprint: unique symbol
}

/** The beginning of the id by which `clientele token list` names an initial access token. */
export type TokenFingerprint = Branded<string, ProvenanceBrand>

export const isTokenFingerprint = (value: unknown): value is TokenFingerprint =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{12}$/.test(value)

/** RFC 7519 §4.1.1: iss is a string, which may be a URI; only printable ASCII is recorded. */
export const isStatementIssuer = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,2048}$/.test(value)

export type Provenance = {
  /** Of the initial access token that the registration consumed. */
  readonly token?: TokenFingerprint
  /** RFC 7591 §2.3: the issuer of the software statement. */
  readonly statement_issuer?: string
  /** An import brought the client, with the other members of its record, or replaced it. */
  readonly imported?: true
}

/** How a client came here, in the order in which a client with several counts. */
export const clientOrigins = ['document', 'import', 'statement', 'token', 'operator', 'open'] as const
export type ClientOrigin = (typeof clientOrigins)[number]

export const clientOriginOf = ({
  client_id,
  registered_by,
  provenance,
}: {
  readonly client_id: ClientId
  readonly registered_by: RegisteredBy
  readonly provenance?: Provenance
}): ClientOrigin => {
  if (isDocumented({ client_id })) return 'document'
  if (provenance?.imported === true) return 'import'
  if (provenance?.statement_issuer !== undefined) return 'statement'
  if (registered_by === 'token') return 'token'
  return isOperatorsClient({ registered_by }) ? 'operator' : 'open'
}

/** Undefined where there is nothing to record. */
export const recordedProvenance = (token: unknown, issuer: unknown): Provenance | undefined => {
  const provenance: Provenance = {
    ...(isTokenFingerprint(token) ? { token } : {}),
    ...(isStatementIssuer(issuer) ? { statement_issuer: issuer } : {}),
  }
  return Object.keys(provenance).length === 0 ? undefined : provenance
}

const fingerprintLength = 12

/** What is recorded of a registration with the token and the software statement. */
export const provenanceOf = (token: TokenHash | undefined, issuer: unknown): Provenance | undefined =>
  recordedProvenance(token?.slice(0, fingerprintLength), issuer)
