// clientele clients secrets, add-secret and drop-secret: a client changes from one client_secret to another (docs/use/register.md).
import * as t from 'io-ts'
import { noSuchClient } from './manage.js'
import { isoDay, isoTime, printable } from '../text.js'
import { type Command, asking, json, lines, listed } from './command.js'

const Described = t.intersection([
  t.type({ secret: t.string, created_at: t.number, client_secret_expires_at: t.number }),
  t.partial({ last_use: t.number, ends_at: t.number }),
])
const Listed = t.type({ client_id: t.string, secrets: t.readonlyArray(Described) })
const Added = t.intersection([
  t.type({ client_id: t.string, client_secret: t.string, client_secret_expires_at: t.number }),
  t.partial({ preceding_ends_at: t.number }),
])
const Changed = t.type({ unchanged: t.boolean })

const pathOf = (id = ''): string => `/manage/v1/clients/${encodeURIComponent(id)}/client-secrets`

/** The end of a secret is the earlier of the two. */
const endText = ({ client_secret_expires_at: expiry, ends_at: end = 0 }: t.TypeOf<typeof Described>): string => {
  const ends = [expiry, end].filter((each) => each !== 0)
  return ends.length === 0 ? 'no end' : `until ${isoTime(Math.min(...ends))}`
}

const secretText = (each: t.TypeOf<typeof Described>): string =>
  [
    printable(each.secret).padEnd(9),
    `made ${isoDay(each.created_at)}`,
    each.last_use === undefined ? 'not used' : `used ${isoDay(each.last_use)}`,
    endText(each),
  ].join('  ')

const operand = { name: 'CLIENT_ID', description: 'the client_id of the client' } as const

const time = (name: string, description: string) =>
  ({
    name,
    value: 'TIME',
    description: `${description} (a time of RFC 3339, a date, or seconds since 1970-01-01)`,
  }) as const

export const clientSecretCommands: ReadonlyArray<Command> = [
  {
    name: 'clients secrets',
    summary: 'show when the client_secrets of a client were made and last used, and when they end',
    operand,
    options: [json],
    example: 'clientele clients secrets s6BhdRkqt3s6BhdRkqt3',
    run: asking(
      ({ operand: id }) => ({ path: pathOf(id), codec: Listed, notFound: noSuchClient }),
      ({ secrets }) => listed(secrets, secretText, 'The client has no client_secret'),
    ),
  },
  {
    name: 'clients add-secret',
    summary: 'give a client a second client_secret: the one that it has stays valid too, until it is dropped or ends',
    operand,
    options: [time('preceding-until', 'when the one that it has ends'), json],
    example: 'clientele clients add-secret s6BhdRkqt3s6BhdRkqt3 --preceding-until 2027-01-31',
    run: asking(
      ({ operand: id, flags }) => {
        const preceding_ends_at = flags['preceding-until']
        return {
          path: pathOf(id),
          body: preceding_ends_at === undefined ? {} : { preceding_ends_at },
          codec: Added,
          notFound: noSuchClient,
        }
      },
      ({ client_secret, preceding_ends_at }) =>
        lines(
          `client_secret  ${printable(client_secret)}`,
          preceding_ends_at === undefined
            ? 'The one before counts until clientele clients drop-secret drops it'
            : `The one before counts until ${isoTime(preceding_ends_at)}`,
        ),
    ),
  },
  {
    name: 'clients drop-secret',
    summary: 'drop the client_secret before the newest one, or let it end at a time',
    operand,
    options: [time('at', 'when it ends; at once by default')],
    example: 'clientele clients drop-secret s6BhdRkqt3s6BhdRkqt3',
    run: asking(
      ({ operand: id, flags }) => {
        const ends_at = flags['at']
        const how =
          ends_at === undefined ? ({ method: 'DELETE' } as const) : ({ method: 'PUT', body: { ends_at } } as const)
        return { ...how, path: `${pathOf(id)}/preceding`, codec: Changed, notFound: noSuchClient }
      },
      ({ unchanged }, { flags }) => {
        if (unchanged) return 'The client had one client_secret alone'
        return flags['at'] === undefined
          ? 'The client_secret is dropped: it authenticates nobody from now on'
          : 'The client_secret ends at that time'
      },
    ),
  },
]
