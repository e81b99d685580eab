// The end-user of an OAuth 2.0 server that is no OpenID provider: who its user endpoint says that it is.
import * as E from 'fp-ts/lib/Either.js'
import { type JsonObject, isJsonObject, isPlainObject, maxDepth, ownMember } from '../kernel/json-object.js'
import { type LoginRefused, loginRefused } from './login.js'

/** What the settings say of such a server. */
export type PlainOAuth = {
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  /** Answers with a JSON object about the end-user. */
  readonly user_endpoint: string
  /** Answers with a JSON array of the addresses of the end-user, each with `email`, `primary` and `verified`. */
  readonly emails_endpoint: string | undefined
  /** The member of the end-user that never changes, and is never given to another one. */
  readonly subject_member: string
  /** By the names of claims, the members of the end-user that they are. */
  readonly claim_members: Readonly<Record<string, string>>
}

// RFC 8259 §6: readers agree on whole numbers up to 2^53 only.
const subjectIn = (value: unknown): string | undefined => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isVerified = (entry: unknown): boolean =>
  isPlainObject(entry) &&
  ownMember(entry, 'primary') === true &&
  ownMember(entry, 'verified') === true &&
  typeof ownMember(entry, 'email') === 'string'

// OpenID Connect Core §5.1: email_verified says that the provider took steps to know that the address is the end-user's.
const verifiedAddress = (emails: unknown): Readonly<Record<string, unknown>> => {
  const entry: unknown = Array.isArray(emails) ? emails.find(isVerified) : undefined
  return isPlainObject(entry) ? { email: ownMember(entry, 'email'), email_verified: true } : {}
}

/** Where the addresses have an endpoint of their own, none is taken from the end-user. */
export const isAddress = (claim: string): boolean => claim === 'email' || claim === 'email_verified'

// A text such as "false" is no answer to whether an address is verified.
const isStated = (claim: string, value: unknown): boolean =>
  claim === 'email_verified' ? typeof value === 'boolean' : value !== undefined && value !== null

/**
 * The claims of the end-user, with `sub`, from what both endpoints answered. Total for any values; `emails` counts only
 * where there is an endpoint for them.
 */
export const readPlainUser = (
  { subject_member, claim_members, emails_endpoint }: PlainOAuth,
  { user, emails }: { readonly user: unknown; readonly emails: unknown },
): E.Either<LoginRefused, JsonObject & { readonly sub: string }> => {
  if (!isPlainObject(user))
    return E.left(loginRefused('the user endpoint of the upstream provider gave no JSON object'))
  const sub = subjectIn(ownMember(user, subject_member))
  if (sub === undefined)
    return E.left(
      loginRefused(
        `the user endpoint gave no ${subject_member} that is a text or an exact whole number: see subject_member`,
      ),
    )
  const mapped = Object.entries(claim_members)
    .filter(([claim]) => emails_endpoint === undefined || !isAddress(claim))
    .map(([claim, member]) => [claim, ownMember(user, member)] as const)
    .filter(([claim, value]) => isStated(claim, value))
  const addresses = emails_endpoint === undefined ? {} : verifiedAddress(emails)
  const claims: unknown = { ...Object.fromEntries(mapped), ...addresses }
  return isJsonObject(maxDepth)(claims)
    ? E.right({ ...claims, sub })
    : E.left(loginRefused('the claims of the upstream provider are not exact JSON'))
}
