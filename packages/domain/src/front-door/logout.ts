// End-user sessions and their end: OpenID RP-Initiated, Back-Channel and Front-Channel Logout
export {
  EndUserSession,
  SessionClient,
  Subject,
  endOf,
  isLive,
  mostSessionClients,
  used,
  withClient,
  type SubjectBrand,
} from '../sessions/end-user-session.js'
export {
  decideDelivery,
  usualDelivery,
  type DeliveryPolicy,
  type DeliveryResult,
  type TriedNotice,
} from '../logout/delivery.js'
export { AskedWayBack, HintedUser, LogoutAnswer, OfferedDialog, ShownSession } from '../logout/logout-dialog.js'
export { LogoutNotice, OutboxEntry } from '../logout/logout-notice.js'
export { HintFault, NoWayBack } from '../logout/no-way-back.js'

// What that needs from the world
export { sessionChanged, type EndUserSessions, type SessionChanged } from '../ports/end-user-sessions.js'
export { type IdTokenHints, type SignedHint } from '../ports/id-token-hints.js'
export { type LogoutOutbox, type LogoutSender } from '../ports/logout-outbox.js'
export { type AnsweredDialog, type EndedSession, type Logouts } from '../ports/logouts.js'
