// What the page says of a document beyond what it says of a registration.
import { type Pieces, element } from './pieces.js'
import type { Door, View } from './view.js'

const quiet = element('p', { class: 'quiet' })

const doorPieces = ({ name, answer }: Door): Pieces => [element('dt')(name), element('dd')(`${answer}.`)]

export const documentPieces = ({ doors, remarks, command }: NonNullable<View['document']>): Pieces => [
  element('dl', { class: 'doors' })(...doors.flatMap(doorPieces)),
  ...remarks.map((remark) => quiet(remark)),
  quiet('The same by the settings of a service: ', element('code')(command)),
]

export const adjustedPieces = (adjustments: View['adjustments']): Pieces =>
  adjustments.length === 0
    ? []
    : [
        quiet('Chosen, or left out:'),
        element('ul', { class: 'adjusted' })(...adjustments.map(({ description }) => element('li')(`${description}.`))),
      ]

/** What the listed members are, where they are not those of a client. */
export const readOfDocument = (
  { judged }: NonNullable<View['document']>,
  { metadata, faults }: View,
): string | undefined => {
  if (judged === 'URL') return 'The document is not judged yet.'
  if (metadata.length === 0) return 'Nothing of the document can be read.'
  return faults.length === 0 ? undefined : 'As far as it can be read.'
}
