// The contents of the page for a view, as pieces by the id of their parent element.
import { droppedText } from '@clientele/domain/client'
import type { Unchecked } from '@clientele/domain/operations'
import type { Destination } from './base-url.js'
import { issueCommand, tokenVariable } from './curl-command.js'
import type { Decision } from './decision.js'
import type { EffectiveMember } from './effective-metadata.js'
import { type Piece, type Pieces, element } from './pieces.js'
import type { ReportedFault } from './reported-fault.js'
import type { Door, View } from './view.js'

const code = element('code')
const paragraph = element('p')
const quiet = element('p', { class: 'quiet' })
const item = element('li')

/** The maximum number of listed entries. */
const most = 100

const shownOf = <A>(all: ReadonlyArray<A>, show: (one: A) => Piece, rest: (more: number) => Piece): Pieces => [
  ...all.slice(0, most).map(show),
  ...(all.length > most ? [rest(all.length - most)] : []),
]

const icon = (kind: Decision['kind']): Piece =>
  element('svg', { class: kind, viewBox: '0 0 24 24', 'aria-hidden': 'true' })(
    element('path', { d: kind === 'registered' ? 'M5 12.5l4.5 4.5L19 7.5' : 'M12 5v9M12 18.5v.5' })(),
  )

export const headline = ({ status, error, headline: given }: Decision): string =>
  given ?? (error === undefined ? 'Registered' : `${status} ${error}`)

const faultCount = (count: number): string => (count === 1 ? '1 fault' : `${count} faults`)

const decisionPieces = ({ decision, faults, document }: View): Pieces => [
  icon(decision.kind),
  element('div')(
    element('p', { class: 'headline' })(headline(decision)),
    quiet(`${decision.description}.`),
    ...(faults.length === 0 ? [] : [quiet(`${faultCount(faults.length)} in the ${document?.judged ?? 'body'}.`)]),
  ),
]

const pointerPiece = ({ pointer, place }: ReportedFault): Piece => {
  if (pointer === '') return element('span', { class: 'pointer' })('the whole body')
  if (place === undefined) return element('code', { class: 'pointer' })(pointer)
  const range = { 'data-start': String(place.start), 'data-end': String(place.end) }
  return element('button', { type: 'button', class: 'pointer', title: 'Show it in the editor', ...range })(
    code(pointer),
  )
}

const faultPiece = (fault: ReportedFault): Piece =>
  item(
    pointerPiece(fault),
    paragraph(fault.problem, ...(fault.remedy === undefined ? ['.'] : [': ', element('strong')(fault.remedy), '.'])),
    element('p', { class: 'source' })(code(fault.rule), ` · ${fault.reference}`),
  )

const faultPieces = ({ faults }: View): Pieces =>
  faults.length === 0
    ? [quiet('None.')]
    : [element('ol', { class: 'faults' })(...shownOf(faults, faultPiece, (more) => item(`and ${more} more`)))]

const chips = (name: string, texts: ReadonlyArray<string>, kind: string): Pieces => [
  element('dt')(name),
  element('dd')(
    texts.length === 0
      ? element('span', { class: 'quiet' })('nothing')
      : element('ul', { class: `chips ${kind}` })(
          ...shownOf(
            texts,
            (text) => item(text),
            (more) => item(`and ${more} more`),
          ),
        ),
  ),
]

const neededPieces = (needed: View['needed']): Pieces =>
  needed.length === 0
    ? []
    : [
        paragraph(
          'A token with ',
          ...needed.flatMap((value, at) => [at === 0 ? '' : ' ', code(value)]),
          ' would give it.',
        ),
        element('button', { type: 'button', 'data-needed': needed.join(' ') })('Tick what is missing'),
      ]

const privilegePieces = ({ requested, granted, missing, needed }: View): Pieces => [
  element('dl', { class: 'privileges' })(
    ...chips('Requested', requested, ''),
    ...chips('Granted', granted, ''),
    ...chips('Missing', missing, 'trouble'),
  ),
  ...neededPieces(needed),
]

const memberPieces = ({ name, value, origin }: EffectiveMember): Piece => {
  const text = origin === 'sent' ? undefined : origin
  return element('div', { class: value.includes('\n') ? `${origin} long` : origin })(
    element('dt')(code(name)),
    element('dd')(code(value), ...(text === undefined ? [] : [' ', element('span', { class: 'origin' })(text)])),
  )
}

