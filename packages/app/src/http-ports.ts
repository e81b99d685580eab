// What the HTTP adapter needs of the world: each port is one line, and nothing is decided here.
import type { HttpPorts, ListenerPorts } from '@clientele/adapters-http'
import {
  createIdTokenHints,
  createObjectDecrypter,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
} from '@clientele/adapters-jose'
import { createTurns } from '@clientele/adapters-memory'
import { randomUUID } from 'node:crypto'
import type { Config } from './config/settings.js'
import type { KeyKeeper } from './keys/key-keeper.js'
import type { Log } from './observing/log.js'
import type { Metrics } from './observing/metrics.js'
import type { OpenedData } from './data/open-data.js'
import { remoteAddress } from './listening/remote-address.js'
import { logRequest } from './observing/request-log.js'

/** Begun when the process was told to stop: from then on the service is not ready. */
export type Draining = { begun: boolean }

const logUnreadable =
  (log: Log): HttpPorts['logUnreadable'] =>
  ({ client_id, detail }) =>
    log.error(
      { client_id, detail },
      'a stored client cannot be read; DELETE /clients/{id} with the master token removes it',
    )

const logWarnings =
  (log: Log): HttpPorts['logWarnings'] =>
  (client_id, warnings) => {
    for (const { pointer, description: remedy } of warnings)
      log.warn({ client_id, member: pointer.slice(1), remedy }, 'a client names what this service does not ask')
  }

const portsOfJose = (
  { fresh: { now } }: OpenedData,
  { keyRings, foreignKeys }: Pick<KeyKeeper, 'keyRings' | 'foreignKeys'>,
): Pick<HttpPorts, 'readIdTokenHint' | 'decryptObject' | 'readPrivateJwkSet' | 'readPublicJwkSet' | 'tokenSigner'> => ({
  ...createIdTokenHints({ keyRings, foreignKeys }),
  ...createObjectDecrypter({ keyRings }),
  readPrivateJwkSet,
  readPublicJwkSet,
  tokenSigner: (signing) => createTokenSigner(signing, { keyRings, now }),
})

export const httpPorts = (
  config: Config,
  data: OpenedData,
  metrics: Metrics,
  log: Log,
  draining: Draining,
  keeper: Pick<KeyKeeper, 'keyRings' | 'foreignKeys' | 'keys'>,
  others: Pick<HttpPorts, 'renderPage' | 'sessionEnded' | 'logoutNotices' | 'fetchSectorIdentifier'>,
): ListenerPorts => {
  const logEntry = logRequest(log)
  return {
    ...data.store.registry,
    ...data.store.initialAccessTokens,
    ...data.fresh,
    ...data.store.endUserSessions,
    ...data.store.logouts,
    ...data.dialogs,
    ...createTurns(),
    ...createSoftwareStatements(config['software-statement-issuers']),
    ...portsOfJose(data, keeper),
    ...others,
    keyRings: keeper.keyRings,
    foreignKeys: keeper.foreignKeys,
    keys: keeper.keys,
    sealAnew: data.store.sealAnew,
    hashToken: data.hashToken,
    checks: [{ name: 'store', check: () => data.store.check()() }],
    isDraining: () => draining.begun,
    requestId: randomUUID,
    log: (entry) => {
      metrics.observe(entry)
      logEntry(entry)
    },
    logUnreadable: logUnreadable(log),
    logWarnings: logWarnings(log),
    remoteAddress: remoteAddress(config['trusted-proxies']),
  }
}
