import * as T from 'fp-ts/lib/Task.js'
import type { Pauses } from '@clientele/domain/ports'

/** Pauses of no length. */
export const noPauses: Pauses = { drawFraction: () => 0, pause: () => T.of(undefined) }

/** The given ports in place of all that an operation may ask for: it fails when it calls another one. */
export const only = <Ports extends object>(given: NoInfer<Partial<Ports>>): Ports => given as Ports

/** For a port that the tested path must not call. */
export const shouldNotBeCalled = (): never => {
  throw new Error('this port must not be used here')
}
