// The declaration of a command, the source of its parsing, help, completion and docs/operate/settings.md#commands; and how an answer or a
// refusal is shown.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import { describeConfigFault } from '../config/rules.js'
import { type LoadedConfig, loadConfig } from '../config/load-config.js'
import type { Config } from '../config/settings.js'
import { readFile } from '../config/files.js'
import type { Ask } from './ask.js'
import { type Operation, askFor, inSteps, operate } from './manage.js'
import type { Output } from '../observing/log.js'
import { printableDocument } from '../text.js'
import { type Progress, createProgress } from '../progress.js'

/** The process of a command. */
export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly output: Output
  readonly errors: Output
  /** Asks the operator for a line; an empty one without an answer. */
  readonly ask: (question: string) => Promise<string>
  /** The same, for a secret: a terminal does not show what is typed. */
  readonly askSecret: (question: string) => Promise<string>
  /** Settles when the process receives a signal to stop. */
  readonly stopped: Promise<void>
  /** Registers the handler of the signal to read the settings again. */
  readonly onReload: (reload: (isRecorded: boolean) => void) => void
  /** Registers the handler of uncaught defects. */
  readonly onDefect: (report: (error: unknown) => void) => void
  readonly exit: (status: number) => void
}

/** 0 done, 1 refused or failed, 2 wrong usage. */
export type ExitStatus = 0 | 1 | 2

type Outcome = ExitStatus | Promise<ExitStatus>

/** The parsed arguments of a command. */
export type Invocation = {
  readonly operand: string | undefined
  /** All arguments, where the command takes several; the first of them is the operand of one with `further`. */
  readonly words?: ReadonlyArray<string>
  /** Options with a value, of settings and of the command. */
  readonly flags: Readonly<Record<string, string>>
  /** Options that may be repeated. */
  readonly repeated?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Options without a value. */
  readonly switches: ReadonlyArray<string>
}

export type CommandOption = {
  readonly name: string
  readonly description: string
  /** The name of the value; an option without a value is a switch. */
  readonly value?: string
  readonly required?: true
  /** Whether it may be repeated. */
  readonly several?: true
}

export type Operand = {
  readonly name: string
  readonly description: string
  readonly optional?: true
  readonly choices?: ReadonlyArray<string>
  /** Whether it may have several words. */
  readonly several?: true
}

export type Command = {
  readonly name: string
  /** The effect, in one line. */
  readonly summary: string
  /** Further text of the help. */
  readonly details?: string
  readonly operand?: Operand
  /** The arguments after the first one. */
  readonly further?: Operand
  readonly options?: ReadonlyArray<CommandOption>
  readonly example: string
  readonly run: (terminal: Terminal, invocation: Invocation) => Outcome
}

export const json: CommandOption = { name: 'json', description: 'answer in JSON, for programs' }

/** Prints one line for the operator. */
export const refuse = ({ errors }: Terminal, message: string, status: ExitStatus): ExitStatus => {
  errors.write(`clientele: ${message}\n`)
  return status
}

/** Runs a command with valid settings, or reports all faults of the settings. */
export const withSettings =
  (run: (loaded: LoadedConfig, terminal: Terminal, invocation: Invocation) => Outcome): Command['run'] =>
  (terminal, invocation) => {
    const loaded = loadConfig({ flags: invocation.flags, environment: terminal.environment, readFile })
    if (E.isRight(loaded)) return run(loaded.right, terminal, invocation)
    terminal.errors.write(`${loaded.left.map(describeConfigFault).join('\n')}\n`)
    return 1
  }

/** Prints an answer: for people, or in JSON for programs. */
export const print = <A>(
  { output }: Terminal,
  { switches }: Invocation,
  answer: A,
  text: (answer: A) => string,
): void => void output.write(`${switches.includes('json') ? printableDocument(answer) : text(answer)}\n`)

/** Why a command was not done, in words for the operator; a `usage` is refused before anything is read or changed. */
export type Refusal = string | { readonly usage: string }

