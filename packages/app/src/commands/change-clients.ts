// What suspends, resumes or deletes one client, or all that filters choose: docs/managing-clients.md.
import type { BulkChange } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { Ask } from '../manage/ask-service.js'
import { manage } from '../manage/manage.js'
import { readAnswer } from '../manage/read-answer.js'
import { counted } from '../text.js'
import { createProgress } from '../progress.js'
import { filterFault, filterOf, filterOptions } from './client-filters.js'
import type { CommandOption, Invocation } from './command.js'
import { refuse, show } from './show.js'
import type { ExitStatus, Outcome, Terminal } from './terminal.js'
import { withSettings } from './with-settings.js'

const ChangeAnswer = t.union([
  t.intersection([t.type({ changed: t.number, unchanged: t.number }), t.partial({ next: t.string })]),
  t.type({ count: t.number }),
])

type ChangeStep = t.TypeOf<typeof ChangeAnswer>

const unavailable = 'the store cannot answer now: try again'

const change = (ask: Ask, action: BulkChange, body: object): TE.TaskEither<string, ChangeStep> =>
  pipe(ask(`/manage/v1/clients/${action}`, body, { timeLimit: 120_000 }), TE.flatMap(readAnswer(ChangeAnswer)))

/** The number of clients that the filter selects. */
const countClients = (config: Config, action: BulkChange, filter: object): TE.TaskEither<string, number> =>
  manage(config, (ask) =>
    pipe(
      change(ask, action, { filter, dry_run: true }),
      TE.map((answer) => ('count' in answer ? answer.count : 0)),
    ),
  )

type Changed = { readonly changed: number; readonly unchanged: number }

/** All batches, one after the other; `onBatch` is called after each with the number of clients that are done. */
const changeAll = (
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
