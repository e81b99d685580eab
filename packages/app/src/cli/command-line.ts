import { parseArgs } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import { settingForms } from '../config/given-setting.js'
import { suggestion, withSuggestion } from '../config/did-you-mean.js'
import { settings } from '../config/settings.js'

/** What was typed: the words of the command, its switches, and the flags that have a value. */
export type CommandLine = {
  readonly words: ReadonlyArray<string>
  readonly switches: ReadonlyArray<string>
  readonly flags: Readonly<Record<string, string>>
}

/** The same with the word that followed the name of the command, when it takes one. */
export type Invocation = CommandLine & { readonly operand: string | undefined }

const commandSwitches = ['json', 'open', 'dry-run', 'yes', 'public', 'foreign']
const commandFlags = ['scope', 'lifetime', 'metadata']

/** What belongs to some of the commands only. */
export const commandOptions: ReadonlyArray<string> = [...commandFlags, ...commandSwitches]

const switches = ['help', 'version', ...commandSwitches]
const flags = [...settingForms.map(({ name }) => name), 'config', ...commandFlags]
const booleans = settingForms.map(({ setting, name }) => ({ name, value: settings[setting].fallback }))
const isBooleanFlag = (argument: string): boolean =>
  booleans.some(({ name, value }) => typeof value === 'boolean' && argument === `--${name}`)

// A flag that is true or false may stand alone for true.
const withValues = (argv: ReadonlyArray<string>): ReadonlyArray<string> =>
  argv.map((argument, index) =>
    isBooleanFlag(argument) && !['true', 'false'].includes(argv[index + 1] ?? '') ? `${argument}=true` : argument,
  )

// RFC 7638 §3.2: a thumbprint may begin with -, as a flag does. None of ours has as many characters.
const isThumbprint = (argument: string): boolean =>
  /^-[\w-]{42}$/.test(argument) && !flags.includes(argument.replace(/^--/, ''))

const thumbprintsLast = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [thumbprints, others] = [argv.filter(isThumbprint), argv.filter((argument) => !isThumbprint(argument))]
  return thumbprints.length === 0 || argv.includes('--') ? argv : [...others, '--', ...thumbprints]
}

const options = {
  ...Object.fromEntries(switches.map((name) => [name, { type: 'boolean' as const }])),
  ...Object.fromEntries(flags.map((name) => [name, { type: 'string' as const }])),
  help: { type: 'boolean' as const, short: 'h' },
}

type Option = {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

const optionFault = ({ name, rawName, value, inlineValue }: Option): string | undefined => {
  if (switches.includes(name)) return value === undefined ? undefined : `${rawName} takes no value`
  if (!flags.includes(name))
    return withSuggestion(`${rawName} is not a flag`, suggestion(name, [...flags, ...switches], '--'))
  const isNextFlag = inlineValue === false && value?.startsWith('--') === true
  return value === undefined || isNextFlag ? `${rawName} needs a value` : undefined
}

const repeated = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name, index) => names.indexOf(name) !== index).map((name) => `--${name} is given twice`)

/** All that is wrong at once, or what was typed. */
export const parseCommandLine = (argv: ReadonlyArray<string>): E.Either<ReadonlyArray<string>, CommandLine> => {
  const { tokens } = parseArgs({
    args: [...withValues(thumbprintsLast(argv))],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  const typed = tokens.flatMap((token) => (token.kind === 'option' ? [token] : []))
  const faults = [...typed.flatMap((option) => optionFault(option) ?? []), ...repeated(typed.map(({ name }) => name))]
  return faults.length > 0
    ? E.left(faults)
    : E.right({
        words: tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : [])),
        switches: typed.filter(({ name }) => switches.includes(name)).map(({ name }) => name),
        flags: Object.fromEntries(typed.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
      })
}
