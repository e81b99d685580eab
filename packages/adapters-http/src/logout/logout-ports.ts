import type { HashText } from '@clientele/domain/authorization'
import type { ConfirmLogoutPorts, RequestLogoutPorts } from '@clientele/domain/operations'
import type { EndUserClaims, WrittenNotifications } from '@clientele/domain/ports'
import type { PageRenderer } from '../pages/rendered-page.js'

/** Called after a session ended: there may be notifications to deliver, and some that were removed. */
export type SessionEnded = (written: WrittenNotifications) => void

/** The ports of the end-session endpoint. */
export type LogoutPorts = RequestLogoutPorts &
  ConfirmLogoutPorts &
  Partial<EndUserClaims> & {
    readonly hashToken: HashText
    readonly sessionEnded: SessionEnded
    readonly renderPage: PageRenderer
  }
