// What operators do with logout notifications; a retry wakes the deliveries.
import {
  type AuditPorts,
  type ByRequest,
  type NotificationManagement,
  manageNotifications,
} from '@clientele/domain/operations'
import type { CredentialGenerator, LogoutSender, PendingNotifications } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type ManagedNotificationsOptions = {
  readonly pending: PendingNotifications
  readonly generator: Pick<CredentialGenerator, 'now'>
  /** Without a sender, nothing is sent: the notifications stay pending, with the reason. */
  readonly sender: LogoutSender | undefined
  readonly audit: AuditPorts
}

export const managedNotifications = (
  { sender, pending, generator, audit }: ManagedNotificationsOptions,
  wake: () => void,
): ByRequest<'deliveries', NotificationManagement> => {
  const ports = { ...pending, ...audit, now: generator.now }
  const managed = manageNotifications({ delivers: sender !== undefined }, ports)
  return (operator, request) => {
    const { listNotifications, retry } = managed(operator, request)
    return {
      listNotifications,
      retry: (id) =>
        pipe(
          retry(id),
          TE.tapIO(() => wake),
        ),
    }
  }
}
