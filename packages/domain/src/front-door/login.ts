// The login of end-users by another party: OpenID Connect Core §3.1.2.3
export {
  type BegunLogin,
  type DevelopmentAccount,
  type EndUserLogin,
  type LoginElsewhere,
} from '../ports/end-user-login.js'
export { type LoginRefused, loginRefused } from '../login/login-refused.js'
export { isEndUserClaim, maxAuthenticationSkew, readEndUser } from '../login/read-end-user.js'
export { LoginState, acceptAuthTime, acceptReturn, loginLifetime, type LoginReturn } from '../login/login-state.js'
export {
  type HandOverExpectation,
  type SignedHandOver,
  judgeHandOver,
  maxHandOverLifetime,
} from '../login/hand-over.js'
export {
  type RequiredClaim,
  type RequiredClaims,
  admitEndUser,
  decodeRequiredClaims,
} from '../login/required-claims.js'
export { type UpstreamMapping, mapUpstreamClaims } from '../login/upstream-claims.js'
export { type AuthenticatedEndUser } from '../login/authenticated-end-user.js'
export { LogoutElsewhere } from '../login/logout-elsewhere.js'
