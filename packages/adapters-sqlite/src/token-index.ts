// By what a client is found with its registration access token.
import type { ClientId, TokenHash } from '@clientele/domain'
import type Database from 'better-sqlite3'

/** Characters: 47 bits. */
const length = 8

/**
 * How the id of a new client is to begin: with the first eight letters and digits of its token's hash, or all that there are. The
 * index of ids finds the client by the token then, and no index of tokens is written for it.
 */
export const clientIdBeginning = (token: TokenHash): string => token.replaceAll(/[-_]/g, '').slice(0, length)

const beginningIn = (hash: string): string => `substr(replace(replace(${hash}, '-', ''), '_', ''), 1, ${length})`

// Clients with a preferred id, from before, or with a later token. Each client is either in the index clients_by_token or has an
// id that begins with its token, whatever its id and its token are.
const isApart = `substr(client_id, 1, ${length}) <> ${beginningIn('registration_access_token_hash')}`
const apartByToken = `clients INDEXED BY clients_by_token
WHERE ${isApart} AND substr(registration_access_token_hash, 1, ${length}) = substr(@token, 1, ${length})
  AND registration_access_token_hash = @token`

// The hash of the next client that there is, of this id or not, is always compared: so that a former token of a client is told the
// same, in the same time, whether the client is still there or not.
const selectBegunWith = `
SELECT * FROM clients WHERE ordinal =
  (SELECT ordinal FROM
    (SELECT ordinal, client_id, registration_access_token_hash FROM clients WHERE client_id >= @id ORDER BY client_id LIMIT 1)
   WHERE client_id = @id AND registration_access_token_hash = @token)`
// The + keeps the lookup off the id that was asked for: a wrong token is as far from a client that exists as from one that does not.
const selectApart = `SELECT * FROM ${apartByToken} AND +client_id = @id`
const selectAny = `
SELECT 1 FROM clients
WHERE client_id >= ${beginningIn('@token')} AND client_id < ${beginningIn('@token')} || char(127)
  AND registration_access_token_hash = @token
UNION ALL
SELECT 1 FROM ${apartByToken}`

export type TokenIndex = {
  /** The row of the client with this id and this token. */
  readonly rowOf: (id: ClientId, token: TokenHash) => unknown
  /** Whether it is the token of any client. */
  readonly isToken: (token: TokenHash) => boolean
}

export const createTokenIndex = (db: Database.Database): TokenIndex => {
  const [begunWith, apart, any] = [db.prepare(selectBegunWith), db.prepare(selectApart), db.prepare(selectAny)]
  return {
    rowOf: (id, token) => (id.startsWith(clientIdBeginning(token)) ? begunWith : apart).get({ id, token }),
    isToken: (token) => any.get({ token }) !== undefined,
  }
}
