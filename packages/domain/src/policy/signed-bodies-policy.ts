// Open Banking DCR 3.3: registration requests that are signed as a whole; decision 0143.

/** The ecosystems whose signed requests are understood. */
export const signedFormats = ['uk'] as const

export type SignedBodiesPolicy = {
  readonly format: (typeof signedFormats)[number]
  /** The identifiers of this service at the directory: aud of a request is one of them. */
  readonly audience: ReadonlyArray<string>
  /** Whether a request as JSON is refused; no, unless it is set. */
  readonly required?: boolean | undefined
}
