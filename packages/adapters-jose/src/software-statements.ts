import { type ReadStatement, type SoftwareStatementFault, asymmetricAlgorithms } from '@clientele/domain/client'
import type { SoftwareStatements } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type JSONWebKeySet,
  type JWTPayload,
  type LocalJWKSet,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  jwtVerify,
} from 'jose'
import { byMatchingKey } from './matching-key.js'
import { strictJsonPart } from './strict-json-part.js'

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
