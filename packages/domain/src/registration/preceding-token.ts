// RFC 7592 §2.2: an update may answer with a new registration access token. The answer may be lost: therefore the token
// of the request stays valid until the new one is first used, within a grace.
import type { PresentedCredential, TokenHash } from '../authorization/credential.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'

/** The registration access token before the newest one. It opens the client before that time, if it was not ended. */
export type PrecedingToken = { readonly hash: TokenHash; readonly until: EpochSeconds }

/** The tokens of a client: all others that were ever issued for it open nothing. */
type TokensOfClient = {
  readonly registration_access_token: { readonly hash: TokenHash }
  readonly preceding_token?: PrecedingToken
}

/** Whether the token of the digest opens the client: the newest one, or the one before it in its grace. */
export const opensClient = (
  { registration_access_token, preceding_token }: TokensOfClient,
  hash: TokenHash,
  at: EpochSeconds,
): boolean => registration_access_token.hash === hash || (preceding_token?.hash === hash && at < preceding_token.until)

/**
 * The token that precedes the new one of an update: that of the request, if a client presented one. The grace of one that precedes already goes on
 * as it began, so that no token is valid for longer. An operator is not locked out by a lost answer, and leaves none.
 */
export const precedingAfterUpdate = (
  { registration_access_token, preceding_token }: TokensOfClient,
  presented: TokenHash | undefined,
  at: EpochSeconds,
  grace: number,
): PrecedingToken | undefined => {
  if (grace === 0 || presented === undefined) return undefined
  if (presented === registration_access_token.hash) return { hash: presented, until: secondsAfter(at, grace) }
  return presented === preceding_token?.hash ? preceding_token : undefined
}

/** Whether a request with the credential is the first use of the newest token, which ends the one before it. */
export const endsPrecedingToken = (
  credential: PresentedCredential,
  { registration_access_token, preceding_token }: TokensOfClient,
): boolean =>
  preceding_token !== undefined && credential.kind === 'token' && credential.hash === registration_access_token.hash
