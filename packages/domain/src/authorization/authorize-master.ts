import * as E from 'fp-ts/lib/Either.js'
import type { InsufficientScope, InvalidToken, MissingToken } from '../errors.js'
import { invalidToken, missingToken } from '../errors.js'
import type { PresentedCredential } from './presented-credential.js'

export type MasterRefusal = MissingToken | InvalidToken | InsufficientScope

const masterNeeded: InsufficientScope = {
  error: 'insufficient_scope',
  error_description: 'Only the master token permits this',
}

/**
 * Listing clients and issuing initial access tokens take the master token alone. RFC 6750 §3.1: a token that counts elsewhere,
 * as a registration access token or an initial access token in force does, is valid and permits too little.
 */
export const authorizeMaster = (
  credential: PresentedCredential,
  countsElsewhere: boolean,
): E.Either<MasterRefusal, void> => {
  switch (credential.kind) {
    case 'none':
      return E.left(missingToken)
    case 'master':
      return E.right(undefined)
    case 'unusable':
      return E.left(invalidToken)
    case 'token':
      return E.left(countsElsewhere ? masterNeeded : invalidToken)
  }
}
