const longest = 200

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.message

// Because errors of the parser hold what was received, and those of TLS the certificate, only a code or a message is kept.
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? codeOf(error) : 'unknown').slice(0, longest)
