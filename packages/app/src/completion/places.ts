// The possible next words of a command line, from the tree of commands.
import type { Command as Parser } from 'commander'

export type Word = { readonly text: string; readonly description: string }

/** The end of a command's words: the next word may be one of these commands, choices or options. */
export type Place = {
  readonly path: string
  readonly words: ReadonlyArray<Word>
  readonly options: ReadonlyArray<Word>
}

export type Places = {
  readonly places: ReadonlyArray<Place>
  /** Options of every command: the settings. */
  readonly everywhere: ReadonlyArray<Word>
  /** The options that take a value. */
  readonly valued: ReadonlyArray<string>
}

const optionsOf = (parser: Parser): ReadonlyArray<Word> =>
  parser.options.flatMap(({ long, description }) => (long === undefined ? [] : [{ text: long, description }]))

/** The options with a value of all commands, with their dashes. */
export const valuedOptions = (parser: Parser): ReadonlyArray<string> => [
  ...parser.options.flatMap(({ long, required }) => (required && long !== undefined ? [long] : [])),
  ...parser.commands.flatMap(valuedOptions),
]

const choicesOf = (parser: Parser): ReadonlyArray<Word> =>
  parser.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((text) => ({ text, description: '' })))

const below = (path: string, name: string): string => (path === '' ? name : `${path} ${name}`)

const placesFrom = (parser: Parser, path: string): ReadonlyArray<Place> => [
  {
    path,
    words: [
      ...parser.commands.map((each) => ({ text: each.name(), description: each.summary() || each.description() })),
      ...choicesOf(parser),
    ],
    options: path === '' ? [] : optionsOf(parser),
  },
  ...parser.commands.flatMap((each) => placesFrom(each, below(path, each.name()))),
]

// The word help may also come first.
const withHelp = (places: ReadonlyArray<Place>): ReadonlyArray<Place> => {
  const requested = places.find(({ path }) => path === '')?.words ?? []
  const topics = [...requested, { text: 'settings', description: 'every setting' }]
  return places.map((place) => (place.path === 'help' ? { ...place, words: topics } : place))
}

export const placesOf = (program: Parser): Places => ({
  places: withHelp(placesFrom(program, '')),
  everywhere: [...optionsOf(program), { text: '--help', description: 'show help' }],
  valued: [...new Set(valuedOptions(program))],
})
