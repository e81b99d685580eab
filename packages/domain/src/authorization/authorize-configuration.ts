import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RegisteredClient } from '../client/registered-client.js'
import type { InvalidToken, MissingToken, UnknownClient } from '../errors.js'
import { invalidToken, missingToken, unknownClient } from '../errors.js'
import type { PresentedCredential } from './presented-credential.js'
import type { Privileges } from './privileges.js'
import { allPrivileges } from './privileges.js'

/** A client that somebody may read, update and delete, and what an update by them may add. */
export type AuthorizedClient = { readonly client: RegisteredClient; readonly held: Privileges }

// RFC 7592 §2: an unknown client is 401 for all but the master token, alike for a client of somebody else
export const authorizeConfiguration = (
  credential: PresentedCredential,
  found: O.Option<RegisteredClient>,
): E.Either<MissingToken | InvalidToken | UnknownClient, AuthorizedClient> => {
  switch (credential.kind) {
    case 'none':
      return E.left(missingToken)
    case 'unusable':
      return E.left(invalidToken)
    case 'master':
      return pipe(
        found,
        E.fromOption(() => unknownClient),
        E.map((client) => ({ client, held: allPrivileges })),
      )
    case 'token':
      return pipe(
        found,
        O.filter((client) => client.registration_access_token.hash === credential.hash),
        E.fromOption(() => invalidToken),
        E.map((client) => ({ client, held: client.privileges })),
      )
  }
}
