const longest = 200

export const shorten = (reason: string): string => reason.slice(0, longest)

const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' && error.code !== '' ? error.code : error.message

// Only a code or a fixed message: parser errors contain the received data, and TLS errors the certificate.
export const reasonOf = (error: unknown): string => shorten(error instanceof Error ? codeOf(error) : 'unknown')