const droppedPieces = (dropped: ReadonlyArray<string>): Pieces =>
  dropped.length === 0
    ? []
    : [
        quiet('Left out:'),
        element('ul')(
          ...shownOf(
            dropped,
            (name) => item(code(JSON.stringify(name)), ` ${droppedText(name)}`),
            (more) => item(`and ${more} more`),
          ),
        ),
      ]

// What the page says of a document beyond what it says of a registration.

const doorPieces = ({ name, answer }: Door): Pieces => [element('dt')(name), element('dd')(`${answer}.`)]

const documentPieces = ({ doors, remarks, command }: NonNullable<View['document']>): Pieces => [
  element('dl', { class: 'doors' })(...doors.flatMap(doorPieces)),
  ...remarks.map((remark) => quiet(remark)),
  quiet('The same by the settings of a service: ', code(command)),
]

const adjustedPieces = (adjustments: View['adjustments']): Pieces =>
  adjustments.length === 0
    ? []
    : [
        quiet('Chosen, or left out:'),
        element('ul', { class: 'adjusted' })(...adjustments.map(({ description }) => item(`${description}.`))),
      ]

/** What the listed members are, where they are not those of a client. */
const readOfDocument = ({ judged }: NonNullable<View['document']>, { metadata, faults }: View): string | undefined => {
  if (judged === 'URL') return 'The document is not judged yet.'
  if (metadata.length === 0) return 'Nothing of the document can be read.'
  return faults.length === 0 ? undefined : 'As far as it can be read.'
}

const uncheckedTexts: Readonly<Record<Unchecked, string>> = {
  sector_identifier_uri: 'Only the service fetches sector_identifier_uri, when all else is permitted.',
  preferred_client_id: 'Only the service knows whether another client has the preferred_client_id.',
  maximum_clients: 'Only the service knows how many clients there are.',
  maximum_unused_open_clients: 'Only the service knows how many unused clients there are.',
}

const readText = (view: View): string | undefined => {
  if (view.document !== undefined) return readOfDocument(view.document, view)
  if (view.metadata.length === 0) return 'Nothing of the body can be read.'
  return view.decision.kind === 'refused' ? 'As far as it can be read; nothing is registered.' : undefined
}

const metadataPieces = (shown: View): Pieces => [
  ...[readText(shown)].flatMap((text) => (text === undefined ? [] : [quiet(text)])),
  element('dl', { class: 'members' })(
    ...shownOf(shown.metadata, memberPieces, (more) => element('div')(`and ${more} more`)),
  ),
  ...adjustedPieces(shown.adjustments),
  ...droppedPieces(shown.dropped),
  ...shown.unchecked.map((name) => quiet(uncheckedTexts[name])),
]

const tokenPieces = ({ commands }: View): Pieces => {
  if (commands === undefined) return [quiet('The body is too large to be sent.')]
  if (commands.tokenScope === '') return [quiet('Without a token.')]
  return [quiet(code(tokenVariable), ' is what this prints: ', code(issueCommand(commands.tokenScope)))]
}

// A link contains the base URL, and the copied command sends a token there.
const destinationTexts: Readonly<Record<Destination, string>> = {
  here: 'Where the service is reached',
  elsewhere: 'Not the service that this page comes from: the command goes to another one',
  example: 'No plain http or https URL: the command has an example',
}

/** By ids of packages/playground/src/index.html. */
export const sections = (view: View, destination: Destination): Readonly<Record<string, Pieces>> => ({
  decision: decisionPieces(view),
  'jump-text': [headline(view.decision)],
  faults: faultPieces(view),
  'fault-count': [String(view.faults.length)],
  'privileges-title': [view.document === undefined ? 'Privileges' : 'What the doors answer'],
  privileges: view.document === undefined ? privilegePieces(view) : documentPieces(view.document),
  metadata: metadataPieces(view),
  'base-url-hint': [destinationTexts[destination]],
  token: tokenPieces(view),
  curl: [view.commands?.curl ?? ''],
  test: [view.commands?.testCase ?? ''],
})
