// The command line without its commands: calls are recorded, and nothing is run.
import type { Command as Parser } from 'commander'
import { type Commands, clienteleProgram, runCommand } from '../../src/cli/program.js'
import type { Command, Invocation, Terminal } from '../../src/cli/command.js'
import { commands, groups } from '../../src/commands.js'

export type Called = Pick<Command, 'name'> & Invocation

const terminalWriting = (write: (text: string) => unknown): Terminal => {
  const stream = { write, writableLength: 0 }
  return {
    environment: {},
    output: stream,
    errors: stream,
    ask: async () => '',
    askSecret: async () => '',
    stopped: Promise.resolve(),
    onReload: () => undefined,
    onDefect: () => undefined,
    exit: () => undefined,
  }
}

/** The command line, which writes its help with this function. */
export const programWriting = (write: (text: string) => unknown): Parser =>
  clienteleProgram(terminalWriting(write), { commands, groups }, async () => undefined)

/** The command that the command line calls, or its output; of all commands, or of these. */
export const callOf = async (
  argv: ReadonlyArray<string>,
  known: Commands = { commands, groups },
): Promise<Called | string> => {
  const written: Array<string> = []
  const calls: Array<Called> = []
  const terminal = terminalWriting((text) => written.push(text))
  await runCommand(terminal, argv, known, ({ name }, invocation) => {
    calls.push({ name, ...invocation })
    return 0
  })
  return calls[0] ?? written.join('')
}

/** All commands, each with its name. */
export const leaves = (parser: Parser, path = ''): ReadonlyArray<string> =>
  parser.commands.flatMap((each) => {
    const name = path === '' ? each.name() : `${path} ${each.name()}`
    return each.commands.length === 0 ? [name] : leaves(each, name)
  })
