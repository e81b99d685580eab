// The authorization server: RFC 8707, RFC 7662
export {
  decideScope,
  ownScopeValues,
  type AccessTokenFormat,
  type InvalidTarget,
  type PermittedResource,
  type PermittedScope,
  type ResourcePolicy,
  type ResourceRule,
  type ScopeRefusal,
  type ScopeRequest,
  type ScopeSettings,
} from '../provider/decide-scope.js'
export {
  eachClientOfMaster,
  permitsIntrospection,
  type IntrospectedToken,
  type IntrospectionPolicy,
  type IntrospectionRequest,
} from '../provider/permit-introspection.js'
export { decodeResourcePolicy } from '../provider/decode-resource-policy.js'
export { type Artefact, type ArtefactKind, type StoredArtefact, artefactKinds } from '../provider/artefact.js'
export { type Artefacts, type RefusedArtefact, type UnknownGrant, unknownGrant } from '../ports/artefacts.js'
export {
  type AlreadyConsumed,
  type PermittedUse,
  type RefreshTokenUse,
  type RefreshTokenUses,
  alreadyConsumed,
  decideRefreshTokenUse,
} from '../provider/refresh-token-use.js'
export { type Consent, type Consents } from '../ports/consents.js'
export {
  type AnsweredInteraction,
  type BrowserCookies,
  type Interaction,
  type InteractionAnswer,
  type InteractionGone,
  type InteractionRefusal,
  type Interactions,
  interactionGone,
} from '../ports/interactions.js'
export {
  noConsentPolicy,
  type ConsentChange,
  type ConsentFacts,
  type ConsentPolicy,
  type ConsentRequest,
  type ConsentWarning,
  type Identity,
  type ProtectedName,
  type RedirectHost,
} from '../consent/consent-facts.js'
export { describeForConsent } from '../consent/describe-for-consent.js'
export { decideConsent, type ConsentDecision } from '../consent/decide-consent.js'
export {
  claimLoginAttempt,
  maxLoginAttempts,
  type ClaimLoginAttemptPorts,
  type LoginAttempt,
} from '../use-cases/claim-login-attempt.js'
export {
  listConsents,
  type ConsentOfClient,
  type ListConsentsPorts,
  type ListedConsents,
} from '../use-cases/list-consents.js'
export { type LogoutElsewherePorts } from '../ports/logout-elsewhere.js'
export { type EndUserClaims } from '../ports/end-user-claims.js'
export { shownFacts } from '../consent/shown-facts.js'
export { shownEndUser, type ShownEndUser } from '../consent/shown-end-user.js'
export { clientLink } from '../consent/client-link.js'
