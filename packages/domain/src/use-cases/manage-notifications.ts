// Management of pending logout notifications by the operator; no answer names the end-user.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Unavailable, type UnknownNotification, unknownNotification } from '../errors.js'
import { type NotificationDescription, describeNotification } from '../logout/describe-notifications.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { PendingNotifications } from '../ports/pending-notifications.js'
import { type AuditPorts, type ByRequest, auditedBy } from './steps/audited.js'

export type NotificationList = {
  /** The oldest first. */
  readonly notices: ReadonlyArray<NotificationDescription>
  /** Whether there are notifications beyond the list. */
  readonly more: boolean
}

/** How many failed notifications are due now, and whether the service delivers notifications. */
export type RetriedNotifications = { readonly retried: number; readonly delivers: boolean }

export type NotificationManagement = {
  readonly listNotifications: TE.TaskEither<Unavailable, NotificationList>
  /** Makes the named notification due now, or all failed ones. */
  readonly retry: (id: O.Option<string>) => TE.TaskEither<UnknownNotification | Unavailable, RetriedNotifications>
}

export type ManageNotificationsSettings = { readonly delivers: boolean }
export type ManageNotificationsPorts = Pick<PendingNotifications, 'listNotifications' | 'retryNotifications'> &
  Pick<CredentialGenerator, 'now'> &
  AuditPorts

/** The maximum number of notifications in a list. */
export const maxListed = 1_000

export const manageNotifications =
  (
    settings: ManageNotificationsSettings,
    ports: ManageNotificationsPorts,
  ): ByRequest<'deliveries', NotificationManagement> =>
  (operator, request) => {
    const row = auditedBy(ports, operator, request)
    return {
      listNotifications: pipe(
        ports.listNotifications(maxListed + 1),
        TE.map((entries) => ({
          notices: entries.slice(0, maxListed).map(describeNotification(settings)),
          more: entries.length > maxListed,
        })),
      ),
      retry: (id) =>
        pipe(
          TE.fromIO(ports.now),
          TE.flatMap((at) =>
            ports.retryNotifications(
              id,
              at,
              row(at, 'notifications_retried', O.isSome(id) ? { subject: id.value } : {}),
            ),
          ),
          TE.filterOrElseW(
            (retried) => retried > 0 || O.isNone(id),
            () => unknownNotification,
          ),
          TE.map((retried) => ({ retried, delivers: settings.delivers })),
        ),
    }
  }
