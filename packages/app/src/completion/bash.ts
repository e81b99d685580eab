import type { Places, Word } from './places.js'

const listed = (words: ReadonlyArray<Word>): string => words.map(({ text }) => text).join(' ')

/** Completes commands and choices, options after a dash, and otherwise files. */
export const bashCompletion = ({ places, everywhere, valued }: Places): string => `# bash completion for clientele
_clientele() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} called='' word='' words='' options=''
  COMPREPLY=()
  case "$before" in
    ${valued.join(' | ')}) return ;;
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${called:+$called }$word" in
${places
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') called='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$called" in
${places
  .map(({ path, words, options }) => `    '${path}') words='${listed(words)}' options='${listed(options)}' ;;`)
  .join('\n')}
  esac
  if [[ $current == -* ]]; then
    words="$options ${listed(everywhere)}"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _clientele clientele
`
