// From the claims of another OpenID provider to those of this one: OpenID Connect Core §5.1 and §5.7.
import * as E from 'fp-ts/lib/Either.js'
import { type JsonObject, ownMember } from '../codec/json-object.js'
import { type LoginRefused, loginRefused } from './login-refused.js'

export type UpstreamMapping = {
  /** The claim whose value becomes sub as it is; the digest of issuer and sub when undefined. */
  readonly subjectClaim: string | undefined
  /** The claims that are passed on. */
  readonly claims: ReadonlyArray<string>
}

/** OpenID Core §2: claims about the authentication, which are passed on always. */
const always = ['auth_time', 'acr', 'amr']

/**
 * The claims of the end-user here. OpenID Core §5.7: only iss and sub together identify an end-user, so that sub here is
 * a digest of both: `digest`.
 */
export const mapUpstreamClaims =
  ({ subjectClaim, claims }: UpstreamMapping, digest: string) =>
  (upstream: JsonObject): E.Either<LoginRefused, Readonly<Record<string, unknown>>> => {
    const sub = subjectClaim === undefined ? digest : ownMember(upstream, subjectClaim)
    if (typeof sub !== 'string')
      return E.left(loginRefused(`the upstream provider did not assert the claim ${subjectClaim ?? 'sub'} as a text`))
    const passed = [...claims, ...always].filter((name) => name !== 'sub' && Object.hasOwn(upstream, name))
    return E.right(Object.fromEntries([...passed.map((name) => [name, upstream[name]]), ['sub', sub]]))
  }
