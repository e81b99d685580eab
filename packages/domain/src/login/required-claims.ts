// Who may sign in: what the claims of another OpenID provider must be. OpenID Connect Core §5.1.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type BrokenRule, pointerOf } from '../codec/fault.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import { broken, decode, listThat, nested, ruleCodec, valueThat } from '../codec/rule-codec.js'
import type { PolicyFault } from '../policy/decode-registration-policy.js'
import { type LoginRefused, loginRefused } from './login-refused.js'

type Scalar = string | number | boolean

/**
 * A claim, or the JSON pointer (RFC 6901) of a value in one, and the values of which it must have one. Of `email`, these
 * are addresses, and domains that begin with @.
 */
export type RequiredClaim = { readonly claim: string; readonly values: ReadonlyArray<Scalar> }

/** Each of them must hold. */
export type RequiredClaims = ReadonlyArray<RequiredClaim>

// One @, and no character that a mail system or a reader could take for another.
const address = /^[\x21-\x3F\x41-\x7E]*@[A-Za-z0-9.-]+$/

const isAddressOrDomain = (value: unknown): value is string => typeof value === 'string' && address.test(value)

const isScalar = (value: unknown): value is Scalar =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'

const addresses = listThat(
  'must be a JSON array',
  valueThat('must be an e-mail address, or a domain that begins with @, such as @example.com', isAddressOrDomain),
)
const scalars = listThat('must be a JSON array', valueThat('must be a text, a number, true or false', isScalar))

// Also as a JSON pointer
const isAddressClaim = (claim: string): boolean => claim === 'email' || claim === '/email'

const valuesOf = (value: unknown): unknown => (Array.isArray(value) ? value : [value])

const faultsOf = ([claim, value]: readonly [string, unknown]): ReadonlyArray<BrokenRule<string>> => {
  const values = valuesOf(value)
  const faults = (isAddressClaim(claim) ? addresses : scalars).brokenRules(values)
  const empty = Array.isArray(value) && value.length === 0 ? [broken('must have at least one value')] : []
  return [...empty, ...faults].map(nested(claim))
}

type Json = Readonly<Record<string, Scalar | ReadonlyArray<Scalar>>>

const json = ruleCodec<Json, string>('RequiredClaims', (value) => {
  if (!isPlainObject(value)) return [broken('must be a JSON object with the claims and their values')]
  const entries = Object.entries(value)
  return entries.length === 0
    ? [broken('must name a claim: leave the setting out to let every end-user of the provider sign in')]
    : entries.flatMap(faultsOf)
})

/** A parsed JSON value as requirements, or all of its faults. */
export const decodeRequiredClaims = (value: unknown): E.Either<ReadonlyArray<PolicyFault>, RequiredClaims> =>
  pipe(
    decode(json)(value),
    E.map((claims) => Object.entries(claims).map(([claim, values]) => ({ claim, values: [values].flat() }))),
    E.mapLeft((faults) => faults.map(({ rule, path }) => ({ pointer: pointerOf(path), description: rule }))),
  )

const stepsOf = (claim: string): ReadonlyArray<string> =>
  claim.startsWith('/')
    ? claim
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [claim]

const valueAt = (claims: unknown, claim: string): unknown =>
  stepsOf(claim).reduce<unknown>((value, step) => (isPlainObject(value) ? ownMember(value, step) : undefined), claims)

// RFC 1035 §2.3.3: the case of a domain has no meaning; that of the part before @ has (RFC 5321 §2.4). Only ASCII is
// compared, because other letters become ASCII ones in lower case.
const isAddressLike = (value: string, wanted: string): boolean => {
  const [local = '', domain = ''] = value.split('@')
  const [wantedLocal = '', wantedDomain = ''] = wanted.split('@')
  return (
    local !== '' && (wantedLocal === '' || wantedLocal === local) && domain.toLowerCase() === wantedDomain.toLowerCase()
  )
}

// OpenID Connect Core §5.1: only where email_verified is true, the address is known to be the end-user's.
const hasAddress = (claims: unknown, wanted: ReadonlyArray<Scalar>): boolean => {
  const email = valueAt(claims, 'email')
  return (
    valueAt(claims, 'email_verified') === true &&
    typeof email === 'string' &&
    address.test(email) &&
    wanted.some((each) => isAddressLike(email, String(each)))
  )
}

const holds =
  (claims: unknown) =>
  ({ claim, values }: RequiredClaim): boolean => {
    if (isAddressClaim(claim)) return hasAddress(claims, values)
    const present = valuesOf(valueAt(claims, claim))
    return values.some((value) => Array.isArray(present) && present.includes(value))
  }

/** Whether an end-user with these claims may sign in. Total for any value; the refusal names no value. */
export const admitEndUser =
  (required: RequiredClaims) =>
  <Claims>(claims: Claims): E.Either<LoginRefused, Claims> => {
    const missing = required.find((each) => !holds(claims)(each))
    return missing === undefined
      ? E.right(claims)
      : E.left(
          loginRefused(
            `the end-user has no value of ${missing.claim} that upstream-required-claims names`,
            'not_permitted',
          ),
        )
  }
