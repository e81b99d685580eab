// clientele clients …: what is registered, and what operators do with one client or with many.
import { EpochSeconds } from '@clientele/domain/kernel'
import { type BulkChange, decodeClientQuery, parameterTexts } from '@clientele/domain/managing'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { manage, noSuchClient, operate } from './manage.js'
import { isoDay, printable, printableDocument, removalsText } from '../text.js'
import { type Many, changeOptions, oneOrSelected } from './change-many.js'
import {
  type Command,
  type Query,
  answering,
  asking,
  inPages,
  json,
  lines,
  listed,
  moreText,
  queryOf,
} from './command.js'
import { type Filter, type Filters, filterOption, limitOf, limitOption, listing } from './filters.js'

const Described = t.intersection([t.UnknownRecord, t.type({ client_id: t.string })])
const PageAnswer = t.intersection([t.type({ clients: t.array(Described) }), t.partial({ next: t.string })])

/** A client as the list describes it. */
export type ListedAnswer = t.TypeOf<typeof Described>

type Page = { readonly clients: ReadonlyArray<ListedAnswer>; readonly next?: string | undefined }

/** As many clients as are asked for; `next` is there if there are more. */
export const listClients = (config: Config, query: Query, limit: number): TE.TaskEither<string, Page> =>
  manage(config, (ask) =>
    pipe(
      inPages(ask, { path: '/manage/v1/clients', query, codec: PageAnswer, itemsOf: ({ clients }) => clients }, limit),
      TE.map(({ items, next }) => ({ clients: items, next })),
    ),
  )

const clientPath = (id = ''): string => `/manage/v1/clients/${encodeURIComponent(id)}`

export const showClient = (config: Config, id: string | undefined): TE.TaskEither<string, ListedAnswer> =>
  operate(config, { codec: Described, path: clientPath(id), notFound: noSuchClient })

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
): TE.TaskEither<string, RemovalsAnswer> =>
  operate(config, {
    codec: RemovalsAnswer,
    path: `/manage/v1/removals${queryOf({ limit: String(limit), after })}`,
  })

const text = (value: unknown): string => (typeof value === 'string' ? printable(value) : '')
const dayText = (word: string, value: unknown): string => (typeof value === 'number' ? `${word} ${isoDay(value)}` : '')

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

const removalsListText = ({ announced, removed, next }: RemovalsAnswer): string =>
  lines(
    removed.length === 0 && 'No client can be restored',
    removed.map((client) =>
      [lineOf(client), dayText('removed', client.removed_at), dayText('until', client.restorable_until)].join('  '),
    ),
    moreText(next),
    announced.clients > 0 && removalsText(announced),
  )

const maxLimit = 1_000_000
const maxRemovals = 500

// The filters are those of GET /manage/v1/clients.

const filter = filterOption(parameterTexts)

const options: ReadonlyArray<Filter> = [
  filter('search', 'TEXT', 'clients whose client_id, name, software_id, contacts or hosts contain this text', 'q'),
  filter('state', 'STATE', 'clients in this state'),
  filter('registered-by', 'AUTHORITY', 'clients that this authority registered'),
  filter('origin', 'ORIGIN', 'clients that were registered in this way'),
  filter('token', 'FINGERPRINT', 'the client that this token registered'),
  filter('statement-issuer', 'ISSUER', 'clients with a software statement of this issuer'),
  filter('declared', 'SET', 'clients of this set, which clients apply declares'),
  filter('software-id', 'SOFTWARE_ID', 'clients with this software_id'),
  filter('since', 'TIME', 'clients registered at this time or later'),
  filter('idle-since', 'TIME', 'clients registered before this time, and not used since'),
  { name: 'never-used', description: 'clients that were never used', parameter: 'never_used' },
]

const clientFilters: Filters = { options, texts: parameterTexts, decode: decodeClientQuery }

/** Those of `clients list`. */
const listedClientFilters: Filters = {
  ...clientFilters,
  options: [
    ...options,
    filter('fields', 'NAMES', 'show only these members'),
    filter('after', 'NEXT', 'go on where an earlier list ended'),
  ],
}

