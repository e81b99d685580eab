// The modules of the plans for Basic OP, which differ in the response mode alone.
import * as claims from './claims.js'
import * as parameters from './parameters.js'
import type { Modules } from './plan.js'
import * as redirects from './redirects.js'
import { refreshTokens } from './refresh-tokens.js'
import * as requestObjects from './request-objects.js'
import * as responses from './responses.js'
import * as sessions from './sessions.js'

export const basicModules: Modules<'oidcc-basic-certification-test-plan'> = {
  'oidcc-server': responses.server,
  'oidcc-response-type-missing': responses.responseTypeMissing,
  'oidcc-idtoken-signature': responses.idTokenSignature,
  'oidcc-idtoken-unsigned': responses.idTokenUnsigned,
  'oidcc-userinfo-get': claims.userInfoGet,
  'oidcc-userinfo-post-header': claims.userInfoPostHeader,
  'oidcc-userinfo-post-body': claims.userInfoPostBody,
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': responses.withoutNonce,
  'oidcc-scope-profile': claims.scopeProfile,
  'oidcc-scope-email': claims.scopeEmail,
  'oidcc-scope-address': claims.scopeAddress,
  'oidcc-scope-phone': claims.scopePhone,
  'oidcc-scope-all': claims.scopeAll,
  'oidcc-alternate-happy-flow': claims.alternateHappyFlow,
  'oidcc-display-page': parameters.displayPage,
  'oidcc-display-popup': parameters.displayPopup,
  'oidcc-prompt-login': sessions.promptLogin,
  'oidcc-prompt-none-not-logged-in': sessions.promptNoneNotLoggedIn,
  'oidcc-prompt-none-logged-in': sessions.promptNoneLoggedIn,
  'oidcc-max-age-1': sessions.maxAge1,
  'oidcc-max-age-10000': sessions.maxAge10000,
  'oidcc-ensure-request-with-unknown-parameter-succeeds': parameters.unknownParameter,
  'oidcc-id-token-hint': sessions.idTokenHint,
  'oidcc-login-hint': parameters.loginHint,
  'oidcc-ui-locales': parameters.uiLocales,
  'oidcc-claims-locales': parameters.claimsLocales,
  'oidcc-ensure-request-with-acr-values-succeeds': parameters.acrValues,
  'oidcc-codereuse': responses.codeReuse,
  'oidcc-ensure-registered-redirect-uri': redirects.registeredRedirectUri,
  'oidcc-ensure-post-request-succeeds': parameters.postRequest,
  'oidcc-server-client-secret-post': responses.clientSecretPost,
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': requestObjects.requestUri,
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': requestObjects.unsignedRequestObject,
  'oidcc-claims-essential': claims.claimsEssential,
  'oidcc-ensure-request-object-with-redirect-uri': requestObjects.requestObjectWithRedirectUri,
  'oidcc-refresh-token': refreshTokens,
  'oidcc-ensure-request-with-valid-pkce-succeeds': parameters.validPkce,
  'oidcc-codereuse-30seconds': responses.codeReuseAfter30Seconds.end,
}

export const { begin } = responses.codeReuseAfter30Seconds
