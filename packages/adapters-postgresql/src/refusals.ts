import type { StoreRefusal, Unavailable } from '@clientele/domain'
import { reasonOf, storeRefusal } from '@clientele/stored-rows'

/** A database that cannot be opened. The message contains no password: errors of the driver name host and user only. */
export const unusable =
  (name: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    storeRefusal('unusable', `${name} cannot be opened: ${reasonOf(detail)}`)
