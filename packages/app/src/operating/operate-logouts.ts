// What commands do with the notices of logouts.
import {
  type LogoutManagement,
  type NoticeList,
  type RetriedNotices,
  NoticeDescription,
  manageLogouts,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { OpenedData } from '../data/open-data.js'
import { operate } from './operation.js'

const NoticeListAnswer = t.type({ notices: t.readonlyArray(NoticeDescription), more: t.boolean })
const RetriedAnswer = t.type({ retried: t.number, delivers: t.boolean })

const management = (config: Config, { store, fresh, operator }: OpenedData): LogoutManagement =>
  manageLogouts({ delivers: config['outbound-fetches'] }, { ...store.logoutOutbox, now: fresh.now })(operator)

export const listNotices = (config: Config): TE.TaskEither<string, NoticeList> =>
  operate(config, {
    path: '/logouts',
    codec: NoticeListAnswer,
    onStore: (data) => management(config, data).listNotices,
  })

export const retryNotices = (config: Config, id: string | undefined): TE.TaskEither<string, RetriedNotices> =>
  operate(config, {
    path: '/logouts/retry',
    body: id === undefined ? {} : { id },
    codec: RetriedAnswer,
    onStore: (data) => management(config, data).retry(O.fromNullable(id)),
  })
