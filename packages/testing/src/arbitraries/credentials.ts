import * as fc from 'fast-check'
import { type PresentedCredential, TokenHash } from '@clientele/domain/authorization'
import { managementPrivileges } from './management-privileges.js'

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
