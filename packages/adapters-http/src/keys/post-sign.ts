// Signs the tokens of a provider in another process; the private keys never leave the service.
import {
  type InvalidRequest,
  type KeyRefusal,
  type Refusal,
  type Unavailable,
  EpochSeconds,
  invalidRequest,
  isJsonObject,
  maxDepth,
} from '@clientele/domain/kernel'
import { type SigningRefusal, type UnsignedToken, isOwnTokenType } from '@clientele/domain/keys'
import type { NoSuchRing } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type OperatorHandler, answer } from '../http/handler.js'
import type { RequestBody } from '../http/request.js'
import { okResponse } from '../http/response.js'
import type { KeyPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

const SigningRequest = t.exact(
  t.intersection([
    t.type({ alg: t.string, typ: t.string, claims: t.UnknownRecord, expires_at: EpochSeconds }),
    t.partial({ kid: t.string }),
  ]),
)

const signingRule = invalidRequest(
  'The body must be a JSON object with the strings alg and typ, the object claims, the time expires_at in seconds, and perhaps the string kid',
)

// RFC 7519 §4.1: the service sets these, so that a request must not contain them.
const ownClaims = ['iss', 'iat', 'exp']
const ownClaimsRule = invalidRequest('claims must leave out iss, iat and exp: the service adds them')

// A checkpoint of the audit log or a logout token would be taken for the service's own.
const ownTypeRule = invalidRequest('typ must be another one: only the service signs that type, on its own behalf')

const tokenIn = (body: RequestBody): E.Either<InvalidRequest, UnsignedToken> => {
  if (E.isLeft(body)) return body
  if (!SigningRequest.is(body.right)) return E.left(signingRule)
  const { alg, typ, claims, expires_at, kid } = body.right
  if (!isJsonObject(maxDepth)(claims)) return E.left(signingRule)
  if (isOwnTokenType(typ)) return E.left(ownTypeRule)
  if (ownClaims.some((name) => Object.hasOwn(claims, name))) return E.left(ownClaimsRule)
  return E.right({ alg, typ, claims, expiresAt: expires_at, ...(kid === undefined ? {} : { kid }) })
}

const signingRefusal = (
  refusal: SigningRefusal | NoSuchRing | Unavailable,
): KeyRefusal | InvalidRequest | Unavailable => {
  switch (refusal.error) {
    case 'no_such_ring':
      return {
        error: 'unknown_algorithm',
        error_description: 'No key ring signs with this algorithm: see signing-algorithms',
        known: refusal.known,
      }
    case 'not_the_signing_key':
      return {
        error: 'unknown_kid',
        error_description: 'Another key signs now: leave kid out, or read it from GET /keys',
      }
    case 'ring_closed':
      return invalidRequest('The algorithm is not used any more: see signing-algorithms')
    case 'ring_not_open':
      return invalidRequest(`The key is published and does not sign before ${refusal.opensAt}`)
    case 'good_for_too_long':
      return invalidRequest(`expires_at must be at most ${refusal.retention} seconds from now: see key-retention`)
    case 'unavailable':
      return refusal
  }
}

/** RFC 7515 §7.1: the token, signed by the present signing key. */
export const postSign = (settings: HttpSettings, ports: KeyPorts): OperatorHandler<'keys'> => {
  const signer = ports.signerOf(settings.registration.issuer)
  return ({ body }, operator) =>
    answer(
      pipe(
        TE.fromEither<Refusal, UnsignedToken>(tokenIn(body)),
        TE.flatMap((token) =>
          pipe(
            signer(operator).signToken(token),
            TE.mapLeft((refusal): Refusal => signingRefusal(refusal)),
          ),
        ),
      ),
      (token) => okResponse({ token }),
    )
}
