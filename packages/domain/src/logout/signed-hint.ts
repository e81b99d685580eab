/** A JWT that a key of ours signed; nothing of it is judged yet, exp neither. */
export type SignedHint = {
  /** RFC 8725 §3.11: as it stands in the header of the JWS. */
  readonly typ: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

/** A JWT that a client_secret should have signed; nobody has verified it. */
export type UnverifiedHint = { readonly alg: string; readonly claims: Readonly<Record<string, unknown>> }
