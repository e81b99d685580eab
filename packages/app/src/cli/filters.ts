// The filters of a list, by the options of a command; and commands that list what filters choose.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Config } from '../config/settings.js'
import { type Command, type CommandOption, type Invocation, type Query, type Refusal, answering } from './command.js'

/** The option of a filter, and the parameter of the API that it stands for. A switch gives it the value true. */
export type Filter = CommandOption & { readonly parameter: string }

type Texts = Readonly<Record<string, string>>

export type Filters = {
  readonly options: ReadonlyArray<Filter>
  /** What the value of each parameter must be. */
  readonly texts: Texts
  /** Refuses a query with a value that is not so. */
  readonly decode: (query: Readonly<Record<string, ReadonlyArray<string>>>) => E.Either<unknown, unknown>
}

/** The texts of parameters. */
export const textsOf = (parameters: Readonly<Record<string, { readonly text: string }>>): Texts =>
  Object.fromEntries(Object.entries(parameters).map(([name, { text }]) => [name, text]))

/** The option of a filter, with what its value must be. */
export const filterOption =
  (texts: Texts) =>
  (name: string, value: string, description: string, parameter = name.replaceAll('-', '_')): Filter => ({
    name,
    value,
    description: `${description} (${texts[parameter] ?? ''})`,
    parameter,
  })

const valueOf = ({ name, value }: Filter, { flags, switches }: Invocation): string | undefined =>
  value === undefined && switches.includes(name) ? 'true' : flags[name]

/** The filter of an invocation, by the names of the parameters. */
export const filterOf = ({ options }: Filters, invocation: Invocation): Query =>
  Object.fromEntries(
    options.flatMap((option) => {
      const value = valueOf(option, invocation)
      return value === undefined ? [] : [[option.parameter, value]]
    }),
  )

/** The options that have a value which they cannot have, all of them; undefined if there is none. */
export const filterFault = ({ options, texts, decode }: Filters, invocation: Invocation): string | undefined => {
  const faults = options.flatMap((option) => {
    const { name, parameter } = option
    const value = valueOf(option, invocation)
    return value === undefined || E.isRight(decode({ [parameter]: [value] }))
      ? []
      : [`--${name} must be ${texts[parameter] ?? 'valid'}`]
  })
  return faults.length === 0 ? undefined : faults.join('\n')
}

const defaultLimit = 100

/** How many things a list has at most. */
export const limitOption = (several: string): CommandOption => ({
  name: 'limit',
  value: 'NUMBER',
  description: `show at most so many ${several}, ${defaultLimit} by default`,
})

export const limitOf = (
  { flags: { limit: given } }: Invocation,
  max: number,
): E.Either<{ readonly usage: string }, number> => {
  const limit = given === undefined ? defaultLimit : /^\d{1,7}$/.test(given) ? Number(given) : 0
  return limit >= 1 && limit <= max ? E.right(limit) : E.left({ usage: `--limit must be a number from 1 to ${max}` })
}

/** A command that lists what filters choose. */
export const listing = <A>(
  filters: Filters,
  maxLimit: number,
  list: (config: Config, query: Query, limit: number) => TE.TaskEither<string, A>,
  text: (answer: A) => string,
): Command['run'] =>
  answering((config, invocation): TE.TaskEither<Refusal, A> => {
    const limit = limitOf(invocation, maxLimit)
    const fault = filterFault(filters, invocation)
    if (E.isRight(limit) && fault === undefined) return list(config, filterOf(filters, invocation), limit.right)
    const faults = [fault, E.isLeft(limit) ? limit.left.usage : undefined].filter((each) => each !== undefined)
    return TE.left({ usage: faults.join('\n') })
  }, text)
