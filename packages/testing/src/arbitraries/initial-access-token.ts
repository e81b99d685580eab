import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type InitialAccessToken, noPrivileges, parseRegistrationScope } from '@clientele/domain/authorization'
import { tokenHash } from './credentials.js'
import { epochSecond } from './generated-credentials.js'
import { issuer } from './operators.js'
import { registrationScope } from './registration-scope.js'

/** An initial access token with a valid scope, of any age. */
export const initialAccessToken = (scope = registrationScope()): fc.Arbitrary<InitialAccessToken> =>
  fc
    .record(
      { hash: tokenHash(), scope, expires_at: epochSecond(), issued_by: issuer() },
      { requiredKeys: ['hash', 'scope', 'expires_at'], noNullPrototype: true },
    )
    .map((token) => ({
      ...token,
      ...pipe(
        parseRegistrationScope(token.scope),
        E.getOrElse(() => ({ scope: token.scope, privileges: noPrivileges })),
      ),
    }))
