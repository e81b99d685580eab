// What changes one thing of the operand, or all that filters choose, whose number the operator confirms: clients
// (docs/operate/operators.md#managing-clients), and connections (docs/operate/operators.md#connections).
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { Ask } from './ask.js'
import { type Operation, askFor, inSteps, manage, operate } from './manage.js'
import { counted, printable } from '../text.js'
import {
  type Command,
  type CommandOption,
  type Invocation,
  type Refusal,
  type Terminal,
  answering,
  refuse,
  withProgress,
} from './command.js'
import { type Filters, filterFault, filterOf } from './filters.js'

/** A change of many things of a kind. */
export type Many = {
  readonly filters: Filters
  readonly path: string
  readonly one: string
  readonly several: string
  /** The operand, and a filter, for the text that names them. */
  readonly operand: string
  readonly exampleOfFilter: string
  /** Where no thing has the id of the operand. */
  readonly notFound: string
  readonly verb: string
  readonly doing: string
  readonly done: string
  /** Of the things that needed no change. */
  readonly unchanged: string
  /** An option that the change needs, as a member of its requests. */
  readonly needs?: { readonly option: string; readonly text: string }
}

const Counted = t.type({ count: t.number })
const Warned = t.type({ client_id: t.string, warnings: t.readonlyArray(t.type({ description: t.string })) })
const Changed = t.intersection([
  t.type({ changed: t.number, unchanged: t.number }),
  t.partial({ unreadable: t.readonlyArray(t.string), warned: t.readonlyArray(Warned), next: t.string }),
])

const changeOf = <A>({ path }: Many, body: object, codec: t.Decoder<unknown, A>): Operation<A> => ({
  path,
  body,
  timeLimit: 120_000,
  codec,
})

type Sum = {
  readonly changed: number
  readonly unchanged: number
  readonly unreadable: ReadonlyArray<string>
  readonly warned: ReadonlyArray<t.TypeOf<typeof Warned>>
}

const goOn =
  'What was changed until then stays. To go on, give the same command without --confirm, or with the number that --dry-run says then'

/** All batches, one after the other; `onBatch` is called after each with the number of things that are done. */
const changeAll = (
  ask: Ask,
  many: Many,
  { filter, count, told }: { readonly filter: object; readonly count: number; readonly told: object },
  onBatch: (done: number) => void,
) => {
  let begun = false
  return pipe(
    inSteps(
      (next) =>
        askFor(
          ask,
          changeOf(many, next === undefined ? { filter, count, ...told } : { filter, next, ...told }, Changed),
        ),
      (sum: Sum = { changed: 0, unchanged: 0, unreadable: [], warned: [] }, step) => {
        const changed = sum.changed + step.changed
        const unchanged = sum.unchanged + step.unchanged
        begun = true
        const unreadable = [...sum.unreadable, ...(step.unreadable ?? [])]
        onBatch(changed + unchanged + unreadable.length)
        return { changed, unchanged, unreadable, warned: [...sum.warned, ...(step.warned ?? [])] }
      },
    ),
    TE.mapLeft((refusal) => {
      // The operator has no `next`.
      const said = refusal.replace(/: go on with next$/, '')
      return begun || said !== refusal ? `${said}. ${goOn}` : refusal
    }),
  )
}

const countText = ({ one, several }: Many, count: number): string => counted(count, one, several)

/** The number that the operator confirms, which is asked for where it is not given. */
const confirmed =
  (terminal: Terminal, many: Many, selected: number, given: string | undefined) =>
  async (): Promise<E.Either<Refusal, number>> => {
    const question = `This will ${many.verb} ${countText(many, selected)}. Type ${selected} to confirm it: `
    const answer = given ?? (await terminal.ask(question))
    return /^\d{1,15}$/.test(answer.trim())
      ? E.right(Number(answer))
      : E.left({ usage: `nothing was done: --confirm must name the number of ${many.several}, ${selected}` })
  }

