// clientele connections …: what end-users granted to applications (docs/operate/operators.md#connections).
import { AuditActor } from '@clientele/domain/audit'
import { decodeListQuery } from '@clientele/domain/managing'
import { connectionParameters } from '@clientele/domain/provider'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import { manage } from './manage.js'
import { counted, isoDay, printable, printableDocument } from '../text.js'
import { type Many, changeOptions, oneOrSelected } from './change-many.js'
import { type Command, type Query, asking, inPages, json, listed, moreText, present } from './command.js'
import { type Filter, type Filters, filterOption, limitOption, listing, textsOf } from './filters.js'

const Words = t.readonlyArray(t.string)
const Described = t.intersection([
  t.type({
    id: t.string,
    state: t.string,
    client_id: t.string,
    sub: t.string,
    scopes: Words,
    resources: t.record(t.string, Words),
    since: t.number,
    access_tokens: t.number,
    refresh_tokens: t.number,
  }),
  t.partial({ client_name: t.string, last_use: t.number, revoked_at: t.number, revoked_by: AuditActor }),
])
type Described = t.TypeOf<typeof Described>
const PageAnswer = t.intersection([t.type({ connections: t.array(Described) }), t.partial({ next: t.string })])
type Page = { readonly connections: ReadonlyArray<Described>; readonly next?: string | undefined }

const texts = { ...textsOf(connectionParameters), after: 'next of a former list' }

const filter = filterOption(texts)

/** The filters of a revocation, which is of live connections. */
const filters: Filters = {
  options: [
    filter('client', 'CLIENT_ID', 'connections of this application', 'client_id'),
    filter('user', 'SUB', 'connections of this end-user', 'sub'),
    filter('scope', 'SCOPE', 'connections with this scope value'),
    filter('resource', 'URI', 'connections with this resource'),
    filter('used-since', 'TIME', 'connections that were used on this day or later'),
    filter('idle-since', 'TIME', 'connections that began before this time, and were not used since'),
  ],
  texts,
  decode: (query) => decodeListQuery(connectionParameters, query),
}

const after: Filter = {
  name: 'after',
  value: 'NEXT',
  description: 'go on where an earlier list ended',
  parameter: 'after',
}

const listFilters: Filters = {
  ...filters,
  options: [...filters.options, filter('state', 'STATE', 'connections in this state, live ones by default'), after],
}

const maxLimit = 1_000_000

/** As many connections as are asked for; `next` is there if there are more. */
const listConnections = (config: Config, query: Query, limit: number): TE.TaskEither<string, Page> =>
  manage(config, (ask) =>
    pipe(
      inPages(
        ask,
        {
          path: '/manage/v1/connections',
          query,
          codec: PageAnswer,
          itemsOf: ({ connections }) => connections,
        },
        limit,
      ),
      TE.map(({ items, next }) => ({ connections: items, next })),
    ),
  )

const lineOf = (connection: Described): string => {
  const { id, client_id, client_name, sub, scopes, since, last_use, access_tokens, refresh_tokens } = connection
  const { revoked_at } = connection
  return present(
    id,
    printable(client_id),
    client_name !== undefined && printable(client_name),
    `of ${printable(sub)}`,
    printable(scopes.join(' ')),
    `since ${isoDay(since)}`,
    last_use !== undefined && `used ${isoDay(last_use)}`,
    revoked_at === undefined
      ? `${counted(access_tokens, 'access token', 'access tokens')}, ${counted(refresh_tokens, 'refresh token', 'refresh tokens')}`
      : `revoked ${isoDay(revoked_at)}`,
  )
    .filter((each) => each !== '')
    .join('  ')
}

const noSuchConnection = 'no connection has this id: clientele connections list shows those that there are'

const connectionPath = (id = ''): string => `/manage/v1/connections/${encodeURIComponent(id)}`

const revocation: Many = {
  filters,
  path: '/manage/v1/connections/revocation',
  one: 'connection',
  several: 'connections',
  operand: 'ID',
  exampleOfFilter: '--client',
  notFound: noSuchConnection,
  verb: 'revoke',
  doing: 'Revoking',
  done: 'revoked',
  unchanged: 'revoked meanwhile',
}

const operand = { name: 'ID', description: 'the id that clientele connections list shows' } as const

export const connectionCommands: ReadonlyArray<Command> = [
  {
    name: 'connections list',
    summary: 'list what end-users granted to applications, with scope, last use and tokens in force',
    options: [...listFilters.options, limitOption('connections'), json],
    example: 'clientele connections list --client s6BhdRkqt3s6BhdRkqt3 --scope email',
    run: listing(listFilters, maxLimit, listConnections, ({ connections, next }) =>
      listed(connections, lineOf, 'No connection is like that', moreText(next)),
    ),
  },
  {
    name: 'connections show',
    summary: 'show a connection',
    operand,
    options: [json],
    example: 'clientele connections show c1-2f',
    run: asking(
      ({ operand: id }) => ({ path: connectionPath(id), codec: Described, notFound: noSuchConnection }),
      printableDocument,
    ),
  },
  {
    name: 'connections revoke',
    summary: 'revoke a connection, or all that filters choose: the consent and all tokens end at once',
    operand: { ...operand, optional: true },
    options: changeOptions(filters, 'connections'),
    example: 'clientele connections revoke --user 248289761001 --dry-run',
    run: oneOrSelected(
      revocation,
      (id) => ({ method: 'DELETE', path: connectionPath(id), codec: t.null }),
      () => 'The connection is revoked: its tokens are refused from now on, and the end-user is asked again',
    ),
  },
]
