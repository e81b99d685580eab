// What commands do with the notices of logouts: through the running service, or on the store when none runs.
import type { LogoutManagement, NoticeList, RetriedNotices, Unavailable, UnknownNotice } from '@clientele/domain'
import { NoticeDescription, manageLogouts } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { askService } from './ask-service.js'
import type { Config } from '../config/settings.js'
import { storeCannot } from './operate-keys.js'
import { readAnswer, refusalText } from './read-answer.js'
import { throughServiceOrStore } from './through-service-or-store.js'

const NoticeListAnswer = t.type({ notices: t.readonlyArray(NoticeDescription), more: t.boolean })
const RetriedAnswer = t.type({ retried: t.number, delivers: t.boolean })

type Operation<A> = {
  readonly codec: t.Type<A, unknown>
  readonly path: string
  readonly body?: object
  readonly onStore: (notices: LogoutManagement) => TE.TaskEither<UnknownNotice | Unavailable, A>
}

const operate = <A>(config: Config, { codec, path, body, onStore }: Operation<A>): TE.TaskEither<string, A> =>
  throughServiceOrStore(config, {
    service: (access) => pipe(askService(access, path, body), TE.flatMap(readAnswer(codec))),
    store: ({ store, fresh }) =>
      pipe(
        onStore(manageLogouts({ delivers: config['outbound-fetches'] }, { ...store.logoutOutbox, now: fresh.now })),
        TE.mapLeft((refusal) => refusalText(refusal, storeCannot)),
      ),
  })

export const listNotices = (config: Config): TE.TaskEither<string, NoticeList> =>
  operate(config, { codec: NoticeListAnswer, path: '/logouts', onStore: ({ listNotices: list }) => list })

export const retryNotices = (config: Config, id: string | undefined): TE.TaskEither<string, RetriedNotices> =>
  operate(config, {
    codec: RetriedAnswer,
    path: '/logouts/retry',
    body: id === undefined ? {} : { id },
    onStore: ({ retry }) => retry(O.fromNullable(id)),
  })
