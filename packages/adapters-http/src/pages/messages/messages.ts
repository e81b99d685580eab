// The texts of the logout pages, and of pages elsewhere. A language with a missing message does not compile.
import type { Around } from './around.js'

export type Messages = {
  /** The direction of the script. */
  readonly direction: 'ltr' | 'rtl'
  /** After the last named application: how many more there are. */
  readonly more: (count: number) => string
  /** Why there is no post-logout redirect, each in a sentence. */
  readonly redirectRefusal: {
    /** The requesting application is not certain. */
    readonly unidentified: string
    readonly unverified: string
    readonly outdated: string
    readonly contradictory: string
    readonly otherUser: string
    readonly otherSession: string
    /** The application may not use the post_logout_redirect_uri. */
    readonly address: string
  }
  readonly dialog: {
    readonly heading: string
    /** Both answers redirect to this application. */
    readonly back: Around
    /** Above the names of one or more applications. */
    readonly applications: string
    /** In place of the names, where there are six or more. */
    readonly manyApplications: (count: number) => string
    readonly logout: string
    readonly stay: string
  }
  readonly nobody: { readonly heading: string; readonly lead: string; readonly back: Around }
  readonly signed_out: {
    readonly heading: string
    readonly applications: string
    readonly manyApplications: (count: number) => string
    readonly lead: string
    readonly back: Around
    /** Another provider authenticated the end-user, and its session goes on. */
    readonly stillElsewhere: string
    readonly elsewhere: Around
  }
  readonly still_signed_in: { readonly heading: string; readonly lead: string }
  readonly gone: { readonly heading: string; readonly lead: string; readonly again: string }
  readonly unavailable: { readonly heading: string; readonly lead: string }
  readonly too_many_requests: { readonly heading: string; readonly lead: string }
  readonly home: {
    readonly heading: string
    /** Followed by the base URL. */
    readonly lead: string
    readonly metadata: string
    readonly keySet: string
    readonly playground: string
    readonly consents: string
    readonly logout: string
    readonly readme: string
  }
  readonly not_found: { readonly heading: string; readonly lead: string }
  readonly needs_token: { readonly heading: string; readonly lead: string; readonly where: string }
}
