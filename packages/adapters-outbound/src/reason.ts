const longest = 200

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.message

// Only a code or a fixed message: parser errors contain the received data, and TLS errors the certificate.
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? codeOf(error) : 'unknown').slice(0, longest)
