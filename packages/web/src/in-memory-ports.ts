import { type Fresh, type KeySettings, manageLogouts, sectorIdentifierUnavailable } from '@clientele/domain'
import { createTurns, inMemoryStore, type InMemoryStore, timedPauses } from '@clientele/adapters-memory'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  usualKeySettings,
  type HttpPorts,
  type PageRenderer,
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
import { hashToken, webFresh } from './fresh.js'
import { processDialogs } from './process-dialogs.js'
import { type KeptKeys, keptKeys } from './kept-keys.js'

export type InMemoryOptions = {
  /** Which keys there are, and how long each phase of them lasts; `usualKeySettings` where this is left out. */
  readonly keySettings?: KeySettings
  /** What the pages of logout look like. */
  readonly renderPage: PageRenderer
  /** The clock, and values that nobody can guess, where those of the platform are not wanted: in tests. */
  readonly fresh?: Fresh
}

export type InMemoryPorts = HttpPorts &
  ShellPorts<unknown> &
  Pick<KeptKeys, 'keepKeys' | 'keyRings' | 'foreignKeys' | 'refreshKeys'> &
  Pick<Fresh, 'now'> & {
    /** What is kept, with the ports that only a provider in the same process needs. */
    readonly store: InMemoryStore
  }

const keyPorts = ({ policy }: KeySettings, keys: KeptKeys, { now }: Pick<Fresh, 'now'>): KeyPorts => {
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

type Families = Pick<HttpPorts, 'clients' | 'tokens' | 'sessions' | 'logout' | 'operator'>

const families = (store: InMemoryStore, fresh: Fresh, keys: KeptKeys, renderPage: PageRenderer): Families => {
  const { registry, initialAccessTokens, endUserSessions, logouts } = store
  const turns = createTurns(timedPauses)
  const statements = createSoftwareStatements([])
  const unasked = {
    fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('nothing is fetched here')),
    logUnreadable: () => undefined,
    logWarnings: () => undefined,
  }
  const untold = { hashToken, sessionEnded: () => undefined }
  const sessions = { ...registry, ...endUserSessions, ...logouts, ...fresh, ...turns, ...untold }
  return {
    clients: { ...registry, ...initialAccessTokens, ...statements, ...fresh, ...turns, ...unasked },
    tokens: { ...initialAccessTokens, ...fresh },
    sessions,
    logout: { ...sessions, ...processDialogs(fresh.now), ...createIdTokenHints(keys), renderPage },
    operator: { ...registry, ...initialAccessTokens, now: fresh.now },
  }
}

/** Every port of both shells; what the host knows better is put in its place by spreading. */
export const inMemoryPorts = ({
  renderPage,
  keySettings = usualKeySettings,
  fresh = webFresh,
}: InMemoryOptions): InMemoryPorts => {
  const store = inMemoryStore()
  const turns = createTurns(timedPauses)
  const storage = { ...store.keyRings, ...store.foreignKeys, ...store.leases }
  const keys = keptKeys(keySettings, { ...storage, ...createKeyMaker(), ...turns, ...fresh })
  return {
    ...families(store, fresh, keys, renderPage),
    notices: manageLogouts({ delivers: false }, { ...store.logoutOutbox, now: fresh.now }),
    jwkSet: { publishedJwkSet: keys.publishedJwkSet },
    keys: keyPorts(keySettings, keys, fresh),
    health: { checks: [], isDraining: () => false },
    hashToken,
    renderPage,
    requestId: () => crypto.randomUUID(),
    log: () => undefined,
    remoteAddress: () => undefined,
    keepKeys: keys.keepKeys,
    keyRings: keys.keyRings,
    foreignKeys: keys.foreignKeys,
    refreshKeys: keys.refreshKeys,
    now: fresh.now,
    store,
  }
}
