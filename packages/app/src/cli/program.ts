// The command line for commander, made of the declared commands and settings.
import { Argument, Command as Parser, Help, Option } from 'commander'
import type { Command, CommandOption, Invocation, Operand } from '../commands/command.js'
import type { Terminal } from '../commands/terminal.js'
import { settingForms } from '../config/settings.js'
import { printable } from '../text.js'

/** Runs a command after its arguments are parsed. */
export type Called = (command: Command, invocation: Invocation) => Promise<void>

export type ProgramParts = {
  readonly commands: ReadonlyArray<Command>
  readonly groups: Readonly<Record<string, string>>
  readonly version: string
}

const helpWidth = 100
const settingsHeading = 'Settings'

// All values are collected, so that a repeated option is recognized.
const optionOf = ({ name, description, value, required }: CommandOption): Option => {
  const option = new Option(value === undefined ? `--${name}` : `--${name} <${value}>`, description)
  if (value !== undefined) option.argParser((given, before?: ReadonlyArray<string>) => [...(before ?? []), given])
  return option.makeOptionMandatory(required ?? false)
}

const argumentOf = ({ name, description, optional, several, choices }: Operand): Argument => {
  const form = several ? `${name}...` : name
  const argument = new Argument(optional ? `[${form}]` : `<${form}>`, description)
  return choices === undefined ? argument : argument.choices(choices)
}

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

type Given = { readonly name: string; readonly texts: ReadonlyArray<string> }

const repeatedIn = (given: ReadonlyArray<Given>, several: ReadonlyArray<string>): NonNullable<Invocation['repeated']> =>
  Object.fromEntries(given.filter(({ name }) => several.includes(name)).map(({ name, texts }) => [name, texts]))

const invocationOf = (parser: Parser, { options = [], operand, further }: Command): Invocation => {
  const given = [parser, parser.parent, parser.parent?.parent].flatMap((each) =>
    (each?.options ?? []).map((option) => {
      const value: unknown = each?.getOptionValue(option.attributeName())
      return { name: option.name(), isSet: value === true, texts: textsOf(value) }
    }),
  )
  const several = options.filter((option) => option.several).map(({ name }) => name)
  const twice = given.find(({ name, texts }) => texts.length > 1 && !several.includes(name))
  if (twice !== undefined) parser.error(`error: option '--${twice.name}' is given twice`)
  const { args: words } = parser
  const [first] = words
  return {
    operand: first === undefined || further !== undefined ? first : words.join(' '),
    ...(operand?.several || further !== undefined ? { words } : {}),
    flags: Object.fromEntries(given.flatMap(({ name, texts }) => texts.map((text) => [name, text]))),
    ...(several.length === 0 ? {} : { repeated: repeatedIn(given, several) }),
    switches: given.flatMap(({ name, isSet }) => (isSet ? [name] : [])),
  }
}

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

const addSettings = (program: Parser): void => {
  program.addOption(optionOf({ name: 'config', value: 'FILE', description: 'a JSON file whose members are settings' }))
  for (const { name } of settingForms)
    program.addOption(optionOf({ name, value: 'VALUE', description: '' }).helpGroup(settingsHeading))
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

const inPrintableLines = (text: string): string => text.split('\n').map(printable).join('\n')

const emptyProgram = ({ output, errors }: Terminal, version: string): Parser =>
  new Parser('clientele')
    .usage('[COMMAND] [OPTIONS]')
    .description('The client registry, key set and logout of an OpenID provider.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      outputError: (text, write) => write(inPrintableLines(text.replace(/^error: /, 'clientele: '))),
    })
    .configureHelp({ formatHelp: (parser) => help.formatHelp(parser, help) })
    .showHelpAfterError('See clientele help')
    .helpCommand(false)
    .helpOption('-h, --help', 'show help')
    .version(version, '-v, --version', 'show the version')
    .addHelpText('after', `\n${settingNamesText()}\n\nExit status: 0 done, 1 refused or failed, 2 wrong usage`)

const groupOf = (program: Parser, name: string, description: string): Parser =>
  program.commands.find((each) => each.name() === name) ??
  program.command(name).description(description).helpCommand(false).showHelpAfterError(`See clientele help ${name}`)

/** Makes a parser for one command line. */
export const createProgram = (
  terminal: Terminal,
  { commands, groups, version }: ProgramParts,
  called: Called,
): Parser => {
  const program = emptyProgram(terminal, version)
  addSettings(program)
  for (const command of commands) {
    const [first = '', ...rest] = command.name.split(' ')
    addCommand(rest.length === 0 ? program : groupOf(program, first, groups[first] ?? ''), command, called)
  }
  return program
}
