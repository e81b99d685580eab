// End-user sessions and logout: OpenID RP-Initiated, Back-Channel and Front-Channel Logout
export {
  EndUserSession,
  SessionClient,
  Subject,
  sessionEnd,
  isLive,
  maxSessionClients,
  usedSession,
  withClient,
  withDeclined,
  type DeclinedConfirmation,
  type SubjectBrand,
} from '../sessions/end-user-session.js'
export {
  decideDelivery,
  defaultDelivery,
  type DeliveryPolicy,
  type DeliveryResult,
  type AttemptedNotification,
} from '../logout/delivery.js'
export { NotificationDescription, deliveryIsOff } from '../logout/describe-notifications.js'
export { OfferedConfirmation, ShownSession } from '../logout/logout-confirmation.js'
export { LogoutNotification, PendingNotification, receiverOf } from '../logout/logout-notification.js'
export { HintFault, PostLogoutRedirectRefusal } from '../logout/post-logout-redirect-refusal.js'

export {
  decideLogoutConfirmation,
  type LogoutConfirmation,
  type LogoutFacts,
  type PostLogoutRedirect,
} from '../logout/decide-logout-confirmation.js'
export {
  decideLogoutOutcome,
  type AnswerFacts,
  type ConfirmationGone,
  type LogoutOutcome,
} from '../logout/decide-logout-outcome.js'
export { judgeIdTokenHint, type IdTokenHint } from '../logout/id-token-hint.js'
export { type LogoutPolicy } from '../logout/logout-policy.js'
export { defaultNotificationLimits, type NotificationLimits } from '../logout/logout-policy.js'
export { readLogoutRequest, singleValue, type LogoutParameters, type LogoutRequest } from '../logout/logout-request.js'
export { shownApplication, type ShownApplication } from '../logout/shown-application.js'
export { type LogoutFrame, type SessionApplication } from '../logout/notified-applications.js'
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
  type FindSessionError,
  type FindSessionPorts,
  type FindSessionRequest,
} from '../use-cases/find-session.js'
export { listSessions, type ListSessionsRequest } from '../use-cases/list-sessions.js'
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
  deliverNotifications,
  type DeliverNotificationsPorts,
  type DeliverySettings,
} from '../use-cases/deliver-notifications.js'
export { purgeNotifications } from '../use-cases/purge-notifications.js'
export {
  manageNotifications,
  type NotificationManagement,
  type ManageNotificationsPorts,
  type ManageNotificationsSettings,
  type NotificationList,
  type RetriedNotifications,
} from '../use-cases/manage-notifications.js'

// The ports of these operations
export { sessionChanged, type EndUserSessions, type SessionChanged } from '../ports/end-user-sessions.js'
export { type SignedHint, type UnverifiedHint } from '../logout/id-token-hint.js'
export { type IdTokenHints, type SecretOfHint } from '../ports/id-token-hints.js'
export { type LogoutConfirmations } from '../ports/logout-confirmations.js'
export { type PendingNotifications, type LogoutSender, type NotificationClaim } from '../ports/pending-notifications.js'
export {
  type EndedSession,
  type EndingConfirmation,
  type SessionTermination,
  type WrittenNotifications,
} from '../ports/session-termination.js'
