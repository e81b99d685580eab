// The documents of sector identifier URIs: OpenID Registration §5. Nothing is fetched while outbound fetches are off.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Requester } from '../authorization/requester.js'
import type { Unavailable } from '../errors.js'

/** The host gave no document, or what it gave was no JSON; detail is for the log only. */
export type SectorIdentifierUnavailable = { readonly error: 'sector_identifier_unavailable'; readonly detail: unknown }

export const sectorIdentifierUnavailable = (detail: unknown): SectorIdentifierUnavailable => ({
  error: 'sector_identifier_unavailable',
  detail,
})

export type SectorIdentifiers = {
  /** The JSON value that stands at the https URI. Unavailable says that the service could not ask for it now. */
  readonly fetchSectorIdentifier: (
    uri: string,
    requester: Requester,
  ) => TE.TaskEither<SectorIdentifierUnavailable | Unavailable, unknown>
}
