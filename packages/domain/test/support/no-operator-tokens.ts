import { inMemoryStore } from '@clientele/adapters-memory'
import { exampleTime } from '@clientele/testing'

/** The ports of a store without operator tokens. */
export const noOperatorTokens = { ...inMemoryStore().operatorTokens, now: () => exampleTime }
