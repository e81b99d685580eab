// When the document of a stored client was seen: draft-ietf-oauth-client-id-metadata-document-02 §5.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClientIdUrl } from '../client/client-id-url.js'
import type { SeenDocument } from '../client-documents/seen-document.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { Registration } from '../registration/registered-client.js'

export type SeenDocuments = {
  /** Records that there was a document, once for each answer of its server. It ends with the registration. */
  readonly recordSeen: (client: Registration, seen: SeenDocument) => TE.TaskEither<Unavailable, void>
  /** The last recorded time; none where the time until which an approved document counts has passed. */
  readonly findLastSeen: (url: ClientIdUrl) => TE.TaskEither<Unavailable, O.Option<EpochSeconds>>
}
