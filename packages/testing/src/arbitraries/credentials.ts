import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  type InitialAccessToken,
  type Issuer,
  type ManagementPrivileges,
  type OperatorToken,
  type PresentedCredential,
  TokenHash,
  allManagementPrivileges,
  issuableManagementPrivileges,
  noPrivileges,
  parseRegistrationScope,
  unionOfManagement,
} from '@clientele/domain/authorization'
import { EpochSeconds } from '@clientele/domain/kernel'
import { registrationScope } from './privileges.js'

/** A time between 2001 and 2096. */
export const epochSecond = (): fc.Arbitrary<EpochSeconds> =>
  fc.integer({ min: 1_000_000_000, max: 4_000_000_000 }).filter(EpochSeconds.is)

const base64url = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/** The keyed digest of a token: 43 characters of base64url. */
export const tokenHash = (): fc.Arbitrary<TokenHash> =>
  fc.string({ unit: fc.constantFrom(...base64url), minLength: 43, maxLength: 43 }).filter(TokenHash.is)

/** Any credential of a request; a token has one of the hashes or another one. */
export const presentedCredential = (...hashes: ReadonlyArray<TokenHash>): fc.Arbitrary<PresentedCredential> =>
  fc.oneof(
    fc.constantFrom<PresentedCredential>({ kind: 'none' }, { kind: 'unusable' }, { kind: 'store' }, { kind: 'master' }),
    fc.record({ kind: fc.constant('operator_token' as const), hash: tokenHash(), privileges: managementPrivileges() }),
    tokenHash().map((hash): PresentedCredential => ({ kind: 'token', hash })),
    ...hashes.map((hash) => fc.constant<PresentedCredential>({ kind: 'token', hash })),
  )

const subsetOf = (privileges: ManagementPrivileges, minLength: number): fc.Arbitrary<ManagementPrivileges> =>
  fc.subarray([...privileges], { minLength }).map((some) => unionOfManagement(some, []))

/** Any privileges of an operator. */
export const managementPrivileges = (): fc.Arbitrary<ManagementPrivileges> => subsetOf(allManagementPrivileges, 0)

/** Any privileges that an operator token may have. */
export const issuablePrivileges = (): fc.Arbitrary<ManagementPrivileges> => subsetOf(issuableManagementPrivileges, 1)

/** The operator who may issue a token. */
export const issuer = (): fc.Arbitrary<Issuer> =>
  fc.oneof(
    fc.constant<Issuer>({ kind: 'store', fingerprint: '' }),
    tokenHash().map((hash): Issuer => ({ kind: 'master', fingerprint: hash.slice(0, 12) })),
    tokenHash().map((hash): Issuer => ({ kind: 'operator_token', fingerprint: hash.slice(0, 12), id: hash })),
  )

/** An operator token of any age. */
export const operatorToken = (): fc.Arbitrary<OperatorToken> =>
  fc.record(
    {
      hash: tokenHash(),
      privileges: issuablePrivileges(),
      name: fc.string({ unit: fc.constantFrom('a', 'Ł', ' ', '"', '😀', 'ش'), minLength: 1, maxLength: 40 }),
      issued_at: epochSecond(),
      expires_at: epochSecond(),
      issued_by: issuer(),
    },
    { requiredKeys: ['hash', 'privileges', 'issued_at', 'expires_at', 'issued_by'], noNullPrototype: true },
  )

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
