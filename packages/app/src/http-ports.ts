// What the HTTP adapter needs of the world: each port is one line, and nothing is decided here.
import type { HttpPorts, ListenerPorts } from '@clientele/adapters-http'
import { createIdTokenHints, createSoftwareStatements } from '@clientele/adapters-http'
import { createSectorIdentifiers } from '@clientele/adapters-outbound'
import type { SectorIdentifiers } from '@clientele/domain'
import { sectorIdentifierUnavailable } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { randomUUID } from 'node:crypto'
import type { Config } from './config/settings.js'
import type { KeyKeeper } from './key-keeper.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'
import type { OpenedData } from './open-data.js'
import { remoteAddress } from './remote-address.js'
import { logRequest } from './request-log.js'
import { createSealedDialogs } from './sealed-dialogs.js'

/** Begun when the process was told to stop: from then on the service is not ready. */
export type Draining = { begun: boolean }

// Registration refuses the member while outbound fetches are off; and here there is nothing that could fetch it.
const noSectorIdentifiers: SectorIdentifiers = {
  fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('outbound-fetches is off')),
}

export const httpPorts = (
  config: Config,
  data: OpenedData,
  metrics: Metrics,
  log: Log,
  draining: Draining,
  keeper: Pick<KeyKeeper, 'keyRings' | 'keys'>,
  pages: Pick<HttpPorts, 'renderPage' | 'sessionEnded' | 'logoutNotices'>,
): ListenerPorts => {
  const logEntry = logRequest(log)
  return {
    ...data.store.registry,
    ...data.store.initialAccessTokens,
    ...data.fresh,
    ...data.store.endUserSessions,
    ...data.store.logouts,
    ...createSealedDialogs(data.sealing),
    ...createIdTokenHints({ keyRings: keeper.keyRings }),
    ...createSoftwareStatements(config['software-statement-issuers']),
    ...(config['outbound-fetches'] ? createSectorIdentifiers() : noSectorIdentifiers),
    keyRings: keeper.keyRings,
    keys: keeper.keys,
    renderPage: pages.renderPage,
    sessionEnded: pages.sessionEnded,
    logoutNotices: pages.logoutNotices,
    hashToken: data.hashToken,
    checks: [{ name: 'store', check: () => data.store.check()() }],
    isDraining: () => draining.begun,
    requestId: randomUUID,
    log: (entry) => {
      metrics.observe(entry)
      logEntry(entry)
    },
    logUnreadable: (detail) => log.error({ detail }, 'a stored client cannot be read, and was left out of a list'),
    remoteAddress: remoteAddress(config['trusted-proxies']),
  }
}
