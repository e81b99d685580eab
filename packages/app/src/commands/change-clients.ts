// What suspends, resumes or deletes one client, or all that filters choose: docs/managing-clients.md.
import type { BulkChange } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Config } from '../config/settings.js'
import { counted } from '../observing/counted.js'
import { createProgress } from '../observing/progress.js'
import { type Changed, changeAll, countClients } from '../operating/operate-clients.js'
import { filterFault, filterOf, filterOptions } from './client-filters.js'
import type { CommandOption, Invocation } from './command.js'
import { refuse, show } from './show.js'
import type { ExitStatus, Outcome, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

type Texts = {
  readonly verb: string
  readonly doing: string
  readonly done: string
  /** Of the clients that needed no change. */
  readonly unchanged: string
}

const textsOf: Readonly<Record<BulkChange, Texts>> = {
  suspension: {
    verb: 'suspend',
    doing: 'Suspending',
    done: 'suspended',
    unchanged: 'suspended before, or deleted meanwhile',
  },
  resumption: { verb: 'resume', doing: 'Resuming', done: 'resumed', unchanged: 'not suspended, or deleted meanwhile' },
  removal: { verb: 'delete', doing: 'Deleting', done: 'deleted', unchanged: 'deleted meanwhile' },
}

const clientsText = (count: number): string => counted(count, 'client', 'clients')

const changedText = ({ done, unchanged: otherwise }: Texts, { changed, unchanged }: Changed): string =>
  [`${clientsText(changed)} ${done}`, ...(unchanged === 0 ? [] : [`${clientsText(unchanged)} ${otherwise}`])].join('; ')

/** The number that the operator has confirmed; undefined if it was asked in vain. */
const confirmed = async (
  terminal: Terminal,
  { verb }: Texts,
  count: number,
  given: string | undefined,
): Promise<number | undefined> => {
  const answer = given ?? (await terminal.ask(`This will ${verb} ${clientsText(count)}. Type ${count} to confirm it: `))
  return /^\d{1,15}$/.test(answer.trim()) ? Number(answer) : undefined
}

const isDryRun = ({ switches }: Invocation): boolean => switches.includes('dry-run')

const changeSelected = async (
  config: Config,
  terminal: Terminal,
  change: BulkChange,
  invocation: Invocation,
): Promise<ExitStatus> => {
  const fault = filterFault(invocation)
  if (fault !== undefined) return refuse(terminal, fault, 2)
  const filter = filterOf(invocation)
  const texts = textsOf[change]
  const selected = await countClients(config, change, filter)()
  if (E.isLeft(selected)) return refuse(terminal, selected.left, 1)
  if (isDryRun(invocation)) {
    terminal.output.write(
      `This would ${texts.verb} ${clientsText(selected.right)}: --confirm ${selected.right} does it\n`,
    )
    return 0
  }
  const count = await confirmed(terminal, texts, selected.right, invocation.flags['confirm'])
  if (count === undefined)
    return refuse(terminal, `nothing was done: --confirm must name the number of clients, ${selected.right}`, 2)
  const progress = createProgress(terminal.errors)
  const done = await changeAll(config, change, { filter, count }, (clients) =>
    progress.show(texts.doing, clients, count),
  )()
  progress.end()
  return show(terminal, TE.fromEither(done), (changed) => changedText(texts, changed))
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
    if (invocation.operand === undefined || isFiltered)
      return refuse(terminal, 'name either one CLIENT_ID, or filters such as --state', 2)
    // Ignored, a dry run would change the client.
    return isDryRun(invocation) || invocation.flags['confirm'] !== undefined
      ? refuse(terminal, 'nothing was done: --dry-run and --confirm belong to filters, not to one CLIENT_ID', 2)
      : one(terminal, invocation)
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
