import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import type { Registration } from '@clientele/domain/registration'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type RecordUse = (registration: Registration) => TE.TaskEither<Unavailable, void>

type Options = {
  readonly recordUse: (registration: Registration, at: EpochSeconds) => TE.TaskEither<Unavailable, void>
  readonly now: () => EpochSeconds
  /** How many registrations are remembered; 10,000 by default. */
  readonly max?: number
}

/**
 * Asks the store at the first use of a client in a UTC day by this process. The store decides whether it writes: this
 * only saves questions.
 */
export const oncePerDay = ({ recordUse, now, max = 10_000 }: Options): RecordUse => {
  const recorded = new Map<string, EpochSeconds>()
  const remember = (id: string, day: EpochSeconds): void => {
    recorded.delete(id)
    recorded.set(id, day)
    const [oldest] = recorded.keys()
    if (recorded.size > max && oldest !== undefined) recorded.delete(oldest)
  }
  return (registration) => () => {
    const at = now()
    const { registration_id } = registration
    if (recorded.get(registration_id) === useTime(at)) return TE.right(undefined)()
    return pipe(
      recordUse(registration, at),
      TE.tapIO(() => () => remember(registration_id, useTime(at))),
    )()
  }
}
