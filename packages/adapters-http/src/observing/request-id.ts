// Visible characters of ids, and none that a log or a header would quote.
const wellFormed = /^[A-Za-z0-9._~+/=@:-]{1,128}$/

/** The id that a proxy gave a request, if it is one that a log entry and an answer can carry; otherwise undefined. */
export const parseRequestId = (field: unknown): string | undefined =>
  typeof field === 'string' && wellFormed.test(field) ? field : undefined
