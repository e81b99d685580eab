import type { ReferenceStore } from '@clientele/testing'
import { type State, emptyState, inMemoryStore } from '../../src/index.js'

/** The store in memory, for models of other stores. No step reads events, whose order would distinguish its states. */
export const inMemoryReference: ReferenceStore<State> = {
  empty: emptyState,
  copy: (state) => structuredClone({ ...state, events: [] }),
  open: inMemoryStore,
}
