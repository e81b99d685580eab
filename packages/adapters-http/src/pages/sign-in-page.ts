// The contents of the pages of login and consent.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { ConsentFacts, ShownEndUser } from '@clientele/domain/provider'
import type { ShownApplication, ShownForm } from './shown.js'

/** A consent of the end-user, with the value by which its form removes it. */
export type ShownConsent = {
  readonly application: ShownApplication
  readonly scope: ReadonlyArray<string>
  readonly given_at: EpochSeconds
  readonly value: string
}

/** What a consent page shows of the facts. */
export type ShownFacts = Pick<
  ConsentFacts,
  'identity' | 'redirectHosts' | 'warnings' | 'changes' | 'scope' | 'resources'
>

export type SignInPage =
  /** Name and password, for development only. */
  | {
      readonly kind: 'login'
      readonly form: ShownForm
      readonly application: ShownApplication
      /** The number of this attempt, from 1. */
      readonly attempt: number
      readonly username: string
      readonly refused: boolean
      readonly accounts: ReadonlyArray<string>
    }
  | {
      readonly kind: 'consent'
      readonly form: ShownForm
      readonly application: ShownApplication
      readonly user: ShownEndUser
      readonly facts: ShownFacts
    }
  /** What the end-user consented to; `revoked` after one was removed. */
  | {
      readonly kind: 'consents'
      readonly user: ShownEndUser
      readonly action: string
      readonly consents: ReadonlyArray<ShownConsent>
      readonly revoked: boolean
    }
  /** The login at another party failed; `again` begins it anew. */
  | { readonly kind: 'login_failed'; readonly again: string | undefined }
  /** The end-user may not sign in here; `again` begins a login of another account. */
  | { readonly kind: 'not_permitted'; readonly again: string | undefined }
  /** The other party refuses this service, which its operator must correct. */
  | { readonly kind: 'sign_in_misconfigured' }
  /** The form returns to the application, with a refusal. */
  | { readonly kind: 'too_many_attempts'; readonly form: ShownForm }
  | { readonly kind: 'interaction_gone' }
  /** OpenID Core §3.1.2.2, RFC 6749 §4.1.2.1: a request that must not be answered by a redirect. */
  | {
      readonly kind: 'request_error'
      /** RFC 6749 §4.1.2.1: a code, and a text for developers. */
      readonly error: string
      readonly description: string | undefined
      readonly back: { readonly application: ShownApplication; readonly uri: string } | undefined
    }
  /** No request of the application is answered until the operator resumes it. */
  | { readonly kind: 'application_suspended'; readonly error: string; readonly description: string }
  | { readonly kind: 'sign_in_unavailable'; readonly again: string | undefined }
