// One announcement of this instance, and what it shows.
import type { Instance, InstanceRefusal, SettingDifference } from '@clientele/domain/instances'
import { type Unavailable, clockDifference } from '@clientele/domain/kernel'
import type { Instances } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** What announcements show: the difference of the clocks in milliseconds, and the settings that differ. */
export type Observed = {
  readonly clock: number
  readonly differences: ReadonlyArray<SettingDifference>
  /** Why an instance that was not seen for a time may not run any more. */
  readonly refusal?: InstanceRefusal
}

export type Announcer = {
  readonly announce: TE.TaskEither<InstanceRefusal | Unavailable, Observed>
  readonly withdraw: TE.TaskEither<Unavailable, void>
}

export const createAnnouncer = ({ announceInstance, withdrawInstance }: Instances, instance: Instance): Announcer => ({
  announce: async () => {
    const before = Date.now()
    const announced = await announceInstance(instance)()
    const after = Date.now()
    return pipe(
      announced,
      E.map(({ announced_at, differences }) => ({
        clock: clockDifference({ before, store: announced_at, after }),
        differences,
      })),
    )
  },
  withdraw: withdrawInstance(instance.id),
})
