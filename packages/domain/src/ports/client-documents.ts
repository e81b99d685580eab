// The documents of clients whose client_id is a URL: draft-ietf-oauth-client-id-metadata-document-02 §5, -00 §4.
import type * as T from 'fp-ts/lib/Task.js'
import type { SeenDocument } from '../client-documents/seen-document.js'
import type { ClientIdUrl } from '../client/client-id-url.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'

export type ClientDocuments = {
  /**
   * What is seen at the URL, now or within the freshness that the policy permits (-02 §5.2; RFC 9111 §4.2); `at` is the
   * time of the request, in seconds. The same object means that no further request was sent. Whatever prevents an
   * answer, the result is `unreachable`: the reason is for the log only, so that no party learns of hosts that only
   * this service reaches. With `since`, what was seen before that time is not enough: another instance has seen the
   * document then.
   */
  readonly seeDocument: (url: ClientIdUrl, since?: EpochSeconds) => T.Task<SeenDocument>
}
