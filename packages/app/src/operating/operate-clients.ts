// Commands on many clients, through the running service or on the store when none runs: docs/managing-clients.md.
import { createSoftwareStatements } from '@clientele/adapters-jose'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { BulkChange, Parameters } from '@clientele/domain/managing'
import {
  changeClients,
  listRemovedClients,
  patchClient,
  previewPatch,
  callerOfTheStore,
  previewRegistration,
  readListedClient,
  registerClient,
  removeListedClient,
  restoreClient,
  searchClients,
} from '@clientele/domain/operations'
import type { Representation } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { commandOrigin } from '../audit/command-origin.js'
import type { Config } from '../config/settings.js'
import { portsOf } from '../data/operation-ports.js'
import type { OpenedData } from '../data/open-data.js'
import { baseUrlAt, registrationSettings } from '../wiring/http-settings.js'
import { sectorIdentifiers } from '../wiring/reach-out.js'
import { type ServiceAccess, askService } from './ask-service.js'
import { noSuchClient, operate, refusalOf } from './operation.js'
import { readAnswer, refusalText } from './read-answer.js'
import { throughServiceOrStore } from './through-service-or-store.js'

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

/** The requests of management, by either way. */
type Ways = {
  readonly page: (parameters: Parameters) => TE.TaskEither<string, Page>
  readonly change: (change: BulkChange, body: object) => TE.TaskEither<string, ChangeStep>
}

const unavailable = 'the store cannot answer now: try again'
const reported = TE.mapLeft((refusal: unknown) => refusalText(refusal, unavailable))

const queryText = (parameters: Parameters): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
  ).toString()

const byService = (access: ServiceAccess): Ways => ({
  page: (parameters) =>
    pipe(askService(access, `/manage/v1/clients?${queryText(parameters)}`), TE.flatMap(readAnswer(PageAnswer))),
  change: (change, body) =>
    pipe(
      askService(access, `/manage/v1/clients/${change}`, body, { timeLimit: 120_000 }),
      TE.flatMap(readAnswer(ChangeAnswer)),
    ),
})

const byStore = (config: Config, data: OpenedData): Ways => {
  const ports = portsOf(config, data)
  const { operator } = data
  return {
    page: (parameters) => reported(searchClients(ports)(operator)(parameters)),
    change: (change, body) =>
      reported(changeClients(change, ports)({ operator, origin: commandOrigin(), body: E.right(body) })),
  }
}

const withWays = <A>(config: Config, run: (ways: Ways) => TE.TaskEither<string, A>): TE.TaskEither<string, A> =>
  throughServiceOrStore(config, {
    service: (access) => run(byService(access)),
    store: (data) => run(byStore(config, data)),
  })

const maxPage = 500

