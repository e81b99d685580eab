import type { ReferenceStore } from '@clientele/testing'
import { type State, copyState, emptyState, inMemoryStore } from '../../src/index.js'

/** The store in memory, for models of other stores. No step reads events, whose order would distinguish its states. */
export const inMemoryReference: ReferenceStore<State> = {
  empty: emptyState,
  copy: (state) => copyState({ ...state, events: [] }),
  open: inMemoryStore,
}
