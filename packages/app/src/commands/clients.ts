// clientele clients list, show and delete.
import { EpochSeconds } from '@clientele/domain/kernel'
import type { Parameters } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { Ask } from '../manage/ask-service.js'
import { manage, noSuchClient, operate } from '../manage/manage.js'
import { isoTime, printable, printableDocument, removalsText } from '../text.js'
import { readAnswer } from '../manage/read-answer.js'
import { changeOptions, oneOrSelected } from './change-clients.js'
import { asParameters, filterFault, filterOf, filterOptions, listOptions } from './client-filters.js'
import { type Command, json } from './command.js'
import { refuse, show } from './show.js'
import type { ExitStatus } from './terminal.js'
import { withSettings } from './with-settings.js'

const Described = t.intersection([t.UnknownRecord, t.type({ client_id: t.string })])
const PageAnswer = t.intersection([t.type({ clients: t.array(Described) }), t.partial({ next: t.string })])

/** A client as the list describes it. */
export type ListedAnswer = t.TypeOf<typeof Described>

type Page = { readonly clients: ReadonlyArray<ListedAnswer>; readonly next?: string | undefined }

const queryText = (parameters: Parameters): string =>
  new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])),
  ).toString()

const pageOf = (ask: Ask, parameters: Parameters): TE.TaskEither<string, Page> =>
  pipe(ask(`/manage/v1/clients?${queryText(parameters)}`), TE.flatMap(readAnswer(PageAnswer)))

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

/** Removes one client, with all that is recorded for it. */
const removeOne = (config: Config, id: string): TE.TaskEither<string, null> =>
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
type RemovalsAnswer = t.TypeOf<typeof RemovalsAnswer>

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
const restoreOne = (config: Config, id: string): TE.TaskEither<string, { readonly client_id: string }> =>
  operate(config, {
    codec: t.type({ client_id: t.string }),
    path: `/manage/v1/clients/${encodeURIComponent(id)}/restoration`,
    asking: { method: 'POST' },
    notFound: notRestorable,
  })

const text = (value: unknown): string => (typeof value === 'string' ? printable(value) : '')
const dayText = (word: string, value: unknown): string =>
  typeof value === 'number' ? `${word} ${isoTime(value).slice(0, 10)}` : ''

const lineOf = (client: ListedAnswer): string =>
  [
    text(client.client_id),
    text(client['state']),
    text(client['origin']),
    dayText('registered', client['client_id_issued_at']),
    dayText('used', client['last_use']),
    text(client['client_name']),
  ]
    .filter((each) => each !== '')
    .join('  ')

const defaultLimit = 100
const maxLimit = 1_000_000

const limitOf = (given: string | undefined): number | undefined => {
  const limit = given === undefined ? defaultLimit : /^\d{1,7}$/.test(given) ? Number(given) : 0
  return limit >= 1 && limit <= maxLimit ? limit : undefined
}

const list = withSettings(async ({ config }, terminal, invocation): Promise<ExitStatus> => {
  const { flags, switches } = invocation
  const limit = limitOf(flags['limit'])
  if (limit === undefined) return refuse(terminal, `--limit must be a number from 1 to ${maxLimit}`, 2)
  const fault = filterFault(invocation)
  if (fault !== undefined) return refuse(terminal, fault, 2)
  const { fields, after } = flags
  const parameters = asParameters({
    ...filterOf(invocation),
    ...(fields === undefined ? {} : { fields }),
    ...(after === undefined ? {} : { after }),
  })
  const asText = ({
    clients,
    next,
  }: {
    readonly clients: ReadonlyArray<ListedAnswer>
    readonly next?: string | undefined
  }) =>
    clients.length === 0
      ? 'No client is like that'
      : [...clients.map(lineOf), ...(next === undefined ? [] : [`There are more: --after ${next} goes on`])].join('\n')
  return show(terminal, listClients(config, parameters, limit), switches.includes('json') ? printableDocument : asText)
})

const showOne = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, showClient(config, operand), printableDocument),
)

const clientOperand = { name: 'CLIENT_ID', description: 'the client_id of the client' } as const

const deleteOne = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, removeOne(config, operand), () => 'The client is deleted, with all that was recorded for it'),
)

const restore = withSettings(({ config }, terminal, { operand = '' }) =>
  show(
    terminal,
    restoreOne(config, operand),
    () => 'The client is registered again as it was, with its credentials, and waits for its first use',
  ),
)

const maxRemovals = 500

const removalsListText = ({ announced, removed, next }: RemovalsAnswer): string =>
  [
    ...(removed.length === 0 ? ['No client can be restored'] : []),
    ...removed.map((client) =>
      [lineOf(client), dayText('removed', client.removed_at), dayText('until', client.restorable_until)].join('  '),
    ),
    ...(next === undefined ? [] : [`There are more: --after ${next} goes on`]),
    ...(announced.clients === 0 ? [] : [removalsText(announced)]),
  ].join('\n')

const listRemoved = withSettings(({ config }, terminal, { flags, switches }) => {
  const limit = limitOf(flags['limit'])
  if (limit === undefined || limit > maxRemovals)
    return refuse(terminal, `--limit must be a number from 1 to ${maxRemovals}`, 2)
  const removals = listRemovals(config, { after: flags['after'], limit })
  return show(terminal, removals, switches.includes('json') ? printableDocument : removalsListText)
})

export const clientCommands: ReadonlyArray<Command> = [
  {
    name: 'clients list',
    summary: 'list clients by filters, without their credentials',
    options: [
      ...filterOptions,
      ...listOptions,
      { name: 'limit', value: 'NUMBER', description: `at most so many clients, ${defaultLimit} by default` },
      json,
    ],
    example: 'clientele clients list --state idle --search example',
    run: list,
  },
  {
    name: 'clients show',
    summary: 'show a client, without its credentials',
    operand: clientOperand,
    example: 'clientele clients show s6BhdRkqt3s6BhdRkqt3',
    run: showOne,
  },
  {
    name: 'clients removed',
    summary: 'list the clients that the service removed by itself, and that can be restored',
    options: [
      { name: 'limit', value: 'NUMBER', description: `at most so many clients, ${defaultLimit} by default` },
      { name: 'after', value: 'NEXT', description: 'go on after a former list' },
      json,
    ],
    example: 'clientele clients removed',
    run: listRemoved,
  },
  {
    name: 'clients restore',
    summary: 'register such a client again, with its credentials',
    operand: clientOperand,
    example: 'clientele clients restore s6BhdRkqt3s6BhdRkqt3',
    run: restore,
  },
  {
    name: 'clients delete',
    summary: 'delete a client, or all that filters choose',
    operand: { ...clientOperand, optional: true },
    options: changeOptions,
    example: 'clientele clients delete --never-used --idle-since 2026-01-01 --dry-run',
    run: oneOrSelected('removal', deleteOne),
  },
]
