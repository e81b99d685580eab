import type { Fresh, KeySettings } from '@clientele/domain'
import { manageLogouts, sectorIdentifierUnavailable } from '@clientele/domain'
import { createTurns, inMemoryStore, type InMemoryStore } from '@clientele/adapters-memory'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { usualKeySettings, type HttpPorts, type PageRenderer, type ShellPorts } from '@clientele/adapters-http/fetch'
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
import type { KeptKeys } from './kept-keys.js'
import { keptKeys } from './kept-keys.js'

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
  Pick<KeptKeys, 'keepKeys'> & {
    /** What is kept, with the ports that only a provider in the same process needs. */
    readonly store: InMemoryStore
  }

/** Every port of both shells; what the host knows better is put in its place by spreading. */
export const inMemoryPorts = ({
  renderPage,
  keySettings = usualKeySettings,
  fresh = webFresh,
}: InMemoryOptions): InMemoryPorts => {
  const store = inMemoryStore()
  const keys = keptKeys(keySettings, { ...store.keyRings, ...store.foreignKeys, ...createKeyMaker(), now: fresh.now })
  return {
    ...store.registry,
    ...store.initialAccessTokens,
    ...store.endUserSessions,
    ...store.logouts,
    ...processDialogs(fresh.now),
    ...createIdTokenHints(keys),
    ...createSoftwareStatements([]),
    ...createObjectDecrypter(keys),
    readPrivateJwkSet,
    readPublicJwkSet,
    tokenSigner: (signing) => createTokenSigner(signing, { keyRings: keys.keyRings, now: fresh.now }),
    ...fresh,
    ...createTurns(),
    ...keys,
    fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('nothing is fetched here')),
    logoutNotices: manageLogouts({ delivers: false }, { ...store.logoutOutbox, now: fresh.now }),
    renderPage,
    sessionEnded: () => undefined,
    hashToken,
    checks: [],
    isDraining: () => false,
    requestId: () => crypto.randomUUID(),
    log: () => undefined,
    logUnreadable: () => undefined,
    logWarnings: () => undefined,
    remoteAddress: () => undefined,
    store,
  }
}
