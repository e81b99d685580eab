// Finds a client by its registration access token.
import type { ClientId, TokenHash } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { selectRows } from './select-rows.js'

/** In characters; 47 bits. */
const length = 8

/**
 * The beginning of a new client's id: the first eight letters and digits of the hash of its registration access token,
 * or fewer. Thus the index of ids also finds the client by its token, without a second index to write.
 */
export const clientIdBeginning = (token: TokenHash): string => token.replaceAll(/[-_]/g, '').slice(0, length)

const beginningIn = (hash: string): string => `substr(replace(replace(${hash}, '-', ''), '_', ''), 1, ${length})`

// Clients with a preferred id, of an earlier version, or with a later token. Each client either is in the index
// clients_by_token or has an id that begins with its token's hash.
const isApart = `substr(client_id, 1, ${length}) <> ${beginningIn('registration_access_token_hash')}`
const apartByToken = `clients INDEXED BY clients_by_token
WHERE ${isApart} AND substr(registration_access_token_hash, 1, ${length}) = substr(@token, 1, ${length})
  AND registration_access_token_hash = @token`

// The hash of the next existing client is always compared, also with another id: so the answer for a former token takes
// the same time whether the client still exists or not.
const selectBegunWith = `
SELECT * FROM clients WHERE ordinal =
  (SELECT ordinal FROM
    (SELECT ordinal, client_id, registration_access_token_hash FROM clients WHERE client_id >= @id ORDER BY client_id LIMIT 1)
   WHERE client_id = @id AND registration_access_token_hash = @token)`
// The + excludes the index of ids: a wrong token takes the same look-up whether the client exists or not.
const selectApart = `SELECT * FROM ${apartByToken} AND +client_id = @id`
const selectPreceded = `
SELECT * FROM clients INDEXED BY clients_by_preceding_token WHERE preceding_token_hash = @token AND +client_id = @id`
const selectAny = `
SELECT 1 FROM clients
WHERE client_id >= ${beginningIn('@token')} AND client_id < ${beginningIn('@token')} || char(127)
  AND registration_access_token_hash = @token
UNION ALL
SELECT 1 FROM ${apartByToken}
UNION ALL
SELECT 1 FROM clients INDEXED BY clients_by_preceding_token WHERE preceding_token_hash = @token`

export type TokenIndex = {
  /** The row of the client with this id and this token as its newest one. */
  readonly rowOf: (id: ClientId, token: TokenHash) => unknown
  /** The row of the client with this id, whose newest token is another one, and this token before it. */
  readonly rowPreceded: (id: ClientId, token: TokenHash) => unknown
  /** Whether it is the registration access token of any client, or the one before it. */
  readonly isToken: (token: TokenHash) => boolean
}

export const createTokenIndex = (db: Database.Database): TokenIndex => {
  const begunWith = selectRows(db, selectBegunWith)
  const apart = selectRows(db, selectApart)
  const preceded = selectRows(db, selectPreceded)
  const any = db.prepare(selectAny)
  return {
    rowOf: (id, token) => (id.startsWith(clientIdBeginning(token)) ? begunWith : apart).get({ id, token }),
    rowPreceded: (id, token) => preceded.get({ id, token }),
    isToken: (token) => any.get({ token }) !== undefined,
  }
}
