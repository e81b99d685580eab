import type * as TE from 'fp-ts/lib/TaskEither.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { DeliveryPolicy } from '../logout/delivery.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { PendingNotifications } from '../ports/pending-notifications.js'

/** Removes notifications that are too old, and returns their number. */
export const purgeNotifications =
  (
    { delivery }: { readonly delivery: Pick<DeliveryPolicy, 'maxAge'> },
    ports: Pick<PendingNotifications, 'purgeNotifications'> & Pick<CredentialGenerator, 'now'>,
  ): TE.TaskEither<Unavailable, number> =>
  () => {
    const at = ports.now()
    return ports.purgeNotifications(secondsAfter(at, -Math.min(at, delivery.maxAge)))()
  }
