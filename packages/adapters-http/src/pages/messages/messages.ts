import type { ConsentChange, ConsentWarning } from '@clientele/domain/provider'

/** The two halves of a sentence around a value: the template marks up the value, a message never does. */
export type Around = { readonly before: string; readonly after: string }

/** The halves of a sentence with one place, whatever is named there. */
export const around = (sentence: `${string}{${string}}${string}`): Around => {
  const [before = '', after = ''] = sentence.split(/\{[a-z]+\}/)
  return { before, after }
}

/** A sentence without a place. */
export const whole = (sentence: string): Around => ({ before: sentence, after: '' })

type Say = (count: number) => string

/** Selects the plural form for a number (CLDR plural rules); `other` where the language has no special form. */
export const plural = (
  language: string,
  forms: Partial<Readonly<Record<Intl.LDMLPluralRule, Say>>> & { readonly other: Say },
): Say => {
  const rules = new Intl.PluralRules(language)
  return (count) => (forms[rules.select(count)] ?? forms.other)(count)
}

/** The scope values that a page explains: OpenID Core §5.4 and §11. Others are shown as they are. */
export type ExplainedScope = 'openid' | 'profile' | 'email' | 'address' | 'phone' | 'offline_access'

/** The texts of all pages. A language with a missing message does not compile. */
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
