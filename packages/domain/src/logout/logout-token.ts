import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from '../keys/key-settings.js'
import { type UnsignedToken, ownTokenTypes } from '../keys/unsigned-token.js'
import type { LogoutNotification } from './logout-notification.js'

/** Back-Channel Logout §2.4: at most two minutes into the future. */
const maxLifetime = 120

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/**
 * Back-Channel Logout §2.4: the claims of the logout token; the signer adds iss, iat and exp. There is no nonce, so
 * that the token cannot pass for an ID token.
 */
export const logoutToken = (
  { retention }: Pick<KeyPolicy, 'retention'>,
  { alg, client_id, sub, sid }: LogoutNotification,
  jti: string,
  at: EpochSeconds,
): UnsignedToken => ({
  alg,
  typ: ownTokenTypes.logoutToken,
  claims: { aud: client_id, jti, sub, sid, events: { [logoutEvent]: {} } },
  expiresAt: secondsAfter(at, Math.min(maxLifetime, retention)),
})
