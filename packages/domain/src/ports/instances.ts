// The running instances of a service that share one store.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { AnnouncedInstance, Instance } from '../instances/instance.js'
import type { InstanceRefusal, SettingDifference } from '../instances/permit-instance.js'

export type Announcement = {
  /** By the store's clock, in milliseconds since 1970. */
  readonly announced_at: number
  readonly differences: ReadonlyArray<SettingDifference>
}

export type Instances = {
  /**
   * Stores that the instance runs now, unless `permitInstance` refuses it beside the running ones, or the schema of the
   * store excludes its version: then the store takes no writes from it until a later announcement finds otherwise. Announcements are made
   * one after the other: of two instances that start at once and refuse each other, one is refused.
   */
  readonly announceInstance: (instance: Instance) => TE.TaskEither<InstanceRefusal | Unavailable, Announcement>
  /** The instance has stopped. */
  readonly withdrawInstance: (id: string) => TE.TaskEither<Unavailable, void>
  /** The instances that were seen within `maxUnseen`, the first that started first. */
  readonly listInstances: TE.TaskEither<Unavailable, ReadonlyArray<AnnouncedInstance>>
}
