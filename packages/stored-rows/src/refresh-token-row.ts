import { type RefreshTokenUses, EpochSeconds, TokenHash } from '@clientele/domain'
import * as t from 'io-ts'

/** The columns that decide about the use of a refresh token. */
export const RefreshTokenRow = t.type({
  hash: TokenHash,
  predecessor: t.union([TokenHash, t.null]),
  consumed_at: t.union([EpochSeconds, t.null]),
  successor: t.union([TokenHash, t.null]),
})

/** The uses of a row; undefined where there is none that can be read. */
export const fromRefreshTokenRow = (row: unknown): RefreshTokenUses | undefined => {
  if (!RefreshTokenRow.is(row)) return undefined
  const { hash, predecessor, consumed_at, successor } = row
  return Object.assign(
    { hash },
    predecessor === null ? undefined : { predecessor },
    consumed_at === null ? undefined : { consumed_at },
    successor === null ? undefined : { successor },
  )
}
