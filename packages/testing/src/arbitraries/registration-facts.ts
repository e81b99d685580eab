import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { InitialAccessToken } from '@clientele/domain/authorization'
import { invalidRequest, secondsAfter } from '@clientele/domain/kernel'
import type { GeneratedCredentials, RegistrationFacts } from '@clientele/domain/registration'
import { presentedCredential } from './credentials.js'
import { initialAccessToken } from './initial-access-token.js'
import { issued } from './generated-credentials.js'

/** A received body: one of the given values, or one that could not be read. */
export const receivedBody = (body: fc.Arbitrary<unknown>): fc.Arbitrary<RegistrationFacts['body']> =>
  fc.oneof(
    { weight: 5, arbitrary: body.map((value) => E.right(value)) },
    { weight: 1, arbitrary: fc.constant(E.left(invalidRequest('The body is not valid JSON'))) },
  )

/** The facts of a registration: any credential, a token that is found or not, and any of the given bodies. */
export const registrationFacts = (body: fc.Arbitrary<unknown> = fc.anything()): fc.Arbitrary<RegistrationFacts> =>
  fc
    .tuple(initialAccessToken(), fc.boolean(), issued(), receivedBody(body))
    .chain(([token, found, generated, received]) =>
      presentedCredential(token.hash).map((credential) => ({
        credential,
        token: found ? O.some(token) : O.none,
        statement: O.none,
        issued: generated,
        body: received,
      })),
    )

/** The facts of a registration with the token, while it is in force. */
export const presenting = (
  token: InitialAccessToken,
  generated: GeneratedCredentials,
  body: unknown,
): RegistrationFacts => ({
  credential: { kind: 'token', hash: token.hash },
  token: O.some({ ...token, expires_at: secondsAfter(generated.at, 1) }),
  statement: O.none,
  issued: generated,
  body: E.right(body),
})
