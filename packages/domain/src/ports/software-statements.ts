// The verification of software statements by the issuers that the operator trusts: RFC 7591 §2.3.
import type * as T from 'fp-ts/lib/Task.js'
import type { ReadStatement } from '../client/software-statement.js'

export type SoftwareStatements = {
  /** The claims of the JWT if its signature, times and audience (if present) are valid, otherwise its fault. */
  readonly readSoftwareStatement: (statement: string, audience: ReadonlyArray<string>) => T.Task<ReadStatement>
}
