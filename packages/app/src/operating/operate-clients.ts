// Commands on many clients, through the running service or on the store when none runs: docs/managing-clients.md.
import { EpochSeconds } from '@clientele/domain/kernel'
import type { BulkChange, Parameters } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { type Ask, manage } from './manage.js'
import { noSuchClient, operate } from './operation.js'
import { readAnswer } from './read-answer.js'

const Described = t.intersection([t.UnknownRecord, t.type({ client_id: t.string })])
const PageAnswer = t.intersection([t.type({ clients: t.array(Described) }), t.partial({ next: t.string })])
const ChangeAnswer = t.union([
  t.intersection([t.type({ changed: t.number, unchanged: t.number }), t.partial({ next: t.string })]),
  t.type({ count: t.number }),
])

/** A client as the list describes it. */
export type ListedAnswer = t.TypeOf<typeof Described>

type Page = { readonly clients: ReadonlyArray<ListedAnswer>; readonly next?: string | undefined }
type ChangeStep = t.TypeOf<typeof ChangeAnswer>

const unavailable = 'the store cannot answer now: try again'

const queryText = (parameters: Parameters): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
  ).toString()

const pageOf = (ask: Ask, parameters: Parameters): TE.TaskEither<string, Page> =>
  pipe(ask(`/manage/v1/clients?${queryText(parameters)}`), TE.flatMap(readAnswer(PageAnswer)))

const change = (ask: Ask, action: BulkChange, body: object): TE.TaskEither<string, ChangeStep> =>
  pipe(ask(`/manage/v1/clients/${action}`, body, { timeLimit: 120_000 }), TE.flatMap(readAnswer(ChangeAnswer)))

const maxPage = 500

/** As many clients as pageLimit for, by as many pages as are needed; `next` is there if there are more. */
export const listClients = (config: Config, parameters: Parameters, limit: number): TE.TaskEither<string, Page> =>
  manage(config, (ask) => async () => {
    const clients: Array<ListedAnswer> = []
    let after = parameters['after']
    do {
      const pageLimit = [String(Math.min(maxPage, limit - clients.length))]
      const found = await pageOf(ask, { ...parameters, limit: pageLimit, ...(after === undefined ? {} : { after }) })()
      if (E.isLeft(found)) return found
      clients.push(...found.right.clients)
      after = found.right.next === undefined ? undefined : [found.right.next]
    } while (after !== undefined && clients.length < limit)
    const [next] = after ?? []
    return E.right(next === undefined ? { clients } : { clients, next })
  })

export const showClient = (config: Config, id: string): TE.TaskEither<string, ListedAnswer> =>
  operate(config, {
    codec: Described,
    path: `/manage/v1/clients/${encodeURIComponent(id)}`,
    notFound: noSuchClient,
  })

/** The number of clients that the filter selects. */
export const countClients = (config: Config, action: BulkChange, filter: object): TE.TaskEither<string, number> =>
  manage(config, (ask) =>
    pipe(
      change(ask, action, { filter, dry_run: true }),
      TE.map((answer) => ('count' in answer ? answer.count : 0)),
    ),
  )

export type Changed = { readonly changed: number; readonly unchanged: number }

/** All batches, one after the other; `onBatch` is called after each with the number of clients that are done. */
export const changeAll = (
  config: Config,
  action: BulkChange,
  { filter, count }: { readonly filter: object; readonly count: number },
  onBatch: (done: number) => void,
): TE.TaskEither<string, Changed> =>
  manage(config, (ask) => async () => {
    const sum = { changed: 0, unchanged: 0 }
    let body: object | undefined = { filter, count }
    while (body !== undefined) {
      const answer = await change(ask, action, body)()
      if (E.isLeft(answer)) return answer
      const step: ChangeStep = answer.right
      if (!('changed' in step)) return E.left(unavailable)
      sum.changed += step.changed
      sum.unchanged += step.unchanged
      onBatch(sum.changed + sum.unchanged)
      body = step.next === undefined ? undefined : { filter, next: step.next }
    }
    return E.right(sum)
  })

type Members = Readonly<Record<string, unknown>>

