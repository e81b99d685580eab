// What commander would take otherwise than the settings and the keys have it.
import { settingForms } from '../config/given-setting.js'
import { settings } from '../config/settings.js'

type Arguments = ReadonlyArray<string>

/** The names, with their dashes, of the options that have a value. */
export type Valued = ReadonlyArray<string>

const booleans = settingForms
  .filter(({ setting }) => typeof settings[setting].fallback === 'boolean')
  .map(({ name }) => `--${name}`)

// A setting that is true or false may stand alone for true.
const withBooleans = (argv: Arguments): Arguments =>
  argv.map((argument, index) =>
    booleans.includes(argument) && !['true', 'false'].includes(argv[index + 1] ?? '') ? `${argument}=true` : argument,
  )

// RFC 7638 §3.2: a thumbprint may begin with -, as an option does.
const thumbprintsLast = (argv: Arguments, valued: Valued): Arguments => {
  const isThumbprint = (argument: string, index: number): boolean =>
    /^-[\w-]{42}$/.test(argument) && !valued.includes(argument) && !valued.includes(argv[index - 1] ?? '')
  const thumbprints = argv.filter(isThumbprint)
  if (thumbprints.length === 0 || argv.includes('--')) return argv
  return [...argv.filter((argument, index) => !isThumbprint(argument, index)), '--', ...thumbprints]
}

// Because commander repeats an option that it does not know, and its value may be a secret whose option is misspelt.
const withoutUnknownValues = (argv: Arguments, valued: Valued): Arguments =>
  argv.map((argument, index) => {
    const [name = ''] = argument.split('=', 1)
    const isUnknown = argument.startsWith('-') && !valued.includes(name) && !valued.includes(argv[index - 1] ?? '')
    return isUnknown && name !== argument ? `${name}=` : argument
  })

// What begins with two dashes is the next option, and no value, unless it stands behind an equals sign.
const endedWhereAValueIsMissing = (argv: Arguments, valued: Valued): Arguments => {
  const place = argv.findIndex((argument, index) => valued.includes(argument) && argv[index + 1]?.startsWith('--'))
  return place === -1 ? argv : argv.slice(0, place + 1)
}

/** The arguments as commander is to see them. */
export const normalArguments = (argv: Arguments, valued: Valued): Arguments => {
  const ordered = thumbprintsLast(withBooleans(argv), valued)
  return endedWhereAValueIsMissing(withoutUnknownValues(ordered, valued), valued)
}
