/** A reason for the log, of at most 200 characters. */
export const shorten = (reason: string): string => reason.slice(0, 200)

// Of Node and OpenSSL, where no known authority signed the certificate.
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/**
 * The reason, and for a certificate of a private authority the remedy. Only a code or a fixed message: parser errors contain
 * the received data, and TLS errors the certificate.
 */
export const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return 'unknown'
  const code = 'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.message
  return shorten(
    untrusted.includes(code)
      ? `${code}: if you trust who signed the certificate, start the service with the authority's file in NODE_EXTRA_CA_CERTS`
      : code,
  )
}

/** Why there is no response. */
export type OutboundFailure = {
  /**
   * `unable`: this service could not send the request, or its name servers did not answer. `forbidden`: by the
   * settings, the service never sends to this URL. `failed`: all other failures; the receiver is the cause.
   */
  readonly kind: 'unable' | 'forbidden' | 'failed'
  /** Short, for the log. */
  readonly reason: string
}

/** An error with the kind of its failure. */
export class OutboundError extends Error {
  constructor(
    readonly kind: OutboundFailure['kind'],
    message: string,
  ) {
    super(message)
  }
}

/** The failure of an error; `kind` is for an error without a kind of its own. */
export const failureOf = (kind: OutboundFailure['kind'], error: unknown): OutboundFailure => ({
  kind: error instanceof OutboundError ? error.kind : kind,
  reason: reasonOf(error),
})
