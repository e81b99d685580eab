import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ClientMetadata } from '../../client/client-metadata.js'
import { sectorIdentifierRefused } from '../../client/metadata-refusal.js'
import { decideSectorIdentifier } from '../../client/sector-identifier.js'
import type { InvalidClientMetadata } from '../../errors.js'
import type { SectorIdentifiers } from '../../ports/sector-identifiers.js'

// Only metadata without any other fault, and permitted, comes this far: nobody else makes the service reach out.
/** OpenID Registration §5, for metadata that names a sector_identifier_uri. */
export const checkSectorIdentifier =
  (ports: SectorIdentifiers) =>
  (metadata: ClientMetadata): TE.TaskEither<InvalidClientMetadata, void> =>
    metadata.sector_identifier_uri === undefined
      ? TE.right(undefined)
      : pipe(
          ports.fetchSectorIdentifier(metadata.sector_identifier_uri),
          TE.mapLeft(() => sectorIdentifierRefused),
          TE.flatMapEither(decideSectorIdentifier(metadata)),
        )
