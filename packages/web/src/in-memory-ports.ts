import type { KeySettings } from '@clientele/domain/keys'
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import { createTurns, manageNotifications, operationPorts, unaudited } from '@clientele/domain/operations'
import {
  type Clock,
  type CredentialGenerator,
  type Pauses,
  sectorIdentifierUnavailable,
  unlimited,
} from '@clientele/domain/ports'
import { emptyState, inMemoryStore, type InMemoryStore } from '@clientele/adapters-memory'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  defaultKeySettings,
  type HttpPorts,
  type PageRenderer,
  type ServicePorts,
  type ShellPorts,
  type KeyPorts,
} from '@clientele/adapters-http/fetch'
import {
  createIdTokenHints,
  createKeyMaker,
  createObjectDecrypter,
  createSoftwareStatements,
  createTokenSigner,
  readPrivateJwkSet,
  readPublicJwkSet,
} from '@clientele/adapters-jose'
import { hashToken, webCredentialGenerator } from './credential-generator.js'
import { processConfirmations } from './process-confirmations.js'
import { type InMemoryKeys, inMemoryKeys } from './in-memory-keys.js'

export type InMemoryOptions = {
  /** The key rings and the times of their rotation; `defaultKeySettings` by default. */
  readonly keySettings?: KeySettings
  /** Renders the logout pages. */
  readonly renderPage: PageRenderer
  /** The clock and unguessable values in place of those of the platform, for tests. */
  readonly generator?: CredentialGenerator
}

export type InMemoryPorts = HttpPorts &
  ShellPorts<unknown> &
  Pick<InMemoryKeys, 'reconcileKeys' | 'keyRings' | 'foreignKeys' | 'lastRead' | 'refreshKeys'> &
  Clock & {
    /** The state, with the ports that only a provider in the same process needs. */
    readonly store: InMemoryStore
  }

/** Pauses by the timers of the runtime and Math.random. */
const timedPauses: Pauses = {
  drawFraction: Math.random,
  pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}

const keyPorts = ({ policy }: KeySettings, keys: InMemoryKeys, { now }: Clock): KeyPorts => {
  const decrypter = createObjectDecrypter(keys)
  return {
    management: keys.keys,
    readPrivateJwkSet,
    readPublicJwkSet,
    signerOf: (issuer) => {
      const signer = createTokenSigner({ issuer, policy }, { ...keys, now })
      return () => signer
    },
    decrypter: () => decrypter,
  }
}

/** Nothing is fetched, and nobody is told. */
const alone: Pick<ServicePorts, 'fetchSectorIdentifier' | 'logUnreadable' | 'logWarnings' | 'sessionEnded'> = {
  fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('nothing is fetched here')),
  logUnreadable: () => undefined,
  logWarnings: () => undefined,
  sessionEnded: () => undefined,
}

/** All ports of both shells; a host replaces some of them by spreading. */
export const inMemoryPorts = ({
  renderPage,
  keySettings = defaultKeySettings,
  generator = webCredentialGenerator,
}: InMemoryOptions): InMemoryPorts => {
  const store = inMemoryStore(emptyState(), generator.now)
  const turns = createTurns(timedPauses)
  const operations = operationPorts({
    store,
    generator,
    hashToken,
    turns,
    audit: unaudited,
    lifeCycle: defaultLifeCycle,
    removes: false,
  })
  const storage = { ...store.keyRings, ...store.foreignKeys, ...store.leases }
  const keys = inMemoryKeys(keySettings, { ...storage, ...createKeyMaker(), ...turns, ...generator, ...unaudited })
  return {
    service: {
      ...operations,
      ...alone,
      ...unlimited,
      ...createSoftwareStatements([]),
      ...processConfirmations(generator.now),
      ...createIdTokenHints(keys),
      renderPage,
    },
    notifications: manageNotifications({ delivers: false }, operations),
    jwkSet: { publishedJwkSet: keys.publishedJwkSet },
    keys: keyPorts(keySettings, keys, generator),
    health: { checks: [], isDraining: () => false },
    requestId: () => crypto.randomUUID(),
    log: () => undefined,
    remoteAddress: () => undefined,
    reconcileKeys: keys.reconcileKeys,
    keyRings: keys.keyRings,
    foreignKeys: keys.foreignKeys,
    lastRead: keys.lastRead,
    refreshKeys: keys.refreshKeys,
    now: generator.now,
    store,
  }
}
