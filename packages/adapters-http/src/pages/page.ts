// The contents of the pages: finished values, without logic or markup.
import type { PostLogoutRedirectRefusal } from '@clientele/domain/logout'
import type { ShownEndUser } from '@clientele/domain/provider'
import type { SignInPage } from './sign-in-page.js'
import type { ShownApplication, ShownForm } from './shown.js'

export type { ShownApplication, ShownForm } from './shown.js'

/** The post-logout redirect: a registered URI with its state. */
export type ShownRedirect = { readonly application: ShownApplication; readonly uri: string }

export type LogoutPage =
  /** Sign out, or stay? `back` is the redirect of both answers; `notice` says why a requested redirect is refused. */
  | {
      readonly kind: 'dialog'
      readonly form: ShownForm
      readonly back: ShownApplication | undefined
      readonly notice: PostLogoutRedirectRefusal | undefined
      /** The other applications of the session, and how many more there are than are named. */
      readonly applications: ReadonlyArray<ShownApplication>
      readonly more: number
      readonly user?: ShownEndUser | undefined
    }
  /** There is no session; `form` with `back` redirects to the application. */
  | {
      readonly kind: 'nobody'
      readonly form: ShownForm | undefined
      readonly back: ShownApplication | undefined
      readonly notice: PostLogoutRedirectRefusal | undefined
    }
  /**
   * Front-Channel Logout §3: frames are the URIs that the browser loads; `applications` are those that are notified.
   */
  | {
      readonly kind: 'signed_out'
      readonly applications: ReadonlyArray<ShownApplication>
      readonly more: number
      readonly frames: ReadonlyArray<string>
      /** Only with frames or `elsewhere`; without them, the browser is redirected at once. */
      readonly back: ShownRedirect | undefined
      /** The OpenID provider that authenticated the end-user, with the URL of the logout there. */
      readonly elsewhere?: ShownRedirect | undefined
    }
  | { readonly kind: 'still_signed_in' }
  /** The confirmation page has an answer already, has expired, or belongs to another browser: nothing happened. */
  | { readonly kind: 'gone'; readonly again?: string | undefined }
  /** The store cannot answer now: nothing happened. */
  | { readonly kind: 'unavailable'; readonly again?: string | undefined }
  /** RFC 6585 §4: the source of the request, or all sources, sent too many; nothing happened. */
  | { readonly kind: 'too_many_requests'; readonly again?: string | undefined }
  /** At the base URL: what the service is, with links. */
  | {
      readonly kind: 'home'
      readonly issuer: string
      readonly metadata: string
      readonly keySet: string
      /** The pages that the service has: undefined for others. */
      readonly playground: string | undefined
      readonly consents: string | undefined
      readonly logout: string | undefined
    }
  /** RFC 6750 §3: the address is one for programs, which present a token. */
  | { readonly kind: 'needs_token' }
  /** There is no page at this address. */
  | { readonly kind: 'not_found' }

export type ShownPage = LogoutPage | SignInPage
