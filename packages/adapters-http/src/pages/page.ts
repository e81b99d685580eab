// The contents of the pages: finished values, without logic or markup; and what renders them.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { PostLogoutRedirectRefusal, ShownApplication } from '@clientele/domain/logout'
import type { ConsentFacts, ConsentLinks, ShownEndUser, ShownLink } from '@clientele/domain/provider'
import type { ReferencePart } from '@clientele/domain/rules'
import type { Language } from './messages/languages.js'

/** Where a page leads, and to which application. */
type ShownRedirect = { readonly application: ShownApplication; readonly uri: string }

/** The data that the form of a page sends back. */
type ShownForm = { readonly action: string; readonly value: string }

/** A connection of the end-user, with the value by which its form revokes it. */
export type ShownConsent = {
  readonly application: ShownApplication
  readonly scope: ReadonlyArray<string>
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  readonly begun_at: EpochSeconds
  /** The UTC day of the last use. */
  readonly last_use: EpochSeconds | undefined
  /** OpenID Core §4: where a login at the application begins. */
  readonly login: ShownLink | undefined
  readonly value: string
}

/** What a consent page shows of the facts. */
type ShownFacts = Pick<ConsentFacts, 'identity' | 'redirectHosts' | 'warnings' | 'changes' | 'scope' | 'resources'>

/** The pages of login and consent. */
type SignInPage =
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
  /** With whom to sign in: the form returns to the application, with a refusal. */
  | {
      readonly kind: 'choose_login'
      readonly form: ShownForm
      readonly application: ShownApplication
      readonly parties: ReadonlyArray<{ readonly name: string; readonly uri: string }>
    }
  | {
      readonly kind: 'consent'
      readonly form: ShownForm
      readonly application: ShownApplication
      readonly user: ShownEndUser
      readonly facts: ShownFacts
      readonly links: ConsentLinks
      /** The picture of the application as a data: URI. */
      readonly logo: string | undefined
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
      readonly back: ShownRedirect | undefined
    }
  /** No request of the application is answered until the operator resumes it. */
  | { readonly kind: 'application_suspended'; readonly error: string; readonly description: string }
  /** No request of the application is answered until the operator approves it. */
  | { readonly kind: 'application_pending'; readonly error: string; readonly description: string }
  | {
      readonly kind: 'application_refused'
      readonly error: string
      readonly description: string
      /** Why the operator refused it, in his words. */
      readonly reason: string
    }
  | { readonly kind: 'sign_in_unavailable'; readonly again: string | undefined }

type LogoutPage =
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
      /** OpenID Discovery §3, RFC 8414 §2: the endpoints, by their names in the metadata. */
      readonly endpoints: ReadonlyArray<{ readonly name: string; readonly uri: string }>
      /** The pages that the service has: undefined for others. */
      readonly reference: string | undefined
      readonly rules: string | undefined
      readonly playground: string | undefined
      readonly console: string | undefined
      readonly consents: string | undefined
      readonly logout: string | undefined
    }
  /** RFC 6750 §3: the address is one for programs, which present a token. */
  | { readonly kind: 'needs_token' }
  /** There is no page at this address. */
  | { readonly kind: 'not_found' }

/** A link to the page of a rule. */
export type ShownRule = { readonly id: string; readonly uri: string }

/** Pages for developers: in English, as the texts of the rules are. */
export type DeveloperPage =
  /** All rules: by the members that can violate them, by the requests that have others, and with their texts. */
  | {
      readonly kind: 'rules'
      readonly heading: string
      readonly places: ReadonlyArray<{ readonly name: string; readonly rules: ReadonlyArray<ShownRule> }>
      readonly rules: ReadonlyArray<
        ShownRule & { readonly text: string; readonly reference: ReadonlyArray<ReferencePart> }
      >
    }
  /** A rule: why it is there, a request that breaks it, and the same request repaired. */
  | {
      readonly kind: 'rule'
      readonly heading: string
      readonly description: string
      readonly reason: string
      readonly consequence: string
      readonly reference: ReadonlyArray<ReferencePart>
      readonly members: ReadonlyArray<string>
      readonly request: string
      readonly given: string | undefined
      readonly policy: string | undefined
      readonly bad: string
      readonly good: string
      readonly all: string
    }
  /** All operations, by their groups. */
  | {
      readonly kind: 'reference'
      readonly heading: string
      /** The OpenAPI document. */
      readonly document: string
      readonly groups: ReadonlyArray<{
        readonly name: string
        readonly operations: ReadonlyArray<{ readonly name: string; readonly summary: string; readonly uri: string }>
      }>
    }
  /** An operation: what it needs, an example of a request, and what is answered. */
  | {
      readonly kind: 'operation'
      readonly heading: string
      readonly summary: string
      readonly needs: ReadonlyArray<string>
      readonly request: string
      readonly parameters: ReadonlyArray<{ readonly name: string; readonly text: string }>
      readonly answers: ReadonlyArray<{
        readonly status: number
        readonly text: string
        /** The members that are always there. */
        readonly sample: string | undefined
      }>
      readonly refusals: ReadonlyArray<{ readonly status: number; readonly text: string }>
      readonly document: string
      readonly all: string
    }

export type ShownPage = LogoutPage | SignInPage | DeveloperPage

export type RenderedPage = {
  readonly html: string
  /**
   * `sha256-…` of the one inline style, for `style-src`. The only other exception of the policy are the frames of
   * `signed_out`.
   */
  readonly styleHash: string
}

export type PageRenderer = (page: ShownPage, language: Language) => RenderedPage

/** Whose pages these are, by the operator's settings. */
export type Service = {
  readonly name: string
  /** A picture as a data: URI. */
  readonly logo?: string | undefined
  /** #rrggbb: the colour of buttons and links. */
  readonly color?: string | undefined
  /** The address to which pages lead that have nothing more to ask. */
  readonly url: string
}
