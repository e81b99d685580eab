// The time, and unguessable values: alphanumeric, of the configured lengths, from a secure random source.
import type * as IO from 'fp-ts/lib/IO.js'
import type { TokenHash } from '../authorization/credential.js'
import type { GeneratedCredentials } from '../registration/registered-client.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'

export type CredentialGenerator = {
  readonly now: IO.IO<EpochSeconds>
  /** A client_id, a registration_id, a client_secret and a registration access token, with the time. */
  readonly issue: IO.IO<GeneratedCredentials>
  readonly initialAccessToken: IO.IO<{ readonly token: string; readonly hash: TokenHash }>
  /** The value of a cookie, with the hash by which the browser is recognized. */
  readonly cookie: IO.IO<{ readonly token: string; readonly hash: TokenHash }>
  /** An unguessable, unique name of a session, a notification or a token. */
  readonly identifier: IO.IO<string>
}
