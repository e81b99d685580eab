import { type SectorIdentifiers, sectorIdentifierUnavailable } from '@clientele/domain/ports'
import { createFetchJson } from './fetch-json.js'
import type { OutboundOptions } from './outbound-options.js'

const sector = { member: 'sector_identifier_uri', accept: 'application/json', refuse: sectorIdentifierUnavailable }

/** OpenID Registration §5: fetches the documents of sector identifier URIs, from allowed addresses only. */
export const createSectorIdentifiers = (options: Partial<OutboundOptions> = {}): SectorIdentifiers => ({
  fetchSectorIdentifier: createFetchJson(sector, options),
})