type Texts = Pick<Many, 'verb' | 'doing' | 'done' | 'unchanged' | 'needs'>

const textsOf: Readonly<Record<BulkChange, Texts>> = {
  suspension: {
    verb: 'suspend',
    doing: 'Suspending',
    done: 'suspended',
    unchanged: 'suspended before, or deleted meanwhile',
  },
  resumption: { verb: 'resume', doing: 'Resuming', done: 'resumed', unchanged: 'not suspended, or deleted meanwhile' },
  removal: { verb: 'delete', doing: 'Deleting', done: 'deleted', unchanged: 'deleted meanwhile' },
  approval: {
    verb: 'approve',
    doing: 'Approving',
    done: 'approved',
    unchanged: 'in force before, or deleted meanwhile',
  },
  refusal: {
    verb: 'refuse',
    doing: 'Refusing',
    done: 'refused',
    unchanged: 'in force, refused before with this reason, or deleted meanwhile',
    needs: { option: 'reason', text: 'say why by --reason TEXT, which the developer of the client reads' },
  },
}

const manyClients = (change: BulkChange): Many => ({
  filters: clientFilters,
  path: `/manage/v1/clients/${change}`,
  one: 'client',
  several: 'clients',
  operand: 'CLIENT_ID',
  exampleOfFilter: '--state',
  notFound: noSuchClient,
  ...textsOf[change],
})

const clientChangeOptions = changeOptions(clientFilters, 'clients')

const RenewedAnswer = t.intersection([
  t.type({ client_id: t.string, registration_access_token: t.string }),
  t.partial({ client_secret: t.string }),
])

const Changed = t.type({ unchanged: t.boolean })

const Approved = t.intersection([Changed, t.partial({ warnings: t.readonlyArray(t.type({ description: t.string })) })])

const suspension = (method: 'POST' | 'DELETE') => (id: string) => ({
  method,
  path: `/clients/${encodeURIComponent(id)}/suspension`,
  codec: Changed,
})

const clientId = { name: 'CLIENT_ID', description: 'the client_id of the client' } as const

const limit = limitOption('clients')

