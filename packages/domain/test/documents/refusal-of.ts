import * as E from 'fp-ts/lib/Either.js'
import { type SentMetadata, decodeRegistrationRequest } from '../../src/registration/decide.js'
import type { RuleBook } from '../../src/client/rules.js'
import type { Fault } from '../../src/kernel/faults.js'

/** The refusal of a registration. */
export const refusalOf =
  (book: RuleBook) =>
  (sent: SentMetadata): ReadonlyArray<Fault> => {
    const decoded = decodeRegistrationRequest(book)(sent)
    return E.isLeft(decoded) && 'errors' in decoded.left ? decoded.left.errors : []
  }
