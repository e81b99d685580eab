// What the pages of the logout endpoint say. A language that lacks a message does not compile.

/** A sentence around one thing, in halves: what stands between them is marked up by the template, never by a message. */
export type Around = { readonly before: string; readonly after: string }

export const around = (sentence: `${string}{application}${string}`): Around => {
  const [before = '', after = ''] = sentence.split('{application}')
  return { before, after }
}

export type Messages = {
  /** How the language is written. */
  readonly direction: 'ltr' | 'rtl'
  /** After the last application that is named: how many more there are. */
  readonly more: (count: number) => string
  /** Why the person will not be sent back to the application, in a sentence of its own. */
  readonly noWayBack: {
    /** It is not certain which application asks. */
    readonly unidentified: string
    readonly unverified: string
    readonly outdated: string
    readonly contradictory: string
    readonly otherUser: string
    readonly otherSession: string
    /** The address to return to is not one that the application may use. */
    readonly address: string
  }
  readonly dialog: {
    readonly heading: string
    /** Both answers lead there. */
    readonly back: Around
    /** Above the names of one or more. */
    readonly applications: string
    /** In their place, where there are too many to show them all at once: six or more. */
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
  }
  readonly still_signed_in: { readonly heading: string; readonly lead: string }
  readonly gone: { readonly heading: string; readonly lead: string; readonly again: string }
  readonly unavailable: { readonly heading: string; readonly lead: string }
  readonly home: {
    readonly heading: string
    /** Followed by the base URL. */
    readonly lead: string
    readonly metadata: string
    readonly keySet: string
    readonly playground: string
    readonly readme: string
  }
  readonly not_found: { readonly heading: string; readonly lead: string }
}
