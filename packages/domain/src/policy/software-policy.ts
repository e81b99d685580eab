// RFC 7591 §2, §2.3: which software is registered, and where a software statement must say so; decision 0142.
import type { RegisteredBy } from '../authorization/credential.js'

/** A software, of which any issuer may say that it is it, in any version, unless a list says otherwise. */
export type Software = {
  readonly software_id: string
  /** The issuers whose statements name it; then nothing else does. */
  readonly issuers?: ReadonlyArray<string> | undefined
  /** RFC 7591 §2: versions are texts without an order. */
  readonly allowed_versions?: ReadonlyArray<string> | undefined
  readonly denied_versions?: ReadonlyArray<string> | undefined
}

/** Which registrations must contain a software statement: none, those without a token, or all. */
export const requirements = ['never', 'open', 'always'] as const

/** Which software is registered: any, or that of the list alone. */
export const admissions = ['any', 'listed'] as const

export type SoftwarePolicy = {
  readonly required: (typeof requirements)[number]
  readonly accept: (typeof admissions)[number]
  readonly software: ReadonlyArray<Software>
}

/** The part of a registration policy as it is written; what is left out has its default. */
export type GivenSoftwarePolicy = { readonly [Part in keyof SoftwarePolicy]?: SoftwarePolicy[Part] | undefined }

/** With its defaults: without the part, any software is registered, with a statement or without. */
export const softwarePolicy = ({
  required = 'never',
  accept = 'any',
  software = [],
}: GivenSoftwarePolicy = {}): SoftwarePolicy => ({ required, accept, software })

export const requiresStatement = ({ required }: SoftwarePolicy, registeredBy: RegisteredBy): boolean =>
  required === 'always' || (required === 'open' && registeredBy === 'nobody')
