/** A JWT with a verified signature; its claims are not judged yet, not even exp. */
export type SignedHint = {
  /** RFC 8725 §3.11: typ of the JWS header. */
  readonly typ: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

/** A JWT that must be signed with a client_secret; its signature is not verified. */
export type UnverifiedHint = { readonly alg: string; readonly claims: Readonly<Record<string, unknown>> }
