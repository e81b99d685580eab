import type { Pauses } from '@clientele/domain'

/** Pauses by the timers of the process and Math.random. */
export const timedPauses: Pauses = {
  drawFraction: Math.random,
  pause: (milliseconds) => () => new Promise((resolve) => setTimeout(resolve, milliseconds)),
}
