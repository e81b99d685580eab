import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { RegisteredBy } from '@clientele/domain/authorization'
import {
  type GeneratedCredentials,
  type Provenance,
  type RegisteredClient,
  type RegistrationSettings,
  type TokenFingerprint,
  decideRegistration,
  isTokenFingerprint,
  withProvenance,
} from '@clientele/domain/registration'
import { type SentMetadata, validClientMetadata } from './client-metadata.js'
import { issued } from './generated-credentials.js'
import { privileges } from './privileges.js'
import { httpsUri } from './redirect-uri.js'
import { registrationSettings } from './settings.js'

/** The client that the master token registers with the metadata, which must be valid. */
export const registeredByMaster =
  (settings: RegistrationSettings, generated: GeneratedCredentials) =>
  (body: SentMetadata): RegisteredClient => {
    const facts = { token: O.none, statement: O.none, issued: generated, body: E.right(body) }
    const decided = decideRegistration(settings)({ ...facts, credential: { kind: 'master' } })
    if (E.isLeft(decided)) throw new Error(`not valid client metadata: ${JSON.stringify([body, decided.left])}`)
    return decided.right.client
  }

/** The authority for the registration of a client. */
export const registeredBy = (): fc.Arbitrary<RegisteredBy> =>
  fc.constantFrom('nobody', 'token', 'operator_token', 'master')

const fingerprint = (): fc.Arbitrary<TokenFingerprint> =>
  fc.stringMatching(/^[A-Za-z0-9_-]{12}$/).filter(isTokenFingerprint)

/** What a client was registered with, if anything is known of it. */
export const provenance = (): fc.Arbitrary<Provenance | undefined> =>
  fc.option(
    fc.record(
      { token: fingerprint(), statement_issuer: httpsUri(), imported: fc.constant(true as const) },
      { requiredKeys: [], noNullPrototype: true },
    ),
    { nil: undefined },
  )

/** A stored client: with any privileges and of any version, because the master token may have updated it. */
export const registeredClient = (metadata = validClientMetadata()): fc.Arbitrary<RegisteredClient> =>
  fc
    .tuple(
      registrationSettings(),
      issued(),
      metadata,
      privileges(),
      registeredBy(),
      fc.integer({ min: 1, max: 1000 }),
      provenance().filter((each) => each === undefined || Object.keys(each).length > 0),
    )
    .map(([settings, generated, body, allowed, registered_by, version, origin]) =>
      withProvenance(origin, {
        ...registeredByMaster(settings, generated)(body),
        registered_by,
        privileges: allowed,
        version,
      }),
    )
