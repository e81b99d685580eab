// What a client was registered with: nothing is permitted by it, so that stores bind it by no proof.
import * as t from 'io-ts'
import type { RegisteredBy, TokenHash } from '../authorization/credential.js'

export interface ProvenanceBrand {
  readonly TokenFingerprint: unique symbol
}

/** The beginning of the id by which `clientele token list` names an initial access token. */
export const TokenFingerprint = t.brand(
  t.string,
  (text): text is t.Branded<string, ProvenanceBrand> => /^[A-Za-z0-9_-]{12}$/.test(text),
  'TokenFingerprint',
)
export type TokenFingerprint = t.TypeOf<typeof TokenFingerprint>

/** RFC 7519 §4.1.1: iss is a string, which may be a URI; only printable ASCII is recorded. */
export const StatementIssuer = t.refinement(t.string, (text) => /^[\x21-\x7e]{1,2048}$/.test(text), 'StatementIssuer')

export const Provenance = t.readonly(
  t.exact(
    t.partial({
      /** Of the initial access token that the registration consumed. */
      token: TokenFingerprint,
      /** RFC 7591 §2.3: the issuer of the software statement. */
      statement_issuer: StatementIssuer,
      /** The client came with an import; the other members are then those of the record. */
      imported: t.literal(true),
    }),
  ),
  'Provenance',
)
export type Provenance = t.TypeOf<typeof Provenance>

/** How a client came here, in the order in which a client with several counts. */
export const clientOrigins = ['import', 'statement', 'token', 'operator', 'open'] as const
export type ClientOrigin = (typeof clientOrigins)[number]

export const originOf = ({
  registered_by,
  provenance,
}: {
  readonly registered_by: RegisteredBy
  readonly provenance?: Provenance
}): ClientOrigin => {
  if (provenance?.imported === true) return 'import'
  if (provenance?.statement_issuer !== undefined) return 'statement'
  if (registered_by === 'token') return 'token'
  return registered_by === 'master' ? 'operator' : 'open'
}

const membersOf = (token: unknown, issuer: unknown): Provenance => ({
  ...(TokenFingerprint.is(token) ? { token } : {}),
  ...(StatementIssuer.is(issuer) ? { statement_issuer: issuer } : {}),
})

const fingerprintLength = 12

const unlessEmpty = (provenance: Provenance): Provenance | undefined =>
  Object.keys(provenance).length === 0 ? undefined : provenance

/** Undefined where there is nothing to record. */
export const provenanceOf = (token: TokenHash | undefined, issuer: unknown): Provenance | undefined =>
  unlessEmpty(membersOf(token?.slice(0, fingerprintLength), issuer))

/** What an export says: that this store imported the client is of this store alone. */
export const earlierProvenance = (provenance: Provenance | undefined): Provenance | undefined =>
  unlessEmpty(membersOf(provenance?.token, provenance?.statement_issuer))

/** Of a client that an import brings, with what its record says of an earlier registration. */
export const importedProvenance = (drafted: unknown): Provenance => ({
  ...(Provenance.is(drafted) ? membersOf(drafted.token, drafted.statement_issuer) : {}),
  imported: true,
})
