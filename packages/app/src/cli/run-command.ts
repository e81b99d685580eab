import { CommanderError, type Command as Parser } from 'commander'
import type { Command, Invocation } from '../commands/command.js'
import type { ExitStatus, Outcome, Terminal } from '../commands/terminal.js'
import { valuedOptions } from '../completion/places.js'
import { commands, groups } from './commands.js'
import { normalArguments } from './normal-arguments.js'
import { version } from '../observing/version.js'
import { commandsOfCommandLine } from './commands-of-command-line.js'
import { createProgram, type Called } from './program.js'

type Call = (command: Command, invocation: Invocation) => Outcome

/** The complete command line. */
export const clienteleProgram = (terminal: Terminal, called: Called): Parser => {
  const own = commandsOfCommandLine(version, () => program)
  const program: Parser = createProgram(terminal, { commands: [...commands, ...own], groups, version }, called)
  return program
}

const isHelp = (argument: string): boolean => argument === '-h' || argument === '--help'

/** A command line with settings only runs the service. */
const withCommand = (program: Parser, argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { operands, unknown } = program.parseOptions([...argv])
  return operands.length === 0 && !unknown.some(isHelp) ? ['serve', ...argv] : argv
}

/** Parses the command line and calls its command, or reports the fault. */
export const callCommand = async (terminal: Terminal, argv: ReadonlyArray<string>, call: Call): Promise<ExitStatus> => {
  const ended: { status: ExitStatus } = { status: 0 }
  const program = (): Parser =>
    clienteleProgram(terminal, async (command, invocation) => {
      ended.status = await call(command, invocation)
    })
  try {
    const scratch = program()
    const normal = normalArguments(argv, valuedOptions(scratch))
    await program().parseAsync(withCommand(scratch, normal), { from: 'user' })
    return ended.status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}

/** The command `clientele`. */
export const runCommand = (terminal: Terminal, argv: ReadonlyArray<string>): Promise<ExitStatus> =>
  callCommand(terminal, argv, (command, invocation) => command.run(terminal, invocation))
