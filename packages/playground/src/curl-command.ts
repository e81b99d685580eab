// The registration as a command for any POSIX shell.
import { baseUrlIn, exampleBaseUrl } from './base-url.js'
import { type State, tokenScopeOf } from './state.js'

// Characters that control a terminal or may be lost; and the exclamation mark, which interactive shells expand from
// their history, even within quotation marks after the first line.
const carried = /([\x00-\x09\x0B-\x1F\x7F-\x9F\uD800-\uDFFF!]+)/u

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`

/** The bytes of one character as in UTF-8; half of a surrogate pair, which UTF-8 does not encode, stays ill-formed. */
const bytesOf = (character: string): ReadonlyArray<number> => {
  const code = character.codePointAt(0) ?? 0
  // No argument can contain NUL. JSON allows neither NUL nor this character unescaped, so that the result is the same
  // fault.
  if (code === 0) return [1]
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)]
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
}

// POSIX Shell Command Language §2.2.2: within apostrophes, only an apostrophe is special.
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

// §2.6.3: the output of printf for octal escapes, whose text has no effect on a shell or terminal.
const printed = (characters: string): string =>
  `"$(printf '${Array.from(characters).flatMap(bytesOf).map(octal).join('')}')"`

/** One argument for any POSIX shell, which reads the text unchanged. */
export const shellText = (text: string): string =>
  text === ''
    ? quoted(text)
    : text
        .split(carried)
        .filter((part) => part !== '')
        .map((part) => (carried.test(part) ? printed(part) : quoted(part)))
        .join('')

/** The variable of the command that contains the token. */
export const tokenVariable = 'INITIAL_ACCESS_TOKEN'

/** The registration as a command; for the example service where the base URL is invalid. */
export const curlCommand = (state: State): string =>
  [
    `curl -sS ${shellText(`${baseUrlIn(state.baseUrl) ?? exampleBaseUrl}/clients`)}`,
    ...(tokenScopeOf(state) === '' ? [] : [`-H "Authorization: Bearer $${tokenVariable}"`]),
    "-H 'Content-Type: application/json'",
    // Not --data, for which a text that begins with @ names a file.
    `--data-raw ${shellText(state.body)}`,
  ].join(' \\\n  ')

/** The command that issues the token. */
export const issueCommand = (scope: string): string => `clientele token issue --scope ${shellText(scope)}`
