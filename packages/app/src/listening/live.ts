// What a running service takes over without a restart: each request is answered as a whole with what was in force when
// it came.
import type { Listener, PublishedDocument } from '@clientele/adapters-http'
import type { Config } from '../config/settings.js'
import type { MasterTokenHashes } from '../data/open-data.js'

export type Live = {
  readonly config: Config
  readonly masterTokens: MasterTokenHashes
  /** The documents of the public port. */
  readonly documents: ReadonlyArray<PublishedDocument>
}

export type LiveListeners = {
  /** A listener that is made anew for each takeover. */
  readonly listenerOf: (make: (live: Live) => Listener) => Listener
  readonly takeOver: (live: Live) => void
  readonly presentConfig: () => Config
}

export const createLiveListeners = (initial: Live): LiveListeners => {
  const state = { live: initial }
  const makers: Array<() => void> = []
  return {
    presentConfig: () => state.live.config,
    listenerOf: (make) => {
      const current = { listener: make(state.live) }
      makers.push(() => (current.listener = make(state.live)))
      return (request, response) => current.listener(request, response)
    },
    takeOver: (live) => {
      state.live = live
      for (const makeAnew of makers) makeAnew()
    },
  }
}
