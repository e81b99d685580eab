import { Issuer } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'

/** The text of a column issued_by. */
export const issuerText = (issuer: Issuer): string => JSON.stringify(Issuer.encode(issuer))

/** Undefined for a text of another kind: nothing depends on who issued a token. */
export const readIssuer = (text: string): Issuer | undefined =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.filter(Issuer.is),
    O.toUndefined,
  )
