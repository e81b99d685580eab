import type { Places, Word } from './places.js'

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

// A colon separates the word and its description.
const described = ({ text, description }: Word): string =>
  quoted(description === '' ? text.replaceAll(':', '\\:') : `${text.replaceAll(':', '\\:')}:${description}`)

const listed = (words: ReadonlyArray<Word>): string => words.map(described).join(' ')

export const zshCompletion = ({ places, everywhere, valued }: Places): string => `#compdef clientele
# zsh completion for clientele
_clientele() {
  local called='' word=''
  local -a candidates options
  case "$words[CURRENT-1]" in
    (${valued.join('|')}) _files; return ;;
  esac
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${called:+$called }$word" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      ('${path}') called='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$called" in
${places
  .map(
    ({ path, words, options }) =>
      `    ('${path}')\n      candidates=(${listed(words)})\n      options=(${listed(options)}) ;;`,
  )
  .join('\n')}
  esac
  options+=(${listed(everywhere)})
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
