import * as E from 'fp-ts/lib/Either.js'
import type { InvalidClientMetadata } from '../errors.js'
import type { ClientMetadata } from './client-metadata.js'
import { sectorIdentifierRefused } from './metadata-refusal.js'

/** OpenID Registration §5: the document of the sector_identifier_uri must list every redirection URI. */
export const decideSectorIdentifier =
  (metadata: ClientMetadata) =>
  (document: unknown): E.Either<InvalidClientMetadata, void> => {
    const listed = new Set<unknown>(Array.isArray(document) ? document : [])
    const isList = Array.isArray(document) && document.every((entry) => typeof entry === 'string')
    return isList && (metadata.redirect_uris ?? []).every((uri) => listed.has(uri))
      ? E.right(undefined)
      : E.left(sectorIdentifierRefused)
  }
