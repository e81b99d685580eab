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
  withDeclined,
  type DeclinedDialog,
  type SubjectBrand,
} from '../sessions/end-user-session.js'
export {
  decideDelivery,
  defaultDelivery,
  type DeliveryPolicy,
  type DeliveryResult,
  type TriedNotice,
} from '../logout/delivery.js'
export { NoticeDescription, deliveryIsOff } from '../logout/describe-notices.js'
export { OfferedDialog, ShownSession } from '../logout/logout-dialog.js'
export { LogoutNotice, OutboxEntry, receiverOf } from '../logout/logout-notice.js'
export { HintFault, NoWayBack } from '../logout/no-way-back.js'

export {
  decideLogoutDialog,
  type LogoutDialog,
  type LogoutFacts,
  type WayBack,
} from '../logout/decide-logout-dialog.js'
export {
  decideLogoutOutcome,
  type AnswerFacts,
  type DialogGone,
  type LogoutOutcome,
} from '../logout/decide-logout-outcome.js'
export { judgeIdTokenHint, type IdTokenHint } from '../logout/id-token-hint.js'
export { type LogoutPolicy } from '../logout/logout-policy.js'
export { usualNoticeLimits, type NoticeLimits } from '../logout/notice-limits.js'
export { readLogoutRequest, singleValue, type LogoutParameters, type LogoutRequest } from '../logout/logout-request.js'
export { shownApplication, type ShownApplication } from '../logout/shown-application.js'
export { type LogoutFrame, type SessionApplication } from '../logout/told-applications.js'
export { type SessionLifetimes } from '../sessions/read-session-request.js'

// The operations
export {
  confirmLogout,
  type ConfirmLogoutPorts,
  type ConfirmLogoutRequest,
  type ConfirmedLogout,
} from '../use-cases/confirm-logout.js'
export { endSession, type EndSessionPorts, type EndSessionRequest } from '../use-cases/end-session.js'
export {
  findSession,
  listSessions,
  type FindSessionError,
  type FindSessionPorts,
  type FindSessionRequest,
  type ListSessionsRequest,
} from '../use-cases/find-sessions.js'
export {
  recordSessionClient,
  type RecordSessionClientError,
  type RecordSessionClientPorts,
  type RecordSessionClientRequest,
} from '../use-cases/record-session-client.js'
export {
  requestLogout,
  type LogoutOffer,
  type LogoutRequestOfBrowser,
  type RequestLogoutPorts,
} from '../use-cases/request-logout.js'
export {
  startSession,
  type StartSessionPorts,
  type StartSessionRequest,
  type StartedSession,
} from '../use-cases/start-session.js'
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
export { type SignedHint, type UnverifiedHint } from '../logout/signed-hint.js'
export { type IdTokenHints, type SecretOfHint } from '../ports/id-token-hints.js'
export { type LogoutDialogs } from '../ports/logout-dialogs.js'
export { type LogoutOutbox, type LogoutSender, type NotificationClaim } from '../ports/logout-outbox.js'
export { type EndedSession, type EndingDialog, type Logouts, type WrittenNotices } from '../ports/logouts.js'
