// Control and format characters could change the text on a terminal.
const unprintable = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('')

/** The text in one line with control and format characters escaped. */
export const printable = (text: string): string => text.replace(unprintable, escaped)

/** A value as JSON in one line, with control and format characters escaped. */
export const printableJson = (value: unknown): string => printable(JSON.stringify(value))

/** The same over several lines, for people and machines. */
export const printableDocument = (value: unknown): string =>
  JSON.stringify(value, null, 2).split('\n').map(printable).join('\n')
