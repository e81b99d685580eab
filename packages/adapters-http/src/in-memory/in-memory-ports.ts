import type { Fresh, KeySettings } from '@clientele/domain'
import { manageLogouts, sectorIdentifierUnavailable } from '@clientele/domain'
import type { InMemoryStore } from '@clientele/domain/in-memory'
import { createTurns, inMemoryStore } from '@clientele/domain/in-memory'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { createIdTokenHints } from '../jose/id-token-hints.js'
import { createKeyMaker } from '../jose/key-maker.js'
import { createSoftwareStatements } from '../jose/software-statements.js'
import type { PageRenderer } from '../logout/rendered-page.js'
import type { HttpPorts, ShellPorts } from '../settings.js'
import { usualKeySettings } from '../usual-settings.js'
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
