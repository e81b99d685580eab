import {
  type Encryption,
  type OperatorToken,
  EpochSeconds,
  TokenHash,
  managementScope,
  parseManagementPrivileges,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { issuerText, readIssuer } from './issuer-text.js'
import { requireProof, rowContext } from './row-context.js'
import { type ReadRow, unreadableRow } from './read-row.js'

/** A row of the table operator_tokens. */
export const OperatorTokenRow = t.type({
  hash: TokenHash,
  privileges: t.string,
  name: t.union([t.string, t.null]),
  issued_at: EpochSeconds,
  expires_at: EpochSeconds,
  issued_by: t.string,
  proof: t.string,
})
type Row = t.TypeOf<typeof OperatorTokenRow>

/** The columns of a token, without the proof. */
export const toOperatorTokenRow = (token: OperatorToken): Omit<Row, 'proof'> => ({
  hash: token.hash,
  privileges: managementScope(token.privileges),
  name: token.name ?? null,
  issued_at: token.issued_at,
  expires_at: token.expires_at,
  issued_by: issuerText(token.issued_by),
})

/** The context of the proof: it binds all other columns. */
export const operatorTokenContext = (row: Omit<Row, 'proof'>): string =>
  rowContext('operator_tokens', [row.hash, row.privileges, row.name, row.issued_at, row.expires_at, row.issued_by])

const unreadable = unreadableRow('an operator token cannot be read')

const tokenOf = ({ hash, privileges, name, issued_at, expires_at, issued_by }: Row): O.Option<OperatorToken> =>
  pipe(
    O.Do,
    O.bind('granted', () => parseManagementPrivileges(privileges)),
    O.bind('issuer', () => O.fromNullable(readIssuer(issued_by))),
    O.map(({ granted, issuer }) => ({
      hash,
      privileges: granted,
      ...(name === null ? {} : { name }),
      issued_at,
      expires_at,
      issued_by: issuer,
    })),
  )

/** The token of a row. */
export const fromOperatorTokenRow =
  (encryption: Encryption): ReadRow<OperatorToken> =>
  (row) =>
    pipe(
      TE.fromEither(OperatorTokenRow.decode(row)),
      TE.mapLeft(() => unreadable),
      TE.tap((found) => requireProof(encryption, found.proof, operatorTokenContext(found), unreadable)),
      TE.flatMap((found) => TE.fromOption(() => unreadable)(tokenOf(found))),
    )
