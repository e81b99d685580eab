import * as T from 'fp-ts/lib/Task.js'
import type { Pauses } from '@clientele/domain'

/** Waits for nothing, and draws nothing. */
export const noPauses: Pauses = { drawFraction: () => 0, pause: () => T.of(undefined) }
