// The time, and values that nobody can guess: alphanumeric, of the configured lengths, from a secure source.
import type * as IO from 'fp-ts/lib/IO.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { Issued } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'

export type Fresh = {
  readonly now: IO.IO<EpochSeconds>
  /** A client_id, a client_secret and a registration access token, with the time. */
  readonly issue: IO.IO<Issued>
  readonly initialAccessToken: IO.IO<{ readonly token: string; readonly hash: TokenHash }>
  /** The value of a cookie, with the hash by which the browser is known again. */
  readonly cookie: IO.IO<{ readonly token: string; readonly hash: TokenHash }>
  /** Names what nobody must guess or meet twice: a session, a notice, a token. */
  readonly identifier: IO.IO<string>
}
