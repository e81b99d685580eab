// What the ecosystems of signed requests demand, and how their software statements name client metadata.
import type { JsonObject, JsonValue } from '../codec/json-object.js'
import type { MemberName } from '../client/members.js'
import type { SignedBodiesPolicy } from '../policy/signed-bodies-policy.js'

type Claim = { readonly claim: string; readonly member: MemberName }

export type SignedFormat = {
  /** The algorithms of the signature of a request. */
  readonly algorithms: ReadonlyArray<string>
  /** The claims of a software statement that are client metadata by another name. */
  readonly asserted: ReadonlyArray<Claim>
  /** The claim with all redirection URIs of the software, of which a request may choose some. */
  readonly redirectUris: string
  /** The claims that say which keys sign a request: a set, and the URI of one. */
  readonly keySet: string
  readonly keySetUri: string
}

export const signedFormats: Readonly<Record<SignedBodiesPolicy['format'], SignedFormat>> = {
  uk: {
    // FAPI 1.0 Part 2 §8.6, narrowed by the directory
    algorithms: ['PS256'],
    // Open Banking Directory, software statement: names of RFC 7591 §2 with a prefix
    asserted: [
      { claim: 'software_client_name', member: 'client_name' },
      { claim: 'software_client_uri', member: 'client_uri' },
      { claim: 'software_logo_uri', member: 'logo_uri' },
      { claim: 'software_policy_uri', member: 'policy_uri' },
      { claim: 'software_tos_uri', member: 'tos_uri' },
    ],
    // Open Banking DCR 3.3, OBClientRegistrationRequest1: redirect_uris
    redirectUris: 'software_redirect_uris',
    // Open Banking DCR 3.3, Of JWS & JWKS
    keySet: 'software_jwks',
    keySetUri: 'software_jwks_endpoint',
  },
}

/** The own claim of an object; inherited ones are ignored. */
export const claimOf = (claims: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(claims, name) ? claims[name] : undefined

// Directories write null or an empty text for what a software does not have.
const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null && value !== ''

/** The keys of the software, as the members of RFC 7591 §2: the URI, or else the set itself. */
export const keysOfStatement = (
  { keySet, keySetUri }: SignedFormat,
  claims: JsonObject,
): { readonly jwks_uri?: JsonValue; readonly jwks?: JsonValue } => {
  const uri = claimOf(claims, keySetUri)
  const keys = claimOf(claims, keySet)
  if (isGiven(uri)) return { jwks_uri: uri }
  return isGiven(keys) ? { jwks: keys } : {}
}

// RFC 7591 §2: software_version is a text; the directory writes a number
const versionIn = (claims: JsonObject): JsonObject => {
  const version = claimOf(claims, 'software_version')
  return typeof version === 'number' ? { software_version: String(version) } : {}
}

/** The claims of a software statement, with client metadata by the names of RFC 7591 §2. */
export const assertedMetadata = (format: SignedFormat, claims: JsonObject): JsonObject => {
  const named = format.asserted.flatMap(({ claim, member }): ReadonlyArray<readonly [string, JsonValue]> => {
    const value = claimOf(claims, claim)
    return isGiven(value) ? [[member, value]] : []
  })
  return { ...claims, ...Object.fromEntries(named), ...keysOfStatement(format, claims), ...versionIn(claims) }
}
