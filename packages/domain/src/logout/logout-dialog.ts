// The dialog as the browser was given it: all that its answer needs to know again.
import * as t from 'io-ts'
import { TokenHash } from '../authorization/token-hash.js'
import { ClientId } from '../client/client-id.js'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { Subject } from '../sessions/end-user-session.js'

export const LogoutAnswer = t.keyof({ logout: null, stay: null }, 'LogoutAnswer')
export type LogoutAnswer = t.TypeOf<typeof LogoutAnswer>

/** Whom the hint names. */
export const HintedUser = t.readonly(
  t.exact(t.type({ client_id: ClientId, sub: Subject, sid: t.union([Subject, t.undefined]) })),
  'HintedUser',
)
export interface HintedUser extends t.TypeOf<typeof HintedUser> {}

/** Where the application asked to be led back to, on the word of its hint. */
export const AskedWayBack = t.readonly(
  t.exact(t.type({ user: HintedUser, uri: t.string, state: t.union([t.string, t.undefined]) })),
  'AskedWayBack',
)
export interface AskedWayBack extends t.TypeOf<typeof AskedWayBack> {}

/** What was known of the browser's session: nothing at all when a request from another site came without cookies. */
export const ShownSession = t.union(
  [
    t.readonly(t.exact(t.type({ kind: t.literal('signed_in'), sid: Subject }))),
    t.readonly(t.exact(t.type({ kind: t.literal('nobody') }))),
    t.readonly(t.exact(t.type({ kind: t.literal('unseen') }))),
  ],
  'ShownSession',
)
export type ShownSession = t.TypeOf<typeof ShownSession>

export const OfferedDialog = t.readonly(
  t.exact(
    t.type({
      /** The hash of a random value, so that no two dialogs are one. */
      id: TokenHash,
      /** The hash of the cookie of the browser that was given it; of a browser that was new then, the same as the id. */
      browser: TokenHash,
      session: ShownSession,
      asked: t.union([AskedWayBack, t.undefined]),
      expires_at: EpochSeconds,
    }),
  ),
  'OfferedDialog',
)
export interface OfferedDialog extends t.TypeOf<typeof OfferedDialog> {}
