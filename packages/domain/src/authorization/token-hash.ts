import * as t from 'io-ts'

export interface TokenHashBrand {
  readonly TokenHash: unique symbol
}

/**
 * The keyed digest of a token, base64url. Presented tokens are found and compared by it; the domain never sees a token.
 */
export const TokenHash = t.brand(
  t.string,
  (text): text is t.Branded<string, TokenHashBrand> => /^[A-Za-z0-9_-]{16,128}$/.test(text),
  'TokenHash',
)

export type TokenHash = t.TypeOf<typeof TokenHash>
