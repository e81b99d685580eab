// The command line for commander, made of the declared commands and settings.
import { Argument, Command as Parser, Help, Option, CommanderError } from 'commander'
import type { Command, CommandOption, Invocation, Operand, Terminal, ExitStatus } from './command.js'
import { settingForms, settings } from '../config/settings.js'
import { printableLines } from '../text.js'
import { version } from '../observing/version.js'
import { commandsOfCommandLine } from './help.js'
import { valuedOptions } from './completion.js'

type Arguments = ReadonlyArray<string>

/** What the operator can do. */
export type Commands = {
  readonly commands: ReadonlyArray<Command>
  /** The summaries of the first words of two-word commands. */
  readonly groups: Readonly<Record<string, string>>
}

const helpWidth = 100
const settingsHeading = 'Settings'

// All values are collected, so that a repeated option is recognized.
const optionOf = ({ name, description, value, required }: CommandOption): Option => {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description)
  if (value !== undefined) option.argParser((given, before?: Arguments) => [...(before ?? []), given])
  return option.makeOptionMandatory(required ?? false)
}

const argumentOf = ({ name, description, optional, several, choices }: Operand): Argument => {
  const form = several ? `${name}...` : name
  const argument = new Argument(optional ? `[${form}]` : `<${form}>`, description)
  return choices === undefined ? argument : argument.choices(choices)
}

const invocationOf = (parser: Parser, { options = [], operand, further }: Command): Invocation => {
  const given = [parser, parser.parent, parser.parent?.parent].flatMap((each) =>
    (each?.options ?? []).map((option) => {
      const value: unknown = each?.getOptionValue(option.attributeName())
      const texts: Arguments = Array.isArray(value) ? value.filter((text) => typeof text === 'string') : []
      return { name: option.name(), isSet: value === true, texts }
    }),
  )
  const several = options.filter((option) => option.several).map(({ name }) => name)
  const twice = given.find(({ name, texts }) => texts.length > 1 && !several.includes(name))
  if (twice !== undefined) parser.error(`error: option '--${twice.name}' is given twice`)
  const repeated = given.filter(({ name }) => several.includes(name)).map(({ name, texts }) => [name, texts] as const)
  const { args: words } = parser
  const [first] = words
  return {
    operand: first === undefined || further !== undefined ? first : words.join(' '),
    ...(operand?.several || further !== undefined ? { words } : {}),
    flags: Object.fromEntries(given.flatMap(({ name, texts }) => texts.map((text) => [name, text]))),
    ...(several.length === 0 ? {} : { repeated: Object.fromEntries(repeated) }),
    switches: given.flatMap(({ name, isSet }) => (isSet ? [name] : [])),
  }
}

/** Runs a command after its arguments are parsed. */
type Called = (command: Command, invocation: Invocation) => Promise<void>

const addCommand = (parser: Parser, command: Command, called: Called): void => {
  const { name, summary, details, operand, further, options = [], example } = command
  const added = parser
    .command(name.split(' ').at(-1) ?? name)
    .summary(summary)
    .description(details === undefined ? summary : `${summary}\n\n${details}`)
    .showHelpAfterError(`See clientele help ${name}`)
    .addHelpText('after', `\nSettings are options, too: clientele help settings\n\nExample:\n  ${example}`)
    .action(() => called(command, invocationOf(added, command)))
  for (const each of [operand, further]) if (each !== undefined) added.addArgument(argumentOf(each))
  for (const option of options) added.addOption(optionOf(option))
}

// The help lists the forty settings after the commands.
const help = Object.assign(new Help(), {
  helpWidth,
  visibleOptions: (parser: Parser) =>
    new Help().visibleOptions(parser).filter(({ helpGroupHeading }) => helpGroupHeading !== settingsHeading),
})

const settingNamesText = (): string => {
  const names = settingForms.map(({ name }) => `--${name}`).join(' ')
  return `Settings, which clientele help settings describes:\n${help.boxWrap(names, helpWidth - 2).replace(/^/gm, '  ')}`
}

const emptyProgram = ({ output, errors }: Terminal): Parser =>
  new Parser('clientele')
    .usage('[COMMAND] [OPTIONS]')
    .description(
      'An OAuth 2.0 / OpenID Connect provider, which also manages clients, keys and logout beside another provider.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      outputError: (text, write) => write(printableLines(text.replace(/^error: /, 'clientele: '))),
    })
    .configureHelp({ formatHelp: (parser) => help.formatHelp(parser, help) })
    .showHelpAfterError('See clientele help')
    .helpCommand(false)
    .helpOption('-h, --help', 'show help')
    .version(version, '-v, --version', 'show the version')
    .addHelpText('after', `\n${settingNamesText()}\n\nExit status: 0 done, 1 refused or failed, 2 wrong usage`)
    .addOption(optionOf({ name: 'config', value: 'FILE', description: 'a JSON file whose members are settings' }))

