// The documents of sector identifier URIs: OpenID Registration §5. Nothing is fetched while outbound fetches are off.
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** The document did not come, or was no JSON; detail is for the log only. */
export type SectorIdentifierUnavailable = { readonly error: 'sector_identifier_unavailable'; readonly detail: unknown }

export const sectorIdentifierUnavailable = (detail: unknown): SectorIdentifierUnavailable => ({
  error: 'sector_identifier_unavailable',
  detail,
})

export type SectorIdentifiers = {
  /** The JSON value that stands at the https URI. */
  readonly fetchSectorIdentifier: (uri: string) => TE.TaskEither<SectorIdentifierUnavailable, unknown>
}
