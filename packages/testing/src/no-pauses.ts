import * as T from 'fp-ts/lib/Task.js'
import type { Pauses } from '@clientele/domain/ports'

/** Pauses of no length. */
export const noPauses: Pauses = { drawFraction: () => 0, pause: () => T.of(undefined) }
