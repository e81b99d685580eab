// Tokens that others signed: software statements, registration requests that are signed as a whole, and the responses of a
// login page.
import { type ReadStatement, type SoftwareStatementFault, asymmetricAlgorithms } from '@clientele/domain/client'
import type { SignedBodies, SoftwareStatements } from '@clientele/domain/ports'
import { type LoginRefused, type SignedHandOver, loginRefused } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type CryptoKey,
  type JSONWebKeySet,
  type JWTPayload,
  type LocalJWKSet,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
} from 'jose'
import { isStrictBase64url, jsonObjectOf, readCompactToken, strictJsonPart } from './compact-token.js'

/** Verifies by a set of keys. RFC 7515 §4.1.4: kid is optional, so that all matching keys are tried. */
const byMatchingKey = async <A>(
  keys: LocalJWKSet,
  verify: (key: LocalJWKSet | CryptoKey) => Promise<A>,
): Promise<A> => {
  try {
    return await verify(keys)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const verified = await verify(key)
        .then((value) => ({ value }))
        .catch(() => undefined)
      if (verified !== undefined) return verified.value
    }
    throw error
  }
}

/** An issuer of software statements: the iss of its statements, and its public keys. */
export type TrustedIssuer = { readonly issuer: string; readonly jwks: JSONWebKeySet }

const clockTolerance = 60
// RFC 8725 §3.1: independent of the header of a token
const algorithms = [...asymmetricAlgorithms]

const invalid: SoftwareStatementFault = 'software-statement'
const unapproved: SoftwareStatementFault = 'software-statement-unapproved'

const issuerOf = (statement: string): E.Either<SoftwareStatementFault, string> =>
  pipe(
    E.tryCatch(
      () => decodeJwt(statement).iss,
      () => invalid,
    ),
    E.filterOrElse(
      (issuer) => typeof issuer === 'string',
      () => invalid,
    ),
  )

const claimsOf = (statement: string): ReadStatement =>
  E.fromOption(() => invalid)(strictJsonPart(statement.split('.')[1]))

// RFC 7519 §4.1.3: a statement with an audience is valid for that audience only
const isMeant = (aud: string | ReadonlyArray<string> | undefined, audience: ReadonlyArray<string>): boolean =>
  aud === undefined || [aud].flat().some((each) => audience.includes(each))

// RFC 8725 §3.11: tokens of other types are not statements, even of a trusted issuer
const isStatementType = (typ: string | undefined): boolean =>
  typ === undefined || /^(?:application\/)?(?:jwt|jose|software-statement\+jwt)$/i.test(typ)

const payloadOf = (statement: string, keys: LocalJWKSet, issuer: string): Promise<JWTPayload> =>
  byMatchingKey(keys, async (key) => (await jwtVerify(statement, key, { issuer, algorithms, clockTolerance })).payload)

const verified = async (
  statement: string,
  audience: ReadonlyArray<string>,
  issuer: string,
  keys: LocalJWKSet,
): Promise<ReadStatement> => {
  try {
    const payload = await payloadOf(statement, keys, issuer)
    const { typ } = decodeProtectedHeader(statement)
    return isMeant(payload.aud, audience) && isStatementType(typ) ? claimsOf(statement) : E.left(invalid)
  } catch {
    return E.left(invalid)
  }
}

/**
 * RFC 7591 §2.3: verifies statements of the trusted issuers; without trusted issuers, every statement is unapproved.
 */
export const createSoftwareStatements = (trusted: ReadonlyArray<TrustedIssuer>): SoftwareStatements => {
  const keysOf = new Map(trusted.map(({ issuer, jwks }) => [issuer, createLocalJWKSet(jwks)]))
  return {
    readSoftwareStatement: (statement, audience) => async () => {
      const issuer = issuerOf(statement)
      if (E.isLeft(issuer)) return issuer
      const keys = keysOf.get(issuer.right)
      return keys === undefined ? E.left(unapproved) : verified(statement, audience, issuer.right, keys)
    },
  }
}

// RFC 7515 §7.1: three parts; a signature may be empty, and then verifies by no key
const partsOf = (jwt: string): ReadonlyArray<string> | undefined => {
  const parts = jwt.split('.', 4)
  return parts.length === 3 && parts.every((part) => part === '' || isStrictBase64url(part)) ? parts : undefined
}

// jose refuses a set that is none when it is made.
const verifies = async (jwt: string, keySet: unknown, algorithms: ReadonlyArray<string>): Promise<boolean> => {
  try {
    const keys = createLocalJWKSet(keySet as JSONWebKeySet)
    await byMatchingKey(keys, (key) => compactVerify(jwt, key, { algorithms: [...algorithms] }))
    return true
  } catch {
    return false
  }
}

/** Open Banking DCR 3.3: opens and verifies registration requests that are signed as a whole. */
export const createSignedBodies = (): Omit<SignedBodies, 'fetchKeySet'> => ({
  openSignedBody: (jwt) => {
    const [head, payload] = partsOf(jwt) ?? []
    return pipe(
      O.Do,
      O.bind('header', () => strictJsonPart(head)),
      O.bind('claims', () => strictJsonPart(payload)),
      E.fromOption(() => 'signed-body' as const),
    )
  },
  verifySignedBody: (jwt, keySet, algorithms) => () => verifies(jwt, keySet, algorithms),
})

/** By which the responses of a login page are verified: its public keys, or a secret that both sides know. */
export type HandOverKey =
  { readonly kind: 'public'; readonly jwks: JSONWebKeySet } | { readonly kind: 'secret'; readonly secret: string }

export type HandOverReader = {
  /** Verifies the signature; the claims are not judged yet. */
  readonly readHandOver: (response: string) => TE.TaskEither<LoginRefused, SignedHandOver>
}

// RFC 8725 §3.1 and §3.2: the key determines the algorithm, so that a public key never verifies an HMAC.
const verifierOf = (key: HandOverKey): ((token: string) => Promise<Uint8Array>) => {
  if (key.kind === 'public') {
    const keys = createLocalJWKSet(key.jwks)
    return (token) => byMatchingKey(keys, async (each) => (await compactVerify(token, each, { algorithms })).payload)
  }
  const secret = new TextEncoder().encode(key.secret)
  return async (token) => (await compactVerify(token, secret, { algorithms: ['HS256'] })).payload
}

const malformed = (): LoginRefused => loginRefused('the response of the login page must be a signed JWT')
const badSignature = (): LoginRefused =>
  loginRefused('the response of the login page is not signed with its configured key')

/** Reads the signed responses of a login page of the host. */
export const createHandOverReader = (key: HandOverKey): HandOverReader => {
  const verify = verifierOf(key)
  return {
    readHandOver: (response) =>
      pipe(
        TE.fromEither(readCompactToken(response)),
        TE.mapLeft(malformed),
        TE.filterOrElse(({ segments }) => segments === 3, malformed),
        TE.flatMap(({ text, typ }) =>
          pipe(
            TE.tryCatch(() => verify(text), badSignature),
            TE.flatMapEither((payload) => pipe(jsonObjectOf(payload), E.mapLeft(malformed))),
            TE.map((claims) => ({ typ, claims })),
          ),
        ),
      ),
  }
}
