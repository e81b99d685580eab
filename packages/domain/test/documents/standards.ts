// The standards that a page refers to, as links of Markdown.
import { locationOf, standardName } from '../../src/rules/standards.js'

/** A text with its references to documents as links in short form: [RFC 7591] §2 */
export const withLinks = (text: string): string => text.replace(standardName, (name) => `[${name}]`)

/** The targets of the links in the text. */
export const linkTargets = (text: string): string =>
  [...new Set(text.match(standardName) ?? [])]
    .sort()
    .map((name) => `[${name}]: ${locationOf(name)}`)
    .join('\n')
