import type { Place, Places, Word } from './places.js'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const described = (description: string): string => (description === '' ? '' : ` -d ${quoted(description)}`)

const wordLine = (path: string, { text, description }: Word): string =>
  `complete -c clientele -n "__clientele_at '${path}'" -f -a ${quoted(text)}${described(description)}`

const optionLine =
  (condition: string, valued: Places['valued']) =>
  ({ text, description }: Word): string =>
    `complete -c clientele${condition} -l ${text.replace(/^--/, '')}${valued.includes(text) ? ' -r' : ''}${described(description)}`

const placeLines =
  (valued: Places['valued']) =>
  ({ path, words, options }: Place): ReadonlyArray<string> => [
    ...words.map((word) => wordLine(path, word)),
    ...options.map(optionLine(` -n "__clientele_at '${path}'"`, valued)),
  ]

export const fishCompletion = ({ places, everywhere, valued }: Places): string => `# fish completion for clientele
function __clientele_at
    set -l called
    for word in (commandline -opc)[2..-1]
        set -l longer (string join -- ' ' $called $word)
        if contains -- $longer ${places
          .filter(({ path }) => path !== '')
          .map(({ path }) => quoted(path))
          .join(' ')}
            set called $longer
        end
    end
    test "$called" = "$argv[1]"
end
${[...places.flatMap(placeLines(valued)), ...everywhere.map(optionLine('', valued))].join('\n')}
`
