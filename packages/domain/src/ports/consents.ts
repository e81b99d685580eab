// What end-users consented to, by client. Removing a client removes the consents to its registration in the same step.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Unavailable, UnknownClient } from '../errors.js'
import type { Registration } from '../registration/registered-client.js'
import type { Subject } from '../sessions/end-user-session.js'

export type Consent = {
  readonly sub: Subject
  readonly client: Registration
  /** Every scope value that the end-user consented to. */
  readonly scope: ReadonlyArray<string>
  /** RFC 8707 §2: the scope values by resource. */
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
  /** The facts about the client that the end-user was shown, for what changes later. */
  readonly shown: JsonObject
  readonly given_at: EpochSeconds
}

export type Consents = {
  /** Stores the consent in place of an earlier one of the same end-user and registration. */
  readonly recordConsent: (consent: Consent) => TE.TaskEither<UnknownClient | Unavailable, void>
  readonly findConsent: (sub: Subject, client: Registration) => TE.TaskEither<Unavailable, O.Option<Consent>>
  /** All consents of an end-user, the oldest first. */
  readonly listConsents: (sub: Subject) => TE.TaskEither<Unavailable, ReadonlyArray<Consent>>
  /** Removes the consent, and every artefact of that end-user at that client, in one step. */
  readonly removeConsent: (sub: Subject, client: Registration) => TE.TaskEither<Unavailable, void>
}
