// By what a client is found, when only its registration access token is known.
import type { TokenHash } from '@clientele/domain'

/** Characters: 47 bits. */
const length = 8

/**
 * How the id of a new client is to begin: with the first letters and digits of its token's hash. Where it does, the client is found
 * by its token along the index of ids, and no index of tokens is written for it.
 */
export const clientIdBeginning = (token: TokenHash): string => token.replaceAll(/[-_]/g, '').slice(0, length)

const beginningIn = (hash: string): string => `substr(replace(replace(${hash}, '-', ''), '_', ''), 1, ${length})`

// Of an id that was preferred, or is from before, or whose client has a later token. Each client is either in the index
// clients_by_token or has an id that begins with its token, whatever both are.
const isApart = `substr(client_id, 1, ${length}) <> ${beginningIn('registration_access_token_hash')}`

/**
 * Selects from the clients with the token @token. Looked up by the token alone, so that a wrong one is as far from any client that
 * exists as from one that does not.
 */
export const selectByToken = (columns: string, condition = 'TRUE'): string => `
SELECT ${columns} FROM clients
WHERE client_id >= ${beginningIn('@token')} AND client_id < ${beginningIn('@token')} || char(127)
  AND registration_access_token_hash = @token AND ${condition}
UNION ALL
SELECT ${columns} FROM clients INDEXED BY clients_by_token
WHERE ${isApart} AND substr(registration_access_token_hash, 1, ${length}) = substr(@token, 1, ${length})
  AND registration_access_token_hash = @token AND ${condition}`
