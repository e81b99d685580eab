// What a client was registered with: nothing is permitted by it, so that stores bind it by no proof.
import type * as t from 'io-ts'
import { type RegisteredBy, type TokenHash, fingerprintOf } from '../authorization/credential.js'
import { type ClientId, isDocumented, isOperatorsClient } from '../client/ids.js'

interface ProvenanceBrand {
  readonly TokenFingerprint: unique symbol
}

/** The beginning of the id by which `clientele token list` names an initial access token. */
export type TokenFingerprint = t.Branded<string, ProvenanceBrand>

export const isTokenFingerprint = (value: unknown): value is TokenFingerprint =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{12}$/.test(value)

/** The operator's name of a set of clients that he declares in files. */
export const isDeclaredSet = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value)

/** RFC 7519 §4.1.1: iss is a string, which may be a URI; only printable ASCII is recorded. */
export const isStatementIssuer = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,2048}$/.test(value)

export type Provenance = {
  /** Of the initial access token that the registration consumed. */
  readonly token?: TokenFingerprint
  /** RFC 7591 §2.3: the issuer of the software statement. */
  readonly statement_issuer?: string
  /** The set of declared clients that it belongs to: the files of that set decide what it is. */
  readonly declared?: string
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

/** What of it can be recorded; undefined where there is nothing. */
export const recordedProvenance = ({
  token,
  statement_issuer,
  declared,
}: {
  readonly [Name in 'token' | 'statement_issuer' | 'declared']?: unknown
}): Provenance | undefined => {
  const provenance: Provenance = {
    ...(isTokenFingerprint(token) ? { token } : {}),
    ...(isStatementIssuer(statement_issuer) ? { statement_issuer } : {}),
    ...(isDeclaredSet(declared) ? { declared } : {}),
  }
  return Object.keys(provenance).length === 0 ? undefined : provenance
}

/** What is recorded of a registration with the token and the software statement. */
export const provenanceOf = (token: TokenHash | undefined, issuer: unknown): Provenance | undefined =>
  recordedProvenance({ token: fingerprintOf(token), statement_issuer: issuer })
