// The declaration of a command: the source of its parsing, help, completion and docs/command-line.md.
import type { Outcome, Terminal } from './terminal.js'

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
