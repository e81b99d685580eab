// What is known of end-users beside sub, for pages that name them: OpenID Connect Core §5.1.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Unavailable } from '../errors.js'
import type { Subject } from '../sessions/end-user-session.js'

export type EndUserClaims = {
  /** The claims from the last login; none where the authorization server has not kept them. */
  readonly findEndUserClaims: (sub: Subject) => TE.TaskEither<Unavailable, O.Option<JsonObject>>
}
