// The logout confirmation page as the browser received it: all facts that its answer needs.
import * as t from 'io-ts'
import { TokenHash } from '../authorization/credential.js'
import { ClientId } from '../client/client-id.js'
import { RegistrationId } from '../client/registration-id.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { Subject } from '../sessions/end-user-session.js'

export const LogoutAnswer = t.keyof({ logout: null, stay: null }, 'LogoutAnswer')
export type LogoutAnswer = t.TypeOf<typeof LogoutAnswer>

/** The end-user that the hint names. */
export const HintSubject = t.readonly(
  t.exact(
    t.type({
      client_id: ClientId,
      registration_id: RegistrationId,
      sub: Subject,
      sid: t.union([Subject, t.undefined]),
    }),
  ),
  'HintSubject',
)
export interface HintSubject extends t.TypeOf<typeof HintSubject> {}

/** The requested post-logout redirect, with the subject of its hint. */
export const RequestedRedirect = t.readonly(
  t.exact(t.type({ user: HintSubject, uri: t.string, state: t.union([t.string, t.undefined]) })),
  'RequestedRedirect',
)
export interface RequestedRedirect extends t.TypeOf<typeof RequestedRedirect> {}

/** The session that was known; unknown when a cross-site request came without cookies. */
export const ShownSession = t.union(
  [
    t.readonly(t.exact(t.type({ kind: t.literal('signed_in'), sid: Subject }))),
    t.readonly(t.exact(t.type({ kind: t.literal('nobody') }))),
    t.readonly(t.exact(t.type({ kind: t.literal('unseen') }))),
  ],
  'ShownSession',
)
export type ShownSession = t.TypeOf<typeof ShownSession>

export const OfferedConfirmation = t.readonly(
  t.exact(
    t.type({
      /** The hash of a random value, unique to the page. */
      id: TokenHash,
      /** The hash of the browser's cookie; equal to the id for a browser without a cookie. */
      browser: TokenHash,
      session: ShownSession,
      requested: t.union([RequestedRedirect, t.undefined]),
      expires_at: EpochSeconds,
    }),
  ),
  'OfferedConfirmation',
)
export interface OfferedConfirmation extends t.TypeOf<typeof OfferedConfirmation> {}
