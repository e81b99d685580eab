// The keys of the service, and those of its stored values. Private keys never leave it, and no answer shows one.
import {
  type InvalidRequest,
  type KeyRefusal,
  type Refusal,
  type Unavailable,
  EpochSeconds,
  invalidKeys,
  invalidRequest,
  isJsonObject,
  isPlainObject,
  maxDepth,
} from '@clientele/domain/kernel'
import { type SigningRefusal, type UnsignedToken, isOwnTokenType } from '@clientele/domain/keys'
import type { ByRequest, KeyManagement } from '@clientele/domain/operations'
import type { NoSuchRing, SealingStep, UndecryptableObject } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type RequestBody, requiredTextMember, textMember } from '../http/request.js'
import { okResponse } from '../http/response.js'
import type { ReadKeys } from '../ports.js'
import { type Family, type OperatorHandler, answer, answerFor, dryRun } from './route.js'

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
    case 'no_time':
      return signingRule
    case 'good_for_too_long':
      return invalidRequest(`expires_at must be at most ${refusal.retention} seconds from now: see key-retention`)
    case 'unavailable':
      return refusal
  }
}

const algIn = textMember('alg', 'The body must be a JSON object with the string alg, or empty')
const kidIn = requiredTextMember('kid', 'The body must be a JSON object with the string kid')
const objectIn = requiredTextMember(
  'object',
  'The body must be a JSON object with the string object, a JWE in compact form',
)

const reasons: Readonly<Record<UndecryptableObject['reason'], string>> = {
  malformed: 'object must be a JWE in compact form (RFC 7516 §7.1) with UTF-8 inside',
  not_encrypted: 'object must be a JWE: a JWS needs no decryption',
  no_key:
    'No key opens the object: it must be encrypted with RSA-OAEP-256 to the key that the set publishes for use enc',
}

type Take<Key> = (request: { readonly keys: ReadonlyArray<Key>; readonly dryRun: boolean }) => KeyManagement['listKeys']

/** Takes the keys of a set: all of them, or none. */
const importing =
  <Key>(read: ReadKeys<Key>, take: ByRequest<'keys', Take<Key>>): OperatorHandler<'keys'> =>
  (request, operator) => {
    const { dry, body } = dryRun(request)
    const takeFrom = (json: unknown) =>
      pipe(
        read(json),
        TE.mapLeft((faults): Refusal => invalidKeys(faults)),
        TE.flatMap((keys) => take(operator, request)({ keys, dryRun: dry })),
      )
    return answerFor(body, takeFrom, okResponse)
  }

export const keyRoutes: Family<'keys'> = ({ registration: { issuer } }, ports, operated) => {
  const { management, decrypter } = ports
  const signer = ports.signerOf(issuer)
  const running = (path: string, handler: OperatorHandler<'keys'>) =>
    operated('POST', path, ['keys'], handler, { runsDry: 'query' })
  return [
    operated('GET', '/keys', ['keys'], (request, operator) =>
      answer(management(operator, request).listKeys, okResponse),
    ),
    running('/keys/roll-over', (request, operator) => {
      const { dry, body } = dryRun(request)
      const rollOver = (alg: string | undefined) =>
        management(operator, request).rollOver({ ...(alg === undefined ? {} : { alg }), dryRun: dry })
      return answerFor(algIn(body), rollOver, okResponse)
    }),
    running('/keys/compromise', (request, operator) => {
      const { dry, body } = dryRun(request)
      const revoke = (kid: string) => management(operator, request).revoke({ kid, dryRun: dry })
      return answerFor(kidIn(body), revoke, okResponse)
    }),
    // The private keys of another server.
    running(
      '/keys/import',
      importing(ports.readPrivateJwkSet, (...by) => management(...by).importKeys),
    ),
    // The keys of another signer are published; they never sign here.
    running(
      '/keys/foreign',
      importing(ports.readPublicJwkSet, (...by) => management(...by).importForeignKeys),
    ),
    operated('POST', '/keys/foreign/remove', ['keys'], (request, operator) =>
      answerFor(kidIn(request.body), management(operator, request).removeForeignKey, okResponse),
    ),
    // RFC 7515 §7.1: the token of a provider in another process, signed by the present signing key.
    operated('POST', '/keys/sign', ['keys'], ({ body }, operator) => {
      const sign = (token: UnsignedToken) => pipe(signer(operator).signToken(token), TE.mapLeft(signingRefusal))
      return answerFor(tokenIn(body), sign, (token) => okResponse({ token }))
    }),
    // RFC 9101 §6.1: decrypts an object that a client encrypted to the published key.
    operated('POST', '/keys/decrypt', ['keys'], ({ body }, operator) => {
      const decrypt = (object: string) =>
        pipe(
          decrypter(operator).decryptObject(object),
          TE.mapLeft(({ reason }) => invalidRequest(reasons[reason])),
        )
      return answerFor(objectIn(body), decrypt, (text) => okResponse({ text }))
    }),
  ]
}

const Step = t.partial({ after: t.string, dry_run: t.boolean })
const members = Object.keys(Step.props)

const stepRule = invalidRequest(
  'The body must be a JSON object with the string after, next of the step before, and the truth value dry_run; both may be left out',
)

// Unknown members are refused, because a misspelled one would begin anew, or write.
const stepIn = (body: RequestBody): E.Either<InvalidRequest, SealingStep> =>
  pipe(
    body,
    E.filterOrElse(
      (json): json is t.TypeOf<typeof Step> =>
        isPlainObject(json) && Step.is(json) && Object.keys(json).every((name) => members.includes(name)),
      () => stepRule,
    ),
    E.map(({ after, dry_run }) => ({ after, dryRun: dry_run === true })),
  )

/** The encryption keys of stored values. */
export const encryptionRoutes: Family<'encryption'> = (_settings, { keys, sealValues }, operated) => [
  operated('GET', '/encryption/keys', ['keys'], (request, operator) =>
    answer(keys(operator, request).listEncryptionKeys, okResponse),
  ),
  operated('POST', '/encryption/keys', ['keys'], (request, operator) =>
    answer(keys(operator, request).addEncryptionKey, okResponse),
  ),
  operated('POST', '/encryption/keys/drop', ['keys'], (request, operator) =>
    answer(keys(operator, request).dropEncryptionKeys, okResponse),
  ),
  // Seals some stored values with the present encryption key; `next` of the answer is where another request continues.
  operated(
    'POST',
    '/encryption/re-seal',
    ['keys'],
    (request, operator) => answerFor(stepIn(request.body), sealValues(operator, request), okResponse),
    { runsDry: 'body' },
  ),
]
