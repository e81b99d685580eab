// What suspends, resumes, approves, refuses or deletes one client, or all that filters choose (docs/managing-clients.md); and the filters, which
// are those of GET /manage/v1/clients.
import { type BulkChange, decodeClientQuery, parameterTexts } from '@clientele/domain/managing'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Config } from '../config/settings.js'
import type { Ask } from '../manage/ask.js'
import { type Operation, askFor, inSteps, manage, noSuchClient, operate } from '../manage/manage.js'
import { counted } from '../text.js'
import {
  type Command,
  type CommandOption,
  type Invocation,
  type Query,
  type Refusal,
  type Terminal,
  answering,
  refuse,
  withProgress,
} from './command.js'

const parameterOf = (name: string): string => (name === 'search' ? 'q' : name.replaceAll('-', '_'))

const filter = (name: string, value: string, description: string): CommandOption => ({
  name,
  value,
  description: `${description}: ${parameterTexts[parameterOf(name)] ?? ''}`,
})

const withValue: ReadonlyArray<CommandOption> = [
  filter('search', 'TEXT', 'clients with this part of their client_id, name, software_id, contacts or hosts'),
  filter('state', 'STATE', 'clients in this state'),
  filter('registered-by', 'AUTHORITY', 'clients of this authority'),
  filter('origin', 'ORIGIN', 'clients that came this way'),
  filter('token', 'FINGERPRINT', 'the client that this token registered'),
  filter('statement-issuer', 'ISSUER', 'clients with a software statement of this issuer'),
  filter('declared', 'SET', 'clients that this set of files declares'),
  filter('software-id', 'SOFTWARE_ID', 'clients with this software_id'),
  filter('since', 'TIME', 'clients registered at this time or later'),
  filter('idle-since', 'TIME', 'clients registered before this time, and not used since'),
]

/** What `clients list` has beside the filters. */
export const listOptions: ReadonlyArray<CommandOption> = [
  filter('fields', 'NAMES', 'only these members'),
  filter('after', 'NEXT', 'go on after a former list'),
]

const neverUsed = 'never-used'

export const filterOptions: ReadonlyArray<CommandOption> = [
  ...withValue,
  { name: neverUsed, description: 'clients that were never used' },
]

/** The filter of an invocation, by the names of the parameters. */
export const filterOf = ({ flags, switches }: Invocation): Query => ({
  ...Object.fromEntries(
    withValue.filter(({ name }) => flags[name] !== undefined).map(({ name }) => [parameterOf(name), flags[name]]),
  ),
  ...(switches.includes(neverUsed) ? { never_used: 'true' } : {}),
})

/** The options that have a value which they cannot have, all of them; undefined if there is none. */
export const filterFault = ({ flags }: Invocation): string | undefined => {
  const faults = [...withValue, ...listOptions].flatMap(({ name }) => {
    const value = flags[name]
    const parameter = parameterOf(name)
    return value === undefined || E.isRight(decodeClientQuery({ [parameter]: [value] }))
      ? []
      : [`--${name} must be ${parameterTexts[parameter] ?? 'valid'}`]
  })
  return faults.length === 0 ? undefined : faults.join('\n')
}

const Counted = t.type({ count: t.number })
const Changed = t.intersection([t.type({ changed: t.number, unchanged: t.number }), t.partial({ next: t.string })])

const changeOf = <A>(action: BulkChange, body: object, codec: t.Decoder<unknown, A>): Operation<A> => ({
  path: `/manage/v1/clients/${action}`,
  body,
  timeLimit: 120_000,
  codec,
})

type Sum = { readonly changed: number; readonly unchanged: number }

