// What operators do with logout notifications; a retry wakes the deliveries.
import {
  type AuditPorts,
  type ByRequest,
  type NotificationManagement,
  manageNotifications,
} from '@clientele/domain/operations'
import type { ClientRegistry, CredentialGenerator, LogoutSender, PendingNotifications } from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

export type ManagedNotificationsOptions = {
  readonly ports: PendingNotifications & ClientRegistry & CredentialGenerator & AuditPorts
  /** Without a sender, nothing is sent: the notifications stay pending, with the reason. */
  readonly sender: LogoutSender | undefined
}

export const managedNotifications = (
  { sender, ports }: ManagedNotificationsOptions,
  wake: () => void,
): ByRequest<'deliveries', NotificationManagement> => {
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