/** As many clients as pageLimit for, by as many pages as are needed; `next` is there if there are more. */
export const listClients = (config: Config, parameters: Parameters, limit: number): TE.TaskEither<string, Page> =>
  withWays(config, ({ page }) => async () => {
    const clients: Array<ListedAnswer> = []
    let after = parameters['after']
    do {
      const pageLimit = [String(Math.min(maxPage, limit - clients.length))]
      const found = await page({ ...parameters, limit: pageLimit, ...(after === undefined ? {} : { after }) })()
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
    onStore: (data) =>
      pipe(
        readListedClient(portsOf(config, data))(data.operator)(id),
        TE.map(({ body }) => body),
      ),
  })

/** The number of clients that the filter selects. */
export const countClients = (config: Config, change: BulkChange, filter: object): TE.TaskEither<string, number> =>
  withWays(config, (ways) =>
    pipe(
      ways.change(change, { filter, dry_run: true }),
      TE.map((answer) => ('count' in answer ? answer.count : 0)),
    ),
  )

export type Changed = { readonly changed: number; readonly unchanged: number }

/** All batches, one after the other; `onBatch` is called after each with the number of clients that are done. */
export const changeAll = (
  config: Config,
  change: BulkChange,
  { filter, count }: { readonly filter: object; readonly count: number },
  onBatch: (done: number) => void,
): TE.TaskEither<string, Changed> =>
  withWays(config, (ways) => async () => {
    const sum = { changed: 0, unchanged: 0 }
    let body: object | undefined = { filter, count }
    while (body !== undefined) {
      const answer = await ways.change(change, body)()
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

const registering = (config: Config, data: OpenedData) => ({
  settings: registrationSettings(config, baseUrlAt(config, config.port)),
  ports: {
    ...portsOf(config, data),
    ...createSoftwareStatements(config['software-statement-issuers']),
    ...sectorIdentifiers(config),
  },
})

type Members = Readonly<Record<string, unknown>>

const asMembers = (client: object): Members => Object.fromEntries(Object.entries(client))

/** Registers a client with the authority of the operator; a dry run makes the same decision. */
export const createClient = (config: Config, body: object, dryRun: boolean): TE.TaskEither<string, Members> =>
  operate(config, {
    codec: t.UnknownRecord,
    path: `/clients?dry_run=${dryRun}`,
    body,
    onStore: (data): TE.TaskEither<unknown, Members> => {
      const { settings, ports } = registering(config, data)
      const request = { caller: callerOfTheStore, body: E.right(body), origin: commandOrigin() }
      return dryRun
        ? pipe(previewRegistration(settings, ports)(request), TE.map(asMembers))
        : pipe(
            registerClient(settings, ports)(request),
            TE.map(({ body: client }) => asMembers(client)),
          )
    },
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
type Patching = (patch: object, ifMatch: string | undefined, dryRun: boolean) => TE.TaskEither<string, Tagged>

const patchByService =
  (access: ServiceAccess, id: string): Patching =>
  (patch, ifMatch, dryRun) =>
    pipe(
      askService(access, `/manage/v1/clients/${encodeURIComponent(id)}?dry_run=${dryRun}`, patch, {
        method: 'PATCH',
        ifMatch,
      }),
      TE.flatMap((response) =>
        pipe(
          readAnswer(t.UnknownRecord, noSuchClient)(response),
          TE.map((json) => ({ json, entityTag: response.headers.get('ETag') ?? '' })),
        ),
      ),
    )

const patchOnStore =
  (config: Config, data: OpenedData, clientId: string): Patching =>
  (patch, ifMatch, dryRun) => {
    const { settings, ports } = registering(config, data)
    const request = {
      operator: data.operator,
      clientId,
      body: E.right(patch),
      origin: commandOrigin(),
      ...(ifMatch === undefined ? {} : { ifMatch: [ifMatch] }),
    }
    const done: TE.TaskEither<unknown, Representation<object>> = dryRun
      ? previewPatch(settings, ports)(request)
      : patchClient(settings, ports)(request)
    return pipe(
      done,
      TE.mapLeft((refusal) => refusalOf(refusal, noSuchClient)),
      TE.map(({ body, entityTag }) => ({ json: asMembers(body), entityTag })),
    )
  }

/** Asks first what would change, and then changes the version that this was answered for. */
const edit =
  ({ patch, ifMatch, dryRun }: Edit) =>
  (patching: Patching): TE.TaskEither<string, Edited> =>
    pipe(
      patching(patch, ifMatch, true),
      TE.flatMap(({ json, entityTag }): TE.TaskEither<string, Edited> => {
        if (!PreviewAnswer.is(json)) return TE.left('the service does not say what would change: update it')
        const { changes } = json
        return dryRun || changes.length === 0
          ? TE.right({ changes, entityTag })
          : pipe(
              patching(patch, entityTag, false),
              TE.map((patched) => ({ changes, entityTag: patched.entityTag, client: patched.json })),
            )
      }),
    )

/** Changes members of a client, which keeps its credentials. */
export const editClient = (config: Config, asked: Edit): TE.TaskEither<string, Edited> =>
  throughServiceOrStore(config, {
    service: (access) => edit(asked)(patchByService(access, asked.id)),
    store: (data) => edit(asked)(patchOnStore(config, data, asked.id)),
  })

/** Removes one client, with all that is recorded for it. */
export const removeOne = (config: Config, id: string): TE.TaskEither<string, null> =>
  operate(config, {
    codec: t.null,
    path: `/manage/v1/clients/${encodeURIComponent(id)}`,
    asking: { method: 'DELETE' },
    notFound: noSuchClient,
    onStore: (data) =>
      pipe(
        removeListedClient(portsOf(config, data))({ operator: data.operator, clientId: id, origin: commandOrigin() }),
        TE.map(() => null),
      ),
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
    onStore: (data) => listRemovedClients(portsOf(config, data))(data.operator)(parameters),
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
    onStore: (data) =>
      restoreClient(portsOf(config, data))({ operator: data.operator, clientId: id, origin: commandOrigin() }),
  })
