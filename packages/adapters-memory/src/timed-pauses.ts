import type { Pauses } from '@clientele/domain'

/** By the clock of the process, and by chance. */
export const timedPauses: Pauses = {
  drawFraction: Math.random,
  pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}
