// The texts of the pages of login and consent, and of what all pages share. A language with a missing message does not
// compile.
import type { ConsentChange, ConsentWarning } from '@clientele/domain/provider'
import type { Around } from '../around.js'

/** The scope values that a page explains: OpenID Core §5.4 and §11. Others are shown as they are. */
export type ExplainedScope = 'openid' | 'profile' | 'email' | 'address' | 'phone' | 'offline_access'

export type SignInMessages = {
  /** Around the name of the signed-in end-user. */
  readonly signedInAs: Around
  /** A link to the service, around its name. */
  readonly onward: Around
  /** A link to the page that was asked for. */
  readonly again: string
  readonly login: {
    readonly heading: string
    /** Around the application that the end-user comes from. */
    readonly lead: Around
    readonly development: string
    readonly accounts: string
    readonly username: string
    readonly password: string
    readonly submit: string
    readonly cancel: string
    readonly refused: string
  }
  readonly consent: {
    readonly heading: string
    /** Around the host that receives the answer. */
    readonly asks: Around
    /** The same where the answer stays on the device. */
    readonly asksOnDevice: Around
    /** Around the name as claimed. */
    readonly claimed: Around
    readonly nameless: string
    /** Around the name that a party vouches for, and around that party. */
    readonly named: Around
    readonly verified: Around
    readonly otherHosts: string
    readonly scope: string
    readonly scopes: Readonly<Record<ExplainedScope, string>>
    /** Around a resource: RFC 8707 §2. */
    readonly resource: Around
    readonly warnings: Readonly<Record<ConsentWarning['kind'], Around>>
    readonly changed: string
    readonly changes: Readonly<Record<ConsentChange, string>>
    readonly allow: string
    readonly deny: string
  }
  readonly consents: {
    readonly heading: string
    readonly lead: string
    readonly empty: string
    /** Around a date. */
    readonly since: Around
    readonly revoke: string
    readonly revoked: string
  }
  readonly login_failed: { readonly heading: string; readonly lead: string }
  readonly not_permitted: {
    readonly heading: string
    readonly lead: string
    readonly ask: string
    /** A link to the login, for another account. */
    readonly otherAccount: string
  }
  readonly sign_in_misconfigured: { readonly heading: string; readonly lead: string; readonly ask: string }
  readonly too_many_attempts: { readonly heading: string; readonly lead: string; readonly leave: string }
  readonly interaction_gone: { readonly heading: string; readonly lead: string; readonly restart: string }
  readonly request_error: {
    readonly heading: string
    readonly lead: string
    /** Before the error code, for the developer. */
    readonly code: string
    /** Around the application. */
    readonly back: Around
  }
  readonly application_suspended: {
    readonly heading: string
    readonly lead: string
    /** Before the error code, for the developer. */
    readonly code: string
  }
  readonly sign_in_unavailable: { readonly heading: string; readonly lead: string }
}
