import * as E from 'fp-ts/lib/Either.js'
import { suggestion, withSuggestion } from '../config/did-you-mean.js'
import { help } from '../config/help.js'
import { clientsRenew, encryptionReSeal, tokenList, tokenRevoke } from '../commands/credentials.js'
import type { CommandLine, Invocation } from './command-line.js'
import { commandOptions, parseCommandLine } from './command-line.js'
import { configCheck } from '../commands/config-check.js'
import { configPrint } from '../commands/config-print.js'
import { explain } from '../explaining/explain.js'
import {
  keysCompromise,
  keysCreate,
  keysExport,
  keysImport,
  keysList,
  keysRemove,
  keysRollOver,
} from '../commands/keys.js'
import { logoutsList, logoutsRetry } from '../commands/logouts.js'
import { policyCheck } from '../explaining/policy-check.js'
import { serve } from '../commands/serve.js'
import type { ExitStatus, Outcome, Terminal } from '../commands/terminal.js'
import { tokenIssue } from '../commands/token-issue.js'
import { version } from './version.js'

type Command = {
  readonly run: (terminal: Terminal, line: Invocation) => Outcome
  /** The switches and flags beside settings that it understands. */
  readonly understands: ReadonlyArray<string>
  /** The word that follows its name, when it takes one. */
  readonly operand?: { readonly name: string; readonly optional?: true }
}

type NamedCommand = Command & { readonly name: string }

const commands: Readonly<Record<string, Command>> = {
  serve: { run: serve, understands: [] },
  'token issue': { run: tokenIssue, understands: ['scope', 'lifetime', 'json'] },
  'token list': { run: tokenList, understands: ['json'] },
  'token revoke': { run: tokenRevoke, understands: [], operand: { name: 'ID' } },
  'clients renew': { run: clientsRenew, understands: ['json'], operand: { name: 'CLIENT_ID' } },
  'config check': { run: configCheck, understands: ['json'] },
  'config print': { run: configPrint, understands: ['json'] },
  explain: { run: explain, understands: ['scope', 'metadata', 'open', 'json'] },
  'policy check': { run: policyCheck, understands: ['json'], operand: { name: 'FILE' } },
  'keys list': { run: keysList, understands: ['json'] },
  'keys roll-over': {
    run: keysRollOver,
    understands: ['dry-run', 'json'],
    operand: { name: 'ALG', optional: true },
  },
  'keys compromise': { run: keysCompromise, understands: ['yes', 'json'], operand: { name: 'KID' } },
  'keys import': { run: keysImport, understands: ['foreign', 'dry-run', 'json'], operand: { name: 'FILE' } },
  'keys export': { run: keysExport, understands: ['public', 'json'] },
  'keys remove': { run: keysRemove, understands: ['json'], operand: { name: 'KID' } },
  'keys create': { run: keysCreate, understands: ['json'] },
  'encryption re-seal': { run: encryptionReSeal, understands: ['json'] },
  'logouts list': { run: logoutsList, understands: ['json'] },
  'logouts retry': { run: logoutsRetry, understands: ['json'], operand: { name: 'ID', optional: true } },
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

const noCommand = (name: string): string => {
  const below = Object.keys(commands).filter((each) => each.startsWith(`${name} `))
  const sentence = `${JSON.stringify(name)} is not a command`
  return below.length > 0
    ? `${sentence} by itself: ${below.join(', ')}`
    : withSuggestion(sentence, suggestion(name, Object.keys(commands)))
}

type Called = { readonly command: NamedCommand; readonly operand: string | undefined }

const calledOf = ({ words }: CommandLine): E.Either<string, Called> => {
  const name = words.length === 0 ? 'serve' : words.join(' ')
  const whole = named(name)
  if (whole?.operand !== undefined && whole.operand.optional !== true)
    return E.left(`${name} needs ${whole.operand.name}`)
  if (whole !== undefined) return E.right({ command: whole, operand: undefined })
  const withOperand = named(words.slice(0, -1).join(' '))
  return withOperand?.operand === undefined
    ? E.left(noCommand(name))
    : E.right({ command: withOperand, operand: words.at(-1) })
}

const runLine = (terminal: Terminal, line: CommandLine): Outcome => {
  if (line.switches.includes('help')) return say(terminal, help())
  if (line.switches.includes('version')) return say(terminal, `${version}\n`)
  const called = calledOf(line)
  if (E.isLeft(called)) return wrongUsage(terminal, [called.left])
  const { command, operand } = called.right
  const faults = misplaced(command, line)
  return faults.length > 0 ? wrongUsage(terminal, faults) : command.run(terminal, { ...line, operand })
}

/** The command `clientele`. */
export const runCommand = async (terminal: Terminal, argv: ReadonlyArray<string>): Promise<ExitStatus> => {
  const line = parseCommandLine(argv)
  return E.isLeft(line) ? wrongUsage(terminal, line.left) : runLine(terminal, line.right)
}
