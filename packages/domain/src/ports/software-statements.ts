// Whether a software statement is signed by an issuer that the operator trusts: RFC 7591 §2.3.
import type * as T from 'fp-ts/lib/Task.js'
import type { ReadStatement } from '../client/software-statement.js'

export type SoftwareStatements = {
  /** The claims of the JWT when its signature, times and audience (if it names any) hold, or which of its two faults it has. */
  readonly readSoftwareStatement: (statement: string, audience: ReadonlyArray<string>) => T.Task<ReadStatement>
}