const warningLines = (warned: Sum['warned']): ReadonlyArray<string> =>
  warned.length === 0
    ? []
    : [
        'This service does not do all that some of them are registered for:',
        ...warned.flatMap(({ client_id, warnings }) =>
          warnings.map(({ description }) => `  ${printable(client_id)}: ${printable(description)}`),
        ),
      ]

const changeSelected = (
  config: Config,
  terminal: Terminal,
  many: Many,
  invocation: Invocation,
): TE.TaskEither<Refusal, string> => {
  const fault = filterFault(many.filters, invocation)
  if (fault !== undefined) return TE.left({ usage: fault })
  const filter = filterOf(many.filters, invocation)
  const { verb, doing, done, unchanged: otherwise, needs } = many
  const told = needs === undefined ? {} : { [needs.option]: invocation.flags[needs.option] }
  return pipe(
    operate(config, changeOf(many, { filter, dry_run: true }, Counted)),
    TE.flatMap(({ count: selected }): TE.TaskEither<Refusal, string> =>
      invocation.switches.includes('dry-run')
        ? TE.right(`This would ${verb} ${countText(many, selected)}: --confirm ${selected} does it`)
        : pipe(
            confirmed(terminal, many, selected, invocation.flags['confirm']),
            TE.flatMap((count) =>
              withProgress(terminal, (show) =>
                manage(config, (ask) =>
                  changeAll(ask, many, { filter, count, told }, (all) => show(doing, all, count)),
                ),
              ),
            ),
            TE.map(({ changed, unchanged, unreadable, warned }) =>
              [
                [
                  `${countText(many, changed)} ${done}`,
                  ...(unchanged === 0 ? [] : [`${countText(many, unchanged)} ${otherwise}`]),
                ].join('; '),
                ...unreadable.map(
                  (id) => `${printable(id)} cannot be read and is as it was: repeat this later, or delete it`,
                ),
                ...warningLines(warned),
              ].join('\n'),
            ),
          ),
    ),
  )
}

const faultOf = (many: Many, invocation: Invocation): string | undefined => {
  const { operand, flags, switches } = invocation
  const isFiltered = Object.keys(filterOf(many.filters, invocation)).length > 0
  if (isFiltered === (operand !== undefined))
    return `name either one ${many.operand}, or filters such as ${many.exampleOfFilter}`
  const { needs } = many
  if (needs !== undefined && flags[needs.option] === undefined && !switches.includes('dry-run'))
    return `nothing was done: ${needs.text}`
  // Ignored, a dry run would change it.
  return operand !== undefined && (switches.includes('dry-run') || flags['confirm'] !== undefined)
    ? `nothing was done: --dry-run and --confirm belong to filters, not to one ${many.operand}`
    : undefined
}

/** Changes the thing of the operand by a request; without one, all that the filters choose. */
export const oneOrSelected = <A>(
  many: Many,
  request: (id: string, flags: Invocation['flags']) => Operation<A>,
  text: (answer: A) => string,
): Command['run'] => {
  const run = answering(
    (config, invocation, terminal): TE.TaskEither<Refusal, string> =>
      invocation.operand === undefined
        ? changeSelected(config, terminal, many, invocation)
        : pipe(
            operate(config, { ...request(invocation.operand, invocation.flags), notFound: many.notFound }),
            TE.map(text),
          ),
    (done) => done,
  )
  return (terminal, invocation) => {
    const fault = faultOf(many, invocation)
    return fault === undefined ? run(terminal, invocation) : refuse(terminal, fault, 2)
  }
}

export const changeOptions = ({ options }: Filters, several: string): ReadonlyArray<CommandOption> => [
  ...options,
  { name: 'dry-run', description: `only show how many ${several} the filters choose` },
  {
    name: 'confirm',
    value: 'COUNT',
    description: `the number of ${several} that the filters choose; without it, the command asks for it`,
  },
]
