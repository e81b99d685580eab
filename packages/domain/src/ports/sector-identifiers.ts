// The documents of sector identifier URIs: OpenID Registration §5. Nothing is fetched while outbound fetches are off.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Requester } from '../authorization/credential.js'
import type { Unavailable } from '../errors.js'

/** The host returned no document, or one that is not JSON; detail is for the log only. */
export type SectorIdentifierUnavailable = { readonly error: 'sector_identifier_unavailable'; readonly detail: unknown }

export const sectorIdentifierUnavailable = (detail: unknown): SectorIdentifierUnavailable => ({
  error: 'sector_identifier_unavailable',
  detail,
})

export type SectorIdentifiers = {
  /** The JSON document at the https URI. Unavailable means that the service could not send the request now. */
  readonly fetchSectorIdentifier: (
    uri: string,
    requester: Requester,
  ) => TE.TaskEither<SectorIdentifierUnavailable | Unavailable, unknown>
}
