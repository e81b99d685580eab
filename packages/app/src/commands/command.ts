// A command as it is declared: from this come its parsing, its help, its completion and docs/command-line.md.
import type { Outcome, Terminal } from './terminal.js'

/** What was typed behind the name of a command. */
export type Invocation = {
  readonly operand: string | undefined
  /** Options with a value, of settings and of the command. */
  readonly flags: Readonly<Record<string, string>>
  /** Options without a value. */
  readonly switches: ReadonlyArray<string>
}

export type CommandOption = {
  readonly name: string
  readonly description: string
  /** What its value is; an option without one is a switch. */
  readonly value?: string
  readonly required?: true
}

export type Operand = {
  readonly name: string
  readonly description: string
  readonly optional?: true
  readonly choices?: ReadonlyArray<string>
  /** It may be of several words. */
  readonly several?: true
}

export type Command = {
  readonly name: string
  /** What it does, in one line. */
  readonly summary: string
  /** What its help says beyond that. */
  readonly details?: string
  readonly operand?: Operand
  readonly options?: ReadonlyArray<CommandOption>
  readonly example: string
  readonly run: (terminal: Terminal, invocation: Invocation) => Outcome
}

export const json: CommandOption = { name: 'json', description: 'answer in JSON, for programs' }
