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
  decideOthers,
  usualDelivery,
  type DeliveryPolicy,
  type DeliveryResult,
  type TriedNotice,
} from '../logout/delivery.js'
export { NoticeDescription, deliveryIsOff } from '../logout/describe-notices.js'
export { AskedWayBack, HintedUser, LogoutAnswer, OfferedDialog, ShownSession } from '../logout/logout-dialog.js'
export { LogoutNotice, OutboxEntry } from '../logout/logout-notice.js'
export { HintFault, NoWayBack } from '../logout/no-way-back.js'

// The operations
export {
  deliverLogouts,
  forgetLogouts,
  type DeliverLogoutsPorts,
  type DeliverySettings,
} from '../use-cases/deliver-logouts.js'
export {
  manageLogouts,
  type LogoutManagement,
  type ManageLogoutsPorts,
  type ManageLogoutsSettings,
  type NoticeList,
  type RetriedNotices,
} from '../use-cases/manage-logouts.js'

// What that needs from the world
export { sessionChanged, type EndUserSessions, type SessionChanged } from '../ports/end-user-sessions.js'
export { type IdTokenHints, type SignedHint } from '../ports/id-token-hints.js'
export { type LogoutOutbox, type LogoutSender } from '../ports/logout-outbox.js'
export { type AnsweredDialog, type EndedSession, type Logouts } from '../ports/logouts.js'
