import { createTurns } from '@clientele/domain/operations'
import type { Turns } from '@clientele/domain/ports'

/** Turns whose pauses are measured by the timers of the process. */
export const timedTurns = (): Turns =>
  createTurns({
    drawFraction: Math.random,
    pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  })