/** Prints the answer or the refusal; the status of an answer that reports a fault is 1. */
export const show = async <A>(
  terminal: Terminal,
  done: TE.TaskEither<Refusal, A>,
  text: (answer: A) => string,
  statusOf: (answer: A) => ExitStatus = () => 0,
): Promise<ExitStatus> => {
  const answer = await done()
  if (E.isLeft(answer))
    return typeof answer.left === 'string' ? refuse(terminal, answer.left, 1) : refuse(terminal, answer.left.usage, 2)
  terminal.output.write(`${text(answer.right)}\n`)
  return statusOf(answer.right)
}

/** A command that prints its answer: for people, or in JSON for programs. */
export const answering = <A>(
  ask: (config: Config, invocation: Invocation, terminal: Terminal) => TE.TaskEither<Refusal, A>,
  text: (answer: A, invocation: Invocation) => string,
  statusOf?: (answer: A) => ExitStatus,
): Command['run'] =>
  withSettings(({ config }, terminal, invocation) => {
    const shown = invocation.switches.includes('json') ? printableDocument : (answer: A) => text(answer, invocation)
    return show(terminal, ask(config, invocation, terminal), shown, statusOf)
  })

/** A command that is one request. */
export const asking = <A>(
  request: (invocation: Invocation) => Operation<A>,
  text: (answer: A, invocation: Invocation) => string,
): Command['run'] => answering((config, invocation) => operate(config, request(invocation)), text)

/** Work in steps, whose progress is shown until the last one. */
export const withProgress =
  <R, A>({ errors }: Terminal, work: (show: Progress['show']) => TE.TaskEither<R, A>): TE.TaskEither<R, A> =>
  async () => {
    const progress = createProgress(errors)
    const done = await work(progress.show)()
    progress.end()
    return done
  }

/** Goes on only where the operator, who reads the consequences, types `yes`, or gave it as an option. */
export const agreed = (
  { ask, errors }: Terminal,
  { switches }: Invocation,
  consequences: TE.TaskEither<string, string>,
  question: string,
): TE.TaskEither<string, void> =>
  switches.includes('yes')
    ? TE.right(undefined)
    : pipe(
        consequences,
        TE.flatMap((text) => async () => {
          errors.write(`${text}\n`)
          const answer = await ask(`${question} Type yes: `)
          return answer.trim() === 'yes' ? E.right(undefined) : E.left('nothing was done: type yes, or give --yes')
        }),
      )

type Part = string | false | ReadonlyArray<string>

/** The parts that are there. */
export const present = (...parts: ReadonlyArray<Part>): ReadonlyArray<string> =>
  parts.flatMap((part) => (part === false ? [] : part))

/** The lines that are there. */
export const lines = (...parts: ReadonlyArray<Part>): string => present(...parts).join('\n')

/** A list for people; `more` says how to see the rest, where there is one. */
export const listed = <A>(
  items: ReadonlyArray<A>,
  text: (item: A) => string,
  none: string,
  more: string | false = false,
): string => (items.length === 0 ? none : lines(items.map(text), more))

/** How a list that has more goes on. */
export const moreText = (next: string | undefined): string | false =>
  next !== undefined && `There are more: --after ${next} goes on`

export type Query = Readonly<Record<string, string | undefined>>

/** The query of those parameters that have a value, with its question mark. */
export const queryOf = (parameters: Query): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.append(name, value)
  return given.size === 0 ? '' : `?${given.toString()}`
}

const maxPage = 500

/** As many things of a list as are asked for, by as many pages as are needed; `next` is there if there are more. */
export const inPages = <Answer extends { readonly next?: string | undefined }, Item>(
  ask: Ask,
  list: {
    readonly path: string
    readonly query: Query
    readonly codec: t.Decoder<unknown, Answer>
    readonly itemsOf: (answer: Answer) => ReadonlyArray<Item>
  },
  limit = Infinity,
): TE.TaskEither<string, { readonly items: ReadonlyArray<Item>; readonly next: string | undefined }> => {
  const { path, query, codec, itemsOf } = list
  const items: Array<Item> = []
  const pageAfter = (after: string | undefined): string =>
    `${path}${queryOf({ ...query, limit: String(Math.min(maxPage, limit - items.length)), after })}`
  return inSteps(
    (after = query['after']) => askFor(ask, { path: pageAfter(after), codec }),
    (_, answer) => {
      items.push(...itemsOf(answer))
      return { items, next: answer.next }
    },
    () => items.length >= limit,
  )
}
