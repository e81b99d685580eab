import * as E from 'fp-ts/lib/Either.js'
import { didYouMean } from '../config/did-you-mean.js'
import { help } from '../config/help.js'
import type { CommandLine } from './command-line.js'
import { parseCommandLine } from './command-line.js'
import { configCheck } from './config-check.js'
import { configPrint } from './config-print.js'
import { serve } from './serve.js'
import type { ExitStatus, Outcome, Terminal } from './terminal.js'
import { tokenIssue } from './token-issue.js'
import { version } from './version.js'

type Command = {
  readonly run: (terminal: Terminal, line: CommandLine) => Outcome
  /** The switches and flags beside settings that it understands. */
  readonly understands: ReadonlyArray<string>
}

const commands: Readonly<Record<string, Command>> = {
  serve: { run: serve, understands: [] },
  'token issue': { run: tokenIssue, understands: ['scope', 'lifetime', 'json'] },
  'config check': { run: configCheck, understands: ['json'] },
  'config print': { run: configPrint, understands: ['json'] },
}

const wrongUsage = ({ errors }: Terminal, faults: ReadonlyArray<string>): ExitStatus => {
  errors.write(`${faults.join('\n')}\nSee clientele --help\n`)
  return 2
}

const say = ({ output }: Terminal, text: string): ExitStatus => {
  output.write(text)
  return 0
}

const misplaced = (name: string, command: Command, line: CommandLine): ReadonlyArray<string> =>
  ['scope', 'lifetime', 'json']
    .filter((each) => line.switches.includes(each) || line.flags[each] !== undefined)
    .filter((each) => !command.understands.includes(each))
    .map((each) => `--${each} does not belong to ${name}`)

const runLine = (terminal: Terminal, line: CommandLine): Outcome => {
  if (line.switches.includes('help')) return say(terminal, help())
  if (line.switches.includes('version')) return say(terminal, `${version}\n`)
  const name = line.words.length === 0 ? 'serve' : line.words.join(' ')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    return wrongUsage(terminal, [`"${name}" is not a command: ${didYouMean(name, Object.keys(commands))}`])
  const faults = misplaced(name, command, line)
  return faults.length > 0 ? wrongUsage(terminal, faults) : command.run(terminal, line)
}

/** The command `clientele`. */
export const runCommand = async (terminal: Terminal, argv: ReadonlyArray<string>): Promise<ExitStatus> => {
  const line = parseCommandLine(argv)
  return E.isLeft(line) ? wrongUsage(terminal, line.left) : runLine(terminal, line.right)
}
