// By what a client is found with its registration access token: so that a token alone finds it, and a wrong one is as far from any
// client that exists as from one that does not.
import type { ClientId, TokenHash } from '@clientele/domain'
import type Database from 'better-sqlite3'

/** Characters: 47 bits. */
const length = 8

/**
 * How the id of a new client is to begin: with the first letters and digits of its token's hash. The index of ids finds it by the
 * token then, and no index of tokens is written for it.
 */
export const clientIdBeginning = (token: TokenHash): string => token.replaceAll(/[-_]/g, '').slice(0, length)

const beginningIn = (hash: string): string => `substr(replace(replace(${hash}, '-', ''), '_', ''), 1, ${length})`

// Of an id that was preferred, or is from before, or whose client has a later token. Each client is either in the index
// clients_by_token or has an id that begins with its token, whatever both are.
const isApart = `substr(client_id, 1, ${length}) <> ${beginningIn('registration_access_token_hash')}`
const apartByToken = `clients INDEXED BY clients_by_token
WHERE ${isApart} AND substr(registration_access_token_hash, 1, ${length}) = substr(@token, 1, ${length})
  AND registration_access_token_hash = @token`

const selectBegunWith = 'SELECT * FROM clients WHERE client_id = @id AND registration_access_token_hash = @token'
// The + keeps the lookup off the id that was asked for.
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
    // Which id a wrong token would find so, nobody can tell who has not the digest key.
    rowOf: (id, token) => (id.startsWith(clientIdBeginning(token)) ? begunWith : apart).get({ id, token }),
    isToken: (token) => any.get({ token }) !== undefined,
  }
}