/** All batches, one after the other; `onBatch` is called after each with the number of clients that are done. */
const changeAll = (
  ask: Ask,
  action: BulkChange,
  { filter, count, ...asked }: { readonly filter: object; readonly count: number; readonly reason: string | undefined },
  onBatch: (done: number) => void,
) =>
  inSteps(
    (next) =>
      askFor(
        ask,
        changeOf(action, next === undefined ? { filter, count, ...asked } : { filter, next, ...asked }, Changed),
      ),
    (sum: Sum = { changed: 0, unchanged: 0 }, step) => {
      const changed = sum.changed + step.changed
      const unchanged = sum.unchanged + step.unchanged
      onBatch(changed + unchanged)
      return { changed, unchanged }
    },
  )

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
  },
}

const clientsText = (count: number): string => counted(count, 'client', 'clients')

/** The number that the operator confirms, which is asked for where it is not given. */
const confirmed =
  (terminal: Terminal, verb: string, selected: number, given: string | undefined) =>
  async (): Promise<E.Either<Refusal, number>> => {
    const question = `This will ${verb} ${clientsText(selected)}. Type ${selected} to confirm it: `
    const answer = given ?? (await terminal.ask(question))
    return /^\d{1,15}$/.test(answer.trim())
      ? E.right(Number(answer))
      : E.left({ usage: `nothing was done: --confirm must name the number of clients, ${selected}` })
  }

const changeSelected = (
  config: Config,
  terminal: Terminal,
  action: BulkChange,
  invocation: Invocation,
): TE.TaskEither<Refusal, string> => {
  const fault = filterFault(invocation)
  if (fault !== undefined) return TE.left({ usage: fault })
  const filter = filterOf(invocation)
  const { reason } = invocation.flags
  const { verb, doing, done, unchanged: otherwise } = textsOf[action]
  return pipe(
    operate(config, changeOf(action, { filter, dry_run: true }, Counted)),
    TE.flatMap(({ count: selected }): TE.TaskEither<Refusal, string> =>
      invocation.switches.includes('dry-run')
        ? TE.right(`This would ${verb} ${clientsText(selected)}: --confirm ${selected} does it`)
        : pipe(
            confirmed(terminal, verb, selected, invocation.flags['confirm']),
            TE.flatMap((count) =>
              withProgress(terminal, (show) =>
                manage(config, (ask) =>
                  changeAll(ask, action, { filter, count, reason }, (all) => show(doing, all, count)),
                ),
              ),
            ),
            TE.map(({ changed, unchanged }) =>
              [
                `${clientsText(changed)} ${done}`,
                ...(unchanged === 0 ? [] : [`${clientsText(unchanged)} ${otherwise}`]),
              ].join('; '),
            ),
          ),
    ),
  )
}

const faultOf = (action: BulkChange, invocation: Invocation): string | undefined => {
  const { operand, flags, switches } = invocation
  const isFiltered = Object.keys(filterOf(invocation)).length > 0
  if (isFiltered === (operand !== undefined)) return 'name either one CLIENT_ID, or filters such as --state'
  if (action === 'refusal' && flags['reason'] === undefined && !switches.includes('dry-run'))
    return 'nothing was done: say why by --reason TEXT, which the developer of the client reads'
  // Ignored, a dry run would change the client.
  return operand !== undefined && (switches.includes('dry-run') || flags['confirm'] !== undefined)
    ? 'nothing was done: --dry-run and --confirm belong to filters, not to one CLIENT_ID'
    : undefined
}

/** Changes the client of the operand by a request; without one, all that the filters choose. */
export const oneOrSelected = <A>(
  action: BulkChange,
  request: (clientId: string, flags: Invocation['flags']) => Operation<A>,
  text: (answer: A) => string,
): Command['run'] => {
  const run = answering(
    (config, invocation, terminal): TE.TaskEither<Refusal, string> =>
      invocation.operand === undefined
        ? changeSelected(config, terminal, action, invocation)
        : pipe(
            operate(config, { ...request(invocation.operand, invocation.flags), notFound: noSuchClient }),
            TE.map(text),
          ),
    (done) => done,
  )
  return (terminal, invocation) => {
    const fault = faultOf(action, invocation)
    return fault === undefined ? run(terminal, invocation) : refuse(terminal, fault, 2)
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
