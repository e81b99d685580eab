// clientele clients list, show and delete; and suspend and resume of one client or of all that filters choose.
import type { BulkChange } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import { printable, printableDocument } from '../observing/printable.js'
import {
  type ListedAnswer,
  changeAll,
  countClients,
  listClients,
  removeOne,
  showClient,
} from '../operating/operate-clients.js'
import { isoTime } from '../operating/read-answer.js'
import { asParameters, filterFault, filterOf, filterOptions } from './client-filters.js'
import { type Command, type CommandOption, type Invocation, json } from './command.js'
import { refuse, show } from './show.js'
import type { ExitStatus, Outcome, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'
import type { Config } from '../config/settings.js'

const text = (value: unknown): string => (typeof value === 'string' ? printable(value) : '')
const day = (value: unknown): string => (typeof value === 'number' ? isoTime(value).slice(0, 10) : '')

const lineOf = (client: ListedAnswer): string =>
  [
    text(client.client_id),
    text(client['state']),
    text(client['origin']),
    day(client['client_id_issued_at']),
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

type Texts = { readonly verb: string; readonly done: string }

const textsOf: Readonly<Record<BulkChange, Texts>> = {
  suspension: { verb: 'suspend', done: 'suspended' },
  resumption: { verb: 'resume', done: 'resumed' },
  removal: { verb: 'delete', done: 'deleted' },
}

/** The number that the operator has confirmed; undefined if it was asked in vain. */
const confirmed = async (
  terminal: Terminal,
  { verb }: Texts,
  count: number,
  given: string | undefined,
): Promise<number | undefined> => {
  const answer = given ?? (await terminal.ask(`This will ${verb} ${count} clients. Type the number to confirm: `))
  return /^\d{1,15}$/.test(answer.trim()) ? Number(answer) : undefined
}

const changeSelected = async (
  config: Config,
  terminal: Terminal,
  change: BulkChange,
  invocation: Invocation,
): Promise<ExitStatus> => {
  const fault = filterFault(invocation)
  if (fault !== undefined) return refuse(terminal, fault, 2)
  const filter = filterOf(invocation)
  const { verb, done } = textsOf[change]
  const counted = await countClients(config, change, filter)()
  if (E.isLeft(counted)) return refuse(terminal, counted.left, 1)
  if (invocation.switches.includes('dry-run')) {
    terminal.output.write(`This would ${verb} ${counted.right} clients: --confirm ${counted.right} does it\n`)
    return 0
  }
  const count = await confirmed(terminal, textsOf[change], counted.right, invocation.flags['confirm'])
  if (count === undefined)
    return refuse(terminal, `nothing was done: --confirm must name the number of clients, ${counted.right}`, 2)
  const onBatch = (clients: number): void => void terminal.errors.write(`${clients} of ${count}\n`)
  return show(
    terminal,
    changeAll(config, change, { filter, count }, onBatch),
    ({ changed, unchanged }) => `${changed} clients are ${done}; ${unchanged} were so before, or are gone`,
  )
}

type One = (terminal: Terminal, invocation: Invocation) => Outcome

/** Changes the client of the operand; without one, all that the filters choose. */
export const oneOrSelected = (change: BulkChange, one: One): One => {
  const selected = withSettings(({ config }, terminal, invocation) =>
    changeSelected(config, terminal, change, invocation),
  )
  return (terminal, invocation) => {
    const isFiltered = Object.keys(filterOf(invocation)).length > 0
    if (invocation.operand === undefined && isFiltered) return selected(terminal, invocation)
    if (invocation.operand !== undefined && !isFiltered) return one(terminal, invocation)
    return refuse(terminal, 'name either one CLIENT_ID, or filters such as --state', 2)
  }
}

export const changeOptions: ReadonlyArray<CommandOption> = [
  ...filterOptions,
  { name: 'dry-run', description: 'only show how many clients the filters choose' },
  {
    name: 'confirm',
    value: 'COUNT',
    description: 'the number of clients that the filters choose; a terminal asks for it',
  },
]

const clientOperand = { name: 'CLIENT_ID', description: 'the client_id of the client' } as const

const deleteOne = withSettings(({ config }, terminal, { operand = '' }) =>
  show(terminal, removeOne(config, operand), () => 'The client is deleted, with all that was recorded for it'),
)

export const clientCommands: ReadonlyArray<Command> = [
  {
    name: 'clients list',
    summary: 'list clients by filters, without their credentials',
    options: [
      ...filterOptions,
      { name: 'fields', value: 'NAMES', description: 'only these members, separated by commas' },
      { name: 'limit', value: 'NUMBER', description: `at most so many clients, ${defaultLimit} by default` },
      { name: 'after', value: 'NEXT', description: 'go on after a former list' },
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
    name: 'clients delete',
    summary: 'delete a client, or all that filters choose',
    operand: { ...clientOperand, optional: true },
    options: changeOptions,
    example: 'clientele clients delete --never-used --idle-since 2026-01-01 --dry-run',
    run: oneOrSelected('removal', deleteOne),
  },
]
