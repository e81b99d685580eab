// Adapts arguments to commander where it parses settings and key names otherwise.
import { settingForms, settings } from '../config/settings.js'

type Arguments = ReadonlyArray<string>

/** The names, with dashes, of the options that take a value. */
export type Valued = ReadonlyArray<string>

const booleans = settingForms
  .filter(({ setting }) => typeof settings[setting].fallback === 'boolean')
  .map(({ name }) => `--${name}`)

// A boolean setting without a value is true.
const withBooleans = (argv: Arguments): Arguments =>
  argv.map((argument, index) =>
    booleans.includes(argument) && !['true', 'false'].includes(argv[index + 1] ?? '') ? `${argument}=true` : argument,
  )

// RFC 7638 §3.2: a thumbprint may begin with -, like an option.
const thumbprintsLast = (argv: Arguments, valued: Valued): Arguments => {
  const isThumbprint = (argument: string, index: number): boolean =>
    /^-[\w-]{42}$/.test(argument) && !valued.includes(argument) && !valued.includes(argv[index - 1] ?? '')
  const thumbprints = argv.filter(isThumbprint)
  if (thumbprints.length === 0 || argv.includes('--')) return argv
  return [...argv.filter((argument, index) => !isThumbprint(argument, index)), '--', ...thumbprints]
}

// commander repeats an unknown option with its value, which may be a secret after a misspelled option.
const withoutUnknownValues = (argv: Arguments, valued: Valued): Arguments =>
  argv.map((argument, index) => {
    const [name = ''] = argument.split('=', 1)
    const isUnknown = argument.startsWith('-') && !valued.includes(name) && !valued.includes(argv[index - 1] ?? '')
    return isUnknown && name !== argument ? `${name}=` : argument
  })

// An argument that begins with two dashes is the next option, not a value, except after an equals sign.
const endedWhereAValueIsMissing = (argv: Arguments, valued: Valued): Arguments => {
  const place = argv.findIndex((argument, index) => valued.includes(argument) && argv[index + 1]?.startsWith('--'))
  return place === -1 ? argv : argv.slice(0, place + 1)
}

/** The arguments for commander. */
export const normalArguments = (argv: Arguments, valued: Valued): Arguments => {
  const ordered = thumbprintsLast(withBooleans(argv), valued)
  return endedWhereAValueIsMissing(withoutUnknownValues(ordered, valued), valued)
}
