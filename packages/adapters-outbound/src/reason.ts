const longest = 200

export const shorten = (reason: string): string => reason.slice(0, longest)

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.message

// Of Node and OpenSSL, where no known authority signed the certificate.
const untrusted = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]

/** The reason, and for a certificate of a private authority the remedy. */
const withRemedy = (reason: string): string =>
  untrusted.includes(reason)
    ? `${reason}: if you trust who signed the certificate, start the service with the authority's file in NODE_EXTRA_CA_CERTS`
    : reason

// Only a code or a fixed message: parser errors contain the received data, and TLS errors the certificate.
export const reasonOf = (error: unknown): string =>
  shorten(error instanceof Error ? withRemedy(codeOf(error)) : 'unknown')
