/**
 * What a restored database leaves out, by table: promises of single use, what may have been ended, revoked or withdrawn
 * since the backup, and the days that say which clients were not used, because some may have been since.
 */
export const forgottenTables = [
  'initial_access_tokens',
  'operator_tokens',
  'end_user_sessions',
  'authorizations',
  'artefacts',
  'consents',
  'observed_days',
] as const

/** The numbers of rows. */
export type Forgotten = Readonly<Record<(typeof forgottenTables)[number], number>>

/** The numbers of all these tables by the number of one. */
export const forgottenBy = (countOf: (table: (typeof forgottenTables)[number]) => number): Forgotten => ({
  initial_access_tokens: countOf('initial_access_tokens'),
  operator_tokens: countOf('operator_tokens'),
  end_user_sessions: countOf('end_user_sessions'),
  authorizations: countOf('authorizations'),
  artefacts: countOf('artefacts'),
  consents: countOf('consents'),
  observed_days: countOf('observed_days'),
})
