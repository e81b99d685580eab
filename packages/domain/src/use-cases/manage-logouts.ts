// What the operator does with the notices that are still owed; no answer tells whose logout they are of.
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ForOperator } from '../authorization/operator.js'
import { type Unavailable, type UnknownNotice, unknownNotice } from '../errors.js'
import { type NoticeDescription, describeNotice } from '../logout/describe-notices.js'
import type { Fresh } from '../ports/fresh.js'
import type { LogoutOutbox } from '../ports/logout-outbox.js'

export type NoticeList = {
  /** The oldest first. */
  readonly notices: ReadonlyArray<NoticeDescription>
  /** Whether there are others that are not in the list. */
  readonly more: boolean
}

/** How many notices that had failed are due now, and whether anything is delivered at all. */
export type RetriedNotices = { readonly retried: number; readonly delivers: boolean }

export type LogoutManagement = {
  readonly listNotices: TE.TaskEither<Unavailable, NoticeList>
  /** Makes the one that is named due now, or all that have failed. */
  readonly retry: (id: O.Option<string>) => TE.TaskEither<UnknownNotice | Unavailable, RetriedNotices>
}

export type ManageLogoutsSettings = { readonly delivers: boolean }
export type ManageLogoutsPorts = Pick<LogoutOutbox, 'listNotices' | 'retryNotices'> & Pick<Fresh, 'now'>

/** So many notices a list tells at most. */
export const mostListed = 1_000

export const manageLogouts = (
  settings: ManageLogoutsSettings,
  ports: ManageLogoutsPorts,
): ForOperator<LogoutManagement> => {
  const management: LogoutManagement = {
    listNotices: pipe(
      ports.listNotices(mostListed + 1),
      TE.map((entries) => ({
        notices: entries.slice(0, mostListed).map(describeNotice(settings)),
        more: entries.length > mostListed,
      })),
    ),
    retry: (id) =>
      pipe(
        TE.fromIO(ports.now),
        TE.flatMap((at) => ports.retryNotices(id, at)),
        TE.filterOrElseW(
          (retried) => retried > 0 || O.isNone(id),
          () => unknownNotice,
        ),
        TE.map((retried) => ({ retried, delivers: settings.delivers })),
      ),
  }
  return () => management
}
