import * as E from 'fp-ts/lib/Either.js'
import type { InvalidToken, MissingToken } from '../errors.js'
import { invalidToken, missingToken } from '../errors.js'
import type { PresentedCredential } from './presented-credential.js'

/** Listing clients and issuing initial access tokens take the master token alone. */
export const authorizeMaster = (credential: PresentedCredential): E.Either<MissingToken | InvalidToken, void> => {
  switch (credential.kind) {
    case 'none':
      return E.left(missingToken)
    case 'master':
      return E.right(undefined)
    case 'unusable':
    case 'token':
      return E.left(invalidToken)
  }
}
