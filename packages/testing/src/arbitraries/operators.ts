import * as fc from 'fast-check'
import type { Issuer, OperatorToken } from '@clientele/domain/authorization'
import { tokenHash } from './credentials.js'
import { epochSecond } from './generated-credentials.js'
import { issuablePrivileges } from './management-privileges.js'

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
