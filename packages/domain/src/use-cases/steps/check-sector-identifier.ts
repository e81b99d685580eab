import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Requester } from '../../authorization/credential.js'
import type { ClientMetadata } from '../../client/client-metadata.js'
import { sectorIdentifierRefused } from '../../client/metadata-refusal.js'
import { decideSectorIdentifier } from '../../client/sector-identifier.js'
import type { InvalidClientMetadata, Unavailable } from '../../errors.js'
import type { SectorIdentifiers, SectorIdentifierUnavailable } from '../../ports/sector-identifiers.js'

// A failure of the service is not a fault of the metadata.
const refusalOf = (failure: SectorIdentifierUnavailable | Unavailable): InvalidClientMetadata | Unavailable =>
  failure.error === 'unavailable' ? failure : sectorIdentifierRefused

// Only valid and permitted metadata reaches this step, so that no other requester makes the service send a request.
/** OpenID Registration §5: checks the sector_identifier_uri of the metadata, if present. */
export const checkSectorIdentifier =
  (ports: SectorIdentifiers) =>
  (metadata: ClientMetadata, requester: Requester): TE.TaskEither<InvalidClientMetadata | Unavailable, void> =>
    metadata.sector_identifier_uri === undefined
      ? TE.right(undefined)
      : pipe(
          ports.fetchSectorIdentifier(metadata.sector_identifier_uri, requester),
          TE.mapLeft(refusalOf),
          TE.flatMapEither(decideSectorIdentifier(metadata)),
        )

/** The port for one request: it fetches a document once, even if the decision is repeated. */
export const fetchedOnce = ({ fetchSectorIdentifier }: SectorIdentifiers): SectorIdentifiers => {
  const documents = new Map<string, unknown>()
  return {
    fetchSectorIdentifier: (uri, requester) =>
      documents.has(uri)
        ? TE.right(documents.get(uri))
        : pipe(
            fetchSectorIdentifier(uri, requester),
            TE.tapIO((document) => () => documents.set(uri, document)),
          ),
  }
}