export const clientCommands: ReadonlyArray<Command> = [
  {
    name: 'clients renew',
    summary: 'give a client new credentials: those that it had are no longer valid',
    operand: clientId,
    options: [json],
    example: 'clientele clients renew s6BhdRkqt3s6BhdRkqt3',
    run: asking(
      ({ operand = '' }) => ({
        path: `/clients/${encodeURIComponent(operand)}/renewal`,
        body: {},
        codec: RenewedAnswer,
        notFound: noSuchClient,
      }),
      ({ client_id, client_secret, registration_access_token }) =>
        lines(
          `client_id                  ${printable(client_id)}`,
          client_secret !== undefined && `client_secret              ${printable(client_secret)}`,
          `registration_access_token  ${printable(registration_access_token)}`,
        ),
    ),
  },
  {
    name: 'clients suspend',
    summary: 'suspend a client, or all that filters choose: every endpoint refuses them until they are resumed',
    operand: { ...clientId, optional: true },
    options: clientChangeOptions,
    example: 'clientele clients suspend s6BhdRkqt3s6BhdRkqt3',
    run: oneOrSelected(manyClients('suspension'), suspension('POST'), ({ unchanged }) =>
      unchanged
        ? 'The client was suspended before'
        : 'The client is suspended: it gets no tokens, and those that it has are without effect until it is resumed',
    ),
  },
  {
    name: 'clients resume',
    summary: 'resume a suspended client, or all that filters choose',
    operand: { ...clientId, optional: true },
    options: clientChangeOptions,
    example: 'clientele clients resume s6BhdRkqt3s6BhdRkqt3',
    run: oneOrSelected(manyClients('resumption'), suspension('DELETE'), ({ unchanged }) =>
      unchanged
        ? 'The client was not suspended'
        : 'The client is in force again, with its tokens that have not expired',
    ),
  },
  {
    name: 'clients approve',
    summary: 'approve a client that waits for an approval or was refused, or all that filters choose',
    operand: { ...clientId, optional: true },
    options: clientChangeOptions,
    example: 'clientele clients approve s6BhdRkqt3s6BhdRkqt3',
    run: oneOrSelected(
      manyClients('approval'),
      (id) => ({ method: 'POST', path: `${clientPath(id)}/approval`, codec: Approved }),
      ({ unchanged, warnings = [] }) =>
        unchanged
          ? 'The client waited for no approval'
          : lines(
              warnings.length === 0
                ? 'The client is approved: users can sign in to it from now on'
                : 'The client is approved. This service does not do all that it is registered for:',
              warnings.map(({ description }) => `  ${printable(description)}`),
            ),
    ),
  },
  {
    name: 'clients refuse',
    summary: 'refuse a client that waits for an approval, or all that filters choose, and tell its developer why',
    operand: { ...clientId, optional: true },
    options: [
      ...clientChangeOptions,
      {
        name: 'reason',
        value: 'TEXT',
        description: 'the reason in one line, which the developer and the users of the client read',
      },
    ],
    example: 'clientele clients refuse s6BhdRkqt3s6BhdRkqt3 --reason "Its policy_uri is missing"',
    run: oneOrSelected(
      manyClients('refusal'),
      (id, { reason }) => ({ path: `${clientPath(id)}/refusal`, body: { reason }, codec: Changed }),
      ({ unchanged }) =>
        unchanged
          ? 'The client was refused before, with this reason'
          : 'The client is refused: it stays registered, and clientele clients approve approves it later',
    ),
  },
  {
    name: 'clients list',
    summary: 'list clients by filters, without their credentials',
    options: [...listedClientFilters.options, limit, json],
    example: 'clientele clients list --state idle --search example',
    run: listing(listedClientFilters, maxLimit, listClients, ({ clients, next }) =>
      listed(clients, lineOf, 'No client is like that', moreText(next)),
    ),
  },
  {
    name: 'clients show',
    summary: 'show a client, without its credentials',
    operand: clientId,
    options: [json],
    example: 'clientele clients show s6BhdRkqt3s6BhdRkqt3',
    run: answering((config, { operand }) => showClient(config, operand), printableDocument),
  },
  {
    name: 'clients removed',
    summary: 'list the clients that the service removed by itself, and that can be restored',
    options: [limit, { name: 'after', value: 'NEXT', description: 'go on where an earlier list ended' }, json],
    example: 'clientele clients removed',
    run: answering(
      (config, invocation) =>
        pipe(
          TE.fromEither(limitOf(invocation, maxRemovals)),
          TE.flatMap((most) => listRemovals(config, { after: invocation.flags['after'], limit: most })),
        ),
      removalsListText,
    ),
  },
  {
    name: 'clients restore',
    summary: 'register a client again that the service removed by itself, with its credentials',
    operand: clientId,
    example: 'clientele clients restore s6BhdRkqt3s6BhdRkqt3',
    run: asking(
      ({ operand }) => ({
        method: 'POST',
        path: `${clientPath(operand)}/restoration`,
        codec: t.type({ client_id: t.string }),
        notFound: 'no client with this id can be restored: clientele clients removed lists those that can',
      }),
      () => 'The client is registered again as it was, with its credentials, and waits for its first use',
    ),
  },
  {
    name: 'clients delete',
    summary: 'delete a client, or all that filters choose',
    operand: { ...clientId, optional: true },
    options: clientChangeOptions,
    example: 'clientele clients delete --never-used --idle-since 2026-01-01 --dry-run',
    run: oneOrSelected(
      manyClients('removal'),
      // The operator names the client, and no version of it.
      (id) => ({ method: 'DELETE', path: clientPath(id), ifMatch: '*', codec: t.null }),
      () => 'The client is deleted, with all that was recorded for it',
    ),
  },
]
