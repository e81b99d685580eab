import { type EpochSeconds, type JsonObject, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import {
  type AuthenticatedEndUser,
  type LoginRefused,
  admitEndUser,
  loginRefused,
  mapUpstreamClaims,
  readEndUser,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createHash } from 'node:crypto'
import type { UpstreamSettings } from './upstream-settings.js'

/** What the upstream provider answered, after all checks of the standards. */
export type Redeemed = {
  readonly idToken: { readonly iss: string; readonly sub: string } | undefined
  readonly id_token: string | undefined
  readonly userInfo: object
  readonly end_session_endpoint: string | undefined
}

/** OpenID Core §5.7: iss and sub together; as JSON, so that two pairs never give one text. */
const digestOf = (iss: string, sub: string): string =>
  createHash('sha256')
    .update(JSON.stringify([iss, sub]))
    .digest('base64url')

const verification = new Set(['email', 'email_verified'])

// The ID token is signed, so that its claims precede those of the UserInfo response. An address is verified by what stands
// beside it (OpenID Connect Core §5.1): the two are never of different documents.
const claimsOf = ({ idToken, userInfo }: Redeemed): E.Either<LoginRefused, JsonObject> => {
  const hasAddress = Object.hasOwn(idToken ?? {}, 'email')
  const without = (claims: object): object =>
    Object.fromEntries(Object.entries(claims).filter(([name]) => !verification.has(name)))
  const claims = hasAddress ? { ...without(userInfo), ...idToken } : { ...userInfo, ...without(idToken ?? {}) }
  return isJsonObject(maxDepth)(claims)
    ? E.right(claims)
    : E.left(loginRefused('the claims of the upstream provider are not exact JSON'))
}

const withLogout =
  ({ clientId }: UpstreamSettings, { id_token, end_session_endpoint }: Redeemed) =>
  (endUser: AuthenticatedEndUser): AuthenticatedEndUser =>
    id_token === undefined || end_session_endpoint === undefined
      ? endUser
      : { ...endUser, logoutElsewhere: { end_session_endpoint, client_id: clientId, id_token_hint: id_token } }

export const readUpstreamEndUser = (
  settings: UpstreamSettings,
  redeemed: Redeemed,
  { needsAuthTime, at }: { readonly needsAuthTime: boolean; readonly at: EpochSeconds },
): E.Either<LoginRefused, AuthenticatedEndUser> => {
  const { idToken } = redeemed
  if (idToken === undefined) return E.left(loginRefused('the upstream provider gave no ID token'))
  return pipe(
    claimsOf(redeemed),
    // OpenID Core §2: auth_time is required when max_age was sent
    E.filterOrElse(
      (claims) => !needsAuthTime || typeof claims['auth_time'] === 'number',
      () => loginRefused('the upstream provider did not assert auth_time, which max_age requires'),
    ),
    E.flatMap(admitEndUser(settings.required)),
    E.flatMap(mapUpstreamClaims(settings, digestOf(idToken.iss, idToken.sub))),
    E.flatMap((claims) => readEndUser(claims, at)),
    E.map(withLogout(settings, redeemed)),
  )
}
