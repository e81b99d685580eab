import * as E from 'fp-ts/lib/Either.js'
import { didYouMean } from '../config/did-you-mean.js'
import { help } from '../config/help.js'
import type { CommandLine } from './command-line.js'
import { commandOptions, parseCommandLine } from './command-line.js'
import { configCheck } from './config-check.js'
import { configPrint } from './config-print.js'
import { explain } from './explain.js'
import { policyCheck } from './policy-check.js'
import { serve } from './serve.js'
import type { ExitStatus, Outcome, Terminal } from './terminal.js'
import { tokenIssue } from './token-issue.js'
import { version } from './version.js'

type Command = {
  readonly run: (terminal: Terminal, line: CommandLine) => Outcome
  /** The switches and flags beside settings that it understands. */
  readonly understands: ReadonlyArray<string>
  /** The word that follows its name, when it takes one. */
  readonly operand?: string
}

type NamedCommand = Command & { readonly name: string }

const commands: Readonly<Record<string, Command>> = {
  serve: { run: serve, understands: [] },
  'token issue': { run: tokenIssue, understands: ['scope', 'lifetime', 'json'] },
  'config check': { run: configCheck, understands: ['json'] },
  'config print': { run: configPrint, understands: ['json'] },
  explain: { run: explain, understands: ['scope', 'metadata', 'open', 'json'] },
  'policy check': { run: policyCheck, understands: ['json'], operand: 'FILE' },
}

const wrongUsage = ({ errors }: Terminal, faults: ReadonlyArray<string>): ExitStatus => {
  errors.write(`${faults.join('\n')}\nSee clientele --help\n`)
  return 2
}

const say = ({ output }: Terminal, text: string): ExitStatus => {
  output.write(text)
  return 0
}

const misplaced = ({ name, understands }: NamedCommand, line: CommandLine): ReadonlyArray<string> =>
  commandOptions
    .filter((each) => line.switches.includes(each) || line.flags[each] !== undefined)
    .filter((each) => !understands.includes(each))
    .map((each) => `--${each} does not belong to ${name}`)

const named = (name: string): NamedCommand | undefined => {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  return command === undefined ? undefined : { name, ...command }
}

const commandOf = ({ words }: CommandLine): E.Either<string, NamedCommand> => {
  const name = words.length === 0 ? 'serve' : words.join(' ')
  const whole = named(name)
  if (whole?.operand !== undefined) return E.left(`${name} needs ${whole.operand}`)
  const withOperand = named(words.slice(0, -1).join(' '))
  const command = whole ?? (withOperand?.operand === undefined ? undefined : withOperand)
  return command === undefined
    ? E.left(`${JSON.stringify(name)} is not a command: ${didYouMean(name, Object.keys(commands))}`)
    : E.right(command)
}

const runLine = (terminal: Terminal, line: CommandLine): Outcome => {
  if (line.switches.includes('help')) return say(terminal, help())
  if (line.switches.includes('version')) return say(terminal, `${version}\n`)
  const command = commandOf(line)
  if (E.isLeft(command)) return wrongUsage(terminal, [command.left])
  const faults = misplaced(command.right, line)
  return faults.length > 0 ? wrongUsage(terminal, faults) : command.right.run(terminal, line)
}

/** The command `clientele`. */
export const runCommand = async (terminal: Terminal, argv: ReadonlyArray<string>): Promise<ExitStatus> => {
  const line = parseCommandLine(argv)
  return E.isLeft(line) ? wrongUsage(terminal, line.left) : runLine(terminal, line.right)
}
