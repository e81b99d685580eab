// The table of a walk in its document: files and functions are traced, the last column is written by hand.

const begin = '<!-- Traced: npm run walk -- --write -->'
const end = '<!-- End of what is traced -->'

const rowPattern = /^\| \d+ \| `([^`]+)` \| [^|]*\| (.*?) *\|$/gm

/** The hand-written text of each file. */
export const textsOf = (text) => new Map([...text.matchAll(rowPattern)].map(([, file, said]) => [file, said]))

const tableOf = ({ functions, files, hops, spine }, texts) => [
  `The request enters ${functions} functions in ${files} files, with ${hops} steps from file to file. Selected are the`,
  `${spine.length} files that are entered from another folder, in the order in which each is entered first.`,
  '',
  '| # | File | Function | What happens |',
  '|---|---|---|---|',
  ...spine.map(
    ({ file, name }, at) =>
      `| ${at + 1} | \`${file}\` | ${name === '' ? '' : `\`${name}\``} | ${texts.get(file) ?? ''} |`,
  ),
]

/** The document with the table of this walk. */
export const documentOf = (text, walk) => {
  const [before, , after] = text.split(new RegExp(`${begin}|${end}`))
  const table = tableOf(walk, textsOf(text)).join('\n')
  return `${before}${begin}\n\n${table}\n\n${end}${after}`
}

/** The files without a text in the document. */
export const withoutText = (text) => [...textsOf(text)].filter(([, said]) => said === '').map(([file]) => file)
