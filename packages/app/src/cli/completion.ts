// The scripts by which a shell completes the arguments of `clientele`, from the tree of commands.
import type { Command as Parser } from 'commander'
import { shellWord } from '../text.js'

type Word = { readonly text: string; readonly description: string }

/** The end of a command's words: the next word may be one of these commands, choices or options. */
type Place = {
  readonly path: string
  readonly words: ReadonlyArray<Word>
  readonly options: ReadonlyArray<Word>
}

const optionsOf = (parser: Parser): ReadonlyArray<Word> =>
  parser.options.flatMap(({ long, description }) => (long === undefined ? [] : [{ text: long, description }]))

/** The options with a value of all commands, with their dashes. */
export const valuedOptions = (parser: Parser): ReadonlyArray<string> => [
  ...parser.options.flatMap(({ long, required }) => (required && long !== undefined ? [long] : [])),
  ...parser.commands.flatMap(valuedOptions),
]

const wordsAfter = (parser: Parser): ReadonlyArray<Word> => [
  ...parser.commands.map((each) => ({ text: each.name(), description: each.summary() || each.description() })),
  ...parser.registeredArguments.flatMap(({ argChoices = [] }) => argChoices.map((text) => ({ text, description: '' }))),
]

const placesFrom = (parser: Parser, path: ReadonlyArray<string>): ReadonlyArray<Place> => [
  { path: path.join(' '), words: wordsAfter(parser), options: path.length === 0 ? [] : optionsOf(parser) },
  ...parser.commands.flatMap((each) => placesFrom(each, [...path, each.name()])),
]

const placesOf = (program: Parser) => {
  // The word help may also come first.
  const topics = [...wordsAfter(program), { text: 'settings', description: 'every setting' }]
  const places = placesFrom(program, []).map((place) => (place.path === 'help' ? { ...place, words: topics } : place))
  return {
    places,
    // The words of all commands and groups, which may have been typed.
    paths: places.flatMap(({ path }) => (path === '' ? [] : [path])),
    // The settings are options of every command.
    everywhere: [...optionsOf(program), { text: '--help', description: 'show help' }],
    valued: [...new Set(valuedOptions(program))],
  }
}

type Places = ReturnType<typeof placesOf>

const eachLine = <A>(values: ReadonlyArray<A>, line: (value: A) => string): string => values.map(line).join('\n')

const textsIn = (words: ReadonlyArray<Word>): string => words.map(({ text }) => text).join(' ')

// Completes commands and choices, options after a dash, and otherwise files.
const bash = ({ places, paths, everywhere, valued }: Places): string => `# bash completion for clientele
_clientele() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} called='' word='' words='' options=''
  COMPREPLY=()
  case "$before" in
    ${valued.join(' | ')}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${called:+$called }$word" in
${eachLine(paths, (path) => `      '${path}') called='${path}' ;;`)}
    esac
  done
  case "$called" in
${eachLine(places, ({ path, words, options }) => `    '${path}') words='${textsIn(words)}' options='${textsIn(options)}' ;;`)}
  esac
  if [[ $current == -* ]]; then
    words="$options ${textsIn(everywhere)}"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _clientele clientele
`

// A colon separates the word and its description.
const zshWord = ({ text, description }: Word): string => {
  const word = text.replaceAll(':', '\\:')
  return shellWord(description === '' ? word : `${word}:${description}`)
}

const zshWords = (words: ReadonlyArray<Word>): string => words.map(zshWord).join(' ')

const zshPlace = ({ path, words, options }: Place): string =>
  `    ('${path}')\n      candidates=(${zshWords(words)})\n      options=(${zshWords(options)}) ;;`

const zsh = ({ places, paths, everywhere, valued }: Places): string => `#compdef clientele
# zsh completion for clientele
_clientele() {
  local called='' word=''
  local -a candidates options
  case "$words[CURRENT-1]" in
    (${valued.join('|')}) _files; return ;;
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${called:+$called }$word" in
${eachLine(paths, (path) => `      ('${path}') called='${path}' ;;`)}
    esac
  done
  case "$called" in
${eachLine(places, zshPlace)}
  esac
  options+=(${zshWords(everywhere)})
  if [[ "$PREFIX" == -* ]]; then
    _describe -o 'option' options
  elif (( $#candidates )); then
    _describe 'command' candidates
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _clientele ]]; then
  _clientele
else
  compdef _clientele clientele
fi
`

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = ({ places, paths, everywhere, valued }: Places): string => {
  const line = (start: string, description: string): string =>
    `complete -c clientele${start}${description === '' ? '' : ` -d ${fishText(description)}`}`
  const optionLine =
    (condition: string) =>
    ({ text, description }: Word): string =>
      line(`${condition} -l ${text.replace(/^--/, '')}${valued.includes(text) ? ' -r' : ''}`, description)
  const placeLines = ({ path, words, options }: Place): ReadonlyArray<string> => {
    const condition = ` -n "__clientele_at '${path}'"`
    return [
      ...words.map(({ text, description }) => line(`${condition} -f -a ${fishText(text)}`, description)),
      ...options.map(optionLine(condition)),
    ]
  }
  return `# fish completion for clientele
function __clientele_at
    set -l called
    for word in (commandline -opc)[2..-1]
        set -l longer (string join -- ' ' $called $word)
        if contains -- $longer ${paths.map(fishText).join(' ')}
            set called $longer
        end
    end
    test "$called" = "$argv[1]"
end
${[...places.flatMap(placeLines), ...everywhere.map(optionLine(''))].join('\n')}
`
}

const scripts = { bash, zsh, fish }

type Shell = keyof typeof scripts
export const shells: ReadonlyArray<Shell> = ['bash', 'zsh', 'fish']

/** The script by which the shell completes the arguments of `clientele`. */
export const completionOf = (shell: Shell, program: Parser): string => scripts[shell](placesOf(program))
