import * as E from 'fp-ts/lib/Either.js'
import { type RegisteredClient, decodeRegistrationRequest, decodeUpdateRequest } from '@clientele/domain/registration'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { sent, standardRules, validate } from '../rule-book.js'
import { type Law, lawsAbout } from './law.js'

/** The place of a fault, its rule, and the description for the client. */
export type ReportedFault = { readonly pointer: string; readonly rule: string; readonly description: string }

export type RefusedBody = {
  readonly error: string
  readonly error_description?: string
  readonly errors?: ReadonlyArray<ReportedFault>
}

/**
 * The functions that the laws of client metadata are about, for a service that fetches sector identifiers and has no
 * policy. Faults have the pointers and rules of docs/client-metadata.md.
 */
export type MetadataRules = {
  /** The effective metadata, which is valid only without faults, and all faults of the body. */
  readonly validate: (body: SentMetadata) => {
    readonly metadata: object
    readonly faults: ReadonlyArray<ReportedFault>
  }
  /** The body of POST /clients. */
  readonly decodeRegistration: (body: unknown) => E.Either<
    RefusedBody,
    {
      readonly metadata: object
      readonly preferred_client_id: string | undefined
      readonly preferred_client_secret: string | undefined
    }
  >
  /** The body of PUT /clients/{id}, as effective metadata. */
  readonly decodeUpdate: (client: RegisteredClient) => (body: unknown) => E.Either<RefusedBody, object>
}

/** The domain's own rules. */
export const metadataRules: MetadataRules = {
  validate,
  decodeRegistration: (body) => decodeRegistrationRequest(standardRules)(sent(body)),
  decodeUpdate: (client) => (body) => decodeUpdateRequest(standardRules, client)(sent(body)),
}

export type MetadataLaw = Law<MetadataRules>

export const metadataLaw = lawsAbout(metadataRules)

const briefly = ({ pointer, rule }: Pick<ReportedFault, 'pointer' | 'rule'>): string => `${pointer}: ${rule}`

/** Faults by place and rule. */
export const inBrief = (faults: ReadonlyArray<Pick<ReportedFault, 'pointer' | 'rule'>>): ReadonlyArray<string> =>
  faults.map(briefly)

/** The faults of a refused body, by place and rule. */
export const reportedOf = (decoded: E.Either<RefusedBody, unknown>): ReadonlyArray<string> =>
  E.isLeft(decoded) ? inBrief(decoded.left.errors ?? []) : []