/** Registers a client with the authority of the operator; a dry run makes the same decision. */
export const createClient = (config: Config, body: object, dryRun: boolean): TE.TaskEither<string, Members> =>
  operate(config, {
    codec: t.UnknownRecord,
    path: `/clients?dry_run=${dryRun}`,
    body,
  })

const Change = t.intersection([
  t.type({ member: t.string, change: t.keyof({ added: null, removed: null, replaced: null }) }),
  t.partial({ before: t.unknown, after: t.unknown }),
])
const PreviewAnswer = t.type({ changes: t.array(Change) })

export type ListedChange = t.TypeOf<typeof Change>

/** What an edit changes, the version that it is for, and the client afterwards; no client where nothing was changed. */
export type Edited = {
  readonly changes: ReadonlyArray<ListedChange>
  readonly entityTag: string
  readonly client?: Members
}

export type Edit = {
  readonly id: string
  readonly patch: object
  readonly ifMatch: string | undefined
  readonly dryRun: boolean
}

type Tagged = { readonly json: Members; readonly entityTag: string }

const patched = (ask: Ask, { id, patch, ifMatch, dryRun }: Edit): TE.TaskEither<string, Tagged> =>
  pipe(
    ask(`/manage/v1/clients/${encodeURIComponent(id)}?dry_run=${dryRun}`, patch, { method: 'PATCH', ifMatch }),
    TE.flatMap((response) =>
      pipe(
        readAnswer(t.UnknownRecord, noSuchClient)(response),
        TE.map((json) => ({ json, entityTag: response.headers.get('ETag') ?? '' })),
      ),
    ),
  )

/**
 * Changes members of a client, which keeps its credentials: asks first what would change, and then changes the version
 * that this was answered for.
 */
export const editClient = (config: Config, edit: Edit): TE.TaskEither<string, Edited> =>
  manage(config, (ask) =>
    pipe(
      patched(ask, { ...edit, dryRun: true }),
      TE.flatMap(({ json, entityTag }): TE.TaskEither<string, Edited> => {
        if (!PreviewAnswer.is(json)) return TE.left('the service does not say what would change: update it')
        const { changes } = json
        return edit.dryRun || changes.length === 0
          ? TE.right({ changes, entityTag })
          : pipe(
              patched(ask, { ...edit, ifMatch: entityTag }),
              TE.map((done) => ({ changes, entityTag: done.entityTag, client: done.json })),
            )
      }),
    ),
  )

/** Removes one client, with all that is recorded for it. */
export const removeOne = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/manage/v1/clients/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
    notFound: noSuchClient,
  })

const RemovedAnswer = t.intersection([Described, t.type({ removed_at: t.number, restorable_until: t.number })])
const Announced = t.intersection([
  t.type({ clients: t.number, within_a_day: t.number, within_a_week: t.number }),
  t.partial({ first_at: EpochSeconds }),
])
const RemovalsAnswer = t.intersection([
  t.type({ announced: Announced, removed: t.readonlyArray(RemovedAnswer) }),
  t.partial({ next: t.string }),
])

/** Clients that the service removed by itself, and how many it will remove. */
export type RemovalsAnswer = t.TypeOf<typeof RemovalsAnswer>

/** A page of the clients that can be restored. */
export const listRemovals = (
  config: Config,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): TE.TaskEither<string, RemovalsAnswer> => {
  const parameters: Parameters = { limit: [String(limit)], ...(after === undefined ? {} : { after: [after] }) }
  return operate<RemovalsAnswer>(config, {
    codec: RemovalsAnswer,
    path: `/manage/v1/removals?${queryText(parameters)}`,
  })
}

const notRestorable = 'no client with this id can be restored: clientele clients removed lists those that can'

/** Registers a client that the service removed by itself again. */
export const restoreOne = (config: Config, id: string): TE.TaskEither<string, { readonly client_id: string }> =>
  operate(config, {
    codec: t.type({ client_id: t.string }),
    path: `/manage/v1/clients/${encodeURIComponent(id)}/restoration`,
    asking: { method: 'POST' },
    notFound: notRestorable,
  })
