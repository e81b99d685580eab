import type { ConfirmLogoutPorts, RequestLogoutPorts, TokenHash, WrittenNotices } from '@clientele/domain'
import type { PageRenderer } from './rendered-page.js'

export type HashToken = (token: string) => TokenHash

/** A session has ended: there may be applications to notify, and others that are not notified any more. */
export type SessionEnded = (written: WrittenNotices) => void

/** Of the end-session endpoint. */
export type LogoutPorts = RequestLogoutPorts &
  ConfirmLogoutPorts & {
    readonly hashToken: HashToken
    readonly sessionEnded: SessionEnded
    readonly renderPage: PageRenderer
  }
