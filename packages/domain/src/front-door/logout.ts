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
} from '../logout/sessions.js'
export {
  decideDelivery,
  defaultDelivery,
  type DeliveryPolicy,
  type DeliveryResult,
  type AttemptedNotification,
} from '../logout/delivery.js'
export { NotificationDescription, deliveryIsOff } from '../logout/delivery.js'
export { OfferedConfirmation, ShownSession } from '../logout/confirm.js'
export { LogoutNotification, PendingNotification, receiverOf } from '../logout/notify.js'
export { HintFault, PostLogoutRedirectRefusal } from '../logout/hint.js'

export {
  decideLogoutConfirmation,
  type LogoutConfirmation,
  type LogoutFacts,
  type PostLogoutRedirect,
} from '../logout/confirm.js'
export { decideLogoutOutcome, type AnswerFacts, type ConfirmationGone, type LogoutOutcome } from '../logout/confirm.js'
export { judgeIdTokenHint, type IdTokenHint } from '../logout/hint.js'
export { type LogoutPolicy } from '../logout/notify.js'
export { defaultNotificationLimits, type NotificationLimits } from '../logout/notify.js'
export { readLogoutRequest, singleValue, type LogoutParameters, type LogoutRequest } from '../logout/hint.js'
export { shownApplication, type ShownApplication } from '../logout/confirm.js'
export { type LogoutFrame, type SessionApplication } from '../logout/notify.js'
export { type SessionLifetimes } from '../logout/sessions.js'

// The operations
export {
  confirmLogout,
  type ConfirmLogoutPorts,
  type ConfirmLogoutRequest,
  type ConfirmedLogout,
} from '../operations/logout.js'
export { endSession, type EndSessionPorts, type EndSessionRequest } from '../operations/sessions.js'
export {
  findSession,
  type FindSessionError,
  type FindSessionPorts,
  type FindSessionRequest,
} from '../operations/sessions.js'
export { listSessions, type ListSessionsRequest } from '../operations/sessions.js'
export {
  recordSessionClient,
  type RecordSessionClientError,
  type RecordSessionClientPorts,
  type RecordSessionClientRequest,
} from '../operations/sessions.js'
export {
  requestLogout,
  type LogoutOffer,
  type LogoutRequestOfBrowser,
  type RequestLogoutPorts,
} from '../operations/logout.js'
export {
  startSession,
  type StartSessionPorts,
  type StartSessionRequest,
  type StartedSession,
} from '../operations/sessions.js'
export {
  deliverNotifications,
  type DeliverNotificationsPorts,
  type DeliverySettings,
} from '../operations/notifications.js'
export { purgeNotifications } from '../operations/notifications.js'
export {
  manageNotifications,
  type NotificationManagement,
  type ManageNotificationsPorts,
  type ManageNotificationsSettings,
  type NotificationList,
  type RetriedNotifications,
} from '../operations/notifications.js'

// The ports of these operations
export { sessionChanged, type EndUserSessions, type SessionChanged } from '../ports/store.js'
export { type SignedHint, type UnverifiedHint } from '../logout/hint.js'
export { type IdTokenHints, type SecretOfHint } from '../ports/outside.js'
export { type LogoutConfirmations } from '../ports/outside.js'
export { type PendingNotifications, type LogoutSender, type NotificationClaim } from '../ports/store.js'
export {
  type EndedSession,
  type EndingConfirmation,
  type SessionTermination,
  type WrittenNotifications,
} from '../ports/store.js'