/** Makes a parser for one command line. */
export const clienteleProgram = (terminal: Terminal, { commands, groups }: Commands, called: Called): Parser => {
  const program = emptyProgram(terminal)
  for (const { name } of settingForms)
    program.addOption(optionOf({ name, value: 'VALUE', description: '' }).helpGroup(settingsHeading))
  const groupOf = (name: string): Parser =>
    program.commands.find((each) => each.name() === name) ??
    program
      .command(name)
      .description(groups[name] ?? '')
      .helpCommand(false)
      .showHelpAfterError(`See clientele help ${name}`)
  for (const command of [...commands, ...commandsOfCommandLine(() => program)]) {
    const [first = '', ...rest] = command.name.split(' ')
    addCommand(rest.length === 0 ? program : groupOf(first), command, called)
  }
  return program
}

const booleans = settingForms
  .filter(({ setting }) => typeof settings[setting].fallback === 'boolean')
  .map(({ name }) => `--${name}`)

// A boolean setting without a value is true.
const withBooleans = (argv: Arguments): Arguments =>
  argv.map((argument, index) =>
    booleans.includes(argument) && !['true', 'false'].includes(argv[index + 1] ?? '') ? `${argument}=true` : argument,
  )

/** The arguments for commander, which parses settings and key names otherwise; `valued` are the options with a value. */
const normalArguments = (given: Arguments, valued: Arguments): Arguments => {
  const argv = withBooleans(given)
  const isValue = (index: number): boolean => valued.includes(argv[index - 1] ?? '')
  // RFC 7638 §3.2: a thumbprint may begin with -, like an option.
  const isThumbprint = (argument: string, index: number): boolean =>
    /^-[\w-]{42}$/.test(argument) && !valued.includes(argument) && !isValue(index)
  const thumbprints = argv.includes('--') ? [] : argv.filter(isThumbprint)
  const ordered =
    thumbprints.length === 0
      ? argv
      : [...argv.filter((argument, index) => !isThumbprint(argument, index)), '--', ...thumbprints]
  // commander repeats an unknown option with its value, which may be a secret after a misspelled option.
  const normal = ordered.map((argument, index) => {
    const [name = ''] = argument.split('=', 1)
    const isUnknown = argument.startsWith('-') && !valued.includes(name) && !valued.includes(ordered[index - 1] ?? '')
    return isUnknown && name !== argument ? `${name}=` : argument
  })
  // An argument that begins with two dashes is the next option, not a value, except after an equals sign.
  const place = normal.findIndex((argument, index) => valued.includes(argument) && normal[index + 1]?.startsWith('--'))
  return place === -1 ? normal : normal.slice(0, place + 1)
}

const optionsOfAll = ['config', ...settingForms.map(({ name }) => name)].map((name) => `--${name}`)

/** Whether a command line has only settings, and serve at most, so that no other command is needed. */
export const runsService = (given: Arguments): boolean => {
  const argv = withBooleans(given)
  const words = argv.filter((_, index) => !optionsOfAll.includes(argv[index - 1] ?? ''))
  return words.every((word) => word === 'serve' || optionsOfAll.includes(word.split('=', 1)[0] ?? ''))
}

/** A command line with settings only runs the service. */
const withCommand = (program: Parser, argv: Arguments): Arguments => {
  const { operands, unknown } = program.parseOptions([...argv])
  return operands.length === 0 && !unknown.some((each) => each === '-h' || each === '--help')
    ? ['serve', ...argv]
    : argv
}

/** Parses the command line and calls its command, or reports the fault; `call` runs the command. */
export const runCommand = async (
  terminal: Terminal,
  argv: Arguments,
  commands: Commands,
  call: (command: Command, invocation: Invocation) => ExitStatus | Promise<ExitStatus> = (command, invocation) =>
    command.run(terminal, invocation),
): Promise<ExitStatus> => {
  let status: ExitStatus = 0
  const program = (): Parser =>
    clienteleProgram(terminal, commands, async (command, invocation) => {
      status = await call(command, invocation)
    })
  try {
    const scratch = program()
    const normal = normalArguments(argv, valuedOptions(scratch))
    await program().parseAsync(withCommand(scratch, normal), { from: 'user' })
    return status
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}
