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
} from '../provider/scope.js'
export {
  eachClientOfMaster,
  permitsIntrospection,
  type IntrospectedToken,
  type IntrospectionPolicy,
  type IntrospectionRequest,
} from '../provider/scope.js'
export { decodeResourcePolicy } from '../provider/scope.js'
export { type Artefact, type ArtefactKind, type StoredArtefact, artefactKinds } from '../provider/artefacts.js'
export { type Artefacts, type RefusedArtefact, type UnknownGrant, unknownGrant } from '../ports/store.js'
export {
  type AlreadyConsumed,
  type PermittedUse,
  type RefreshTokenUse,
  type RefreshTokenUses,
  alreadyConsumed,
  decideRefreshTokenUse,
} from '../provider/artefacts.js'
export { type Consent } from '../provider/consent.js'
export { type Consents } from '../ports/store.js'
export {
  type AnsweredInteraction,
  type BrowserCookies,
  type Interaction,
  type InteractionAnswer,
  type InteractionGone,
  type InteractionRefusal,
  type Interactions,
  interactionGone,
} from '../ports/outside.js'
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
} from '../provider/consent.js'
export { describeForConsent } from '../provider/consent.js'
export { decideConsent, type ConsentDecision } from '../provider/consent.js'
export {
  claimLoginAttempt,
  maxLoginAttempts,
  type ClaimLoginAttemptPorts,
  type LoginAttempt,
} from '../operations/sign-in.js'
export {
  listConsents,
  type ConsentOfClient,
  type ListConsentsPorts,
  type ListedConsents,
} from '../operations/consents.js'
export { type LogoutElsewherePorts } from '../ports/outside.js'
export { type EndUserClaims } from '../ports/outside.js'
export { shownFacts } from '../provider/consent.js'
export { shownEndUser, type ShownEndUser } from '../provider/consent.js'
export { clientLink } from '../provider/consent.js'
