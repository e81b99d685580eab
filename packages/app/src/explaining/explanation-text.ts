import { refusalStatuses } from '@clientele/adapters-http/statuses'
import { isNothing } from '@clientele/domain/authorization'
import { droppedText } from '@clientele/domain/client'
import type { Explanation, Unchecked } from '@clientele/domain/operations'
import { printable, printableJson } from '../text.js'
import { privilegeTexts } from './privilege-texts.js'

type Lines = ReadonlyArray<string>

export const section = (title: string, lines: Lines): Lines => [title, ...lines.map((line) => `  ${line}`)]
export const ifAny = (title: string, lines: Lines): Lines => (lines.length > 0 ? section(title, lines) : [])
export const orNothing = (lines: Lines): Lines => (lines.length > 0 ? lines : ['nothing'])

const holder = ({ by }: Explanation): string => {
  if (by === undefined) return 'Granted: a token is needed'
  return by === 'nobody' ? 'Granted without a token' : 'Granted by the token'
}

const remedies = ({ unobtainable, needed }: Explanation): Lines => [
  ...(needed.length > 0 ? [`given by the scope values: ${needed.join(' ')}`] : []),
  ...(isNothing(unobtainable)
    ? []
    : [
        `beyond the ceilings of the registration policy, so that no token gives it: ${privilegeTexts(unobtainable).join('; ')}`,
      ]),
]

export const droppedLine = (name: string): string => `${printableJson(name)} ${droppedText(name)}`

const uncheckedTexts: Readonly<Record<Unchecked, string>> = {
  sector_identifier_uri:
    'sector_identifier_uri: explain never fetches it; registration does, when all else is permitted',
  preferred_client_id: 'preferred_client_id: whether another client has it',
  maximum_clients: 'maximum_clients of the registration policy: how many clients there are',
  maximum_unused_open_clients:
    'maximum_unused_open_clients of the registration policy: how many unused clients there are without a token',
}

/** The status of the answer. */
export const statusOf = ({ refusal }: Explanation, registered: number): number =>
  refusal === undefined ? registered : refusalStatuses[refusal.error]

/** Registered, or the refusal in one line. */
export const verdictOf = (explanation: Explanation): string => {
  const { refusal } = explanation
  if (refusal === undefined) return 'would be registered'
  return `${statusOf(explanation, 200)} ${refusal.error}: ${refusal.error_description}`
}

type Said = { readonly pointer: string; readonly rule: string; readonly description: string }

const saidText = ({ pointer, rule, description }: Said): string => printable(`${pointer} ${rule}: ${description}`)

export const saidLines = (said: ReadonlyArray<Said>): Lines => said.map(saidText)

/** The decision as a tree; values from the request are quoted. */
export const explanationText = (explanation: Explanation): string => {
  const { requested, granted, missing, faults, added, adjustments, dropped, unchecked, warnings } = explanation
  return [
    ...section('Requested', orNothing(privilegeTexts(requested))),
    ...section(holder(explanation), orNothing(privilegeTexts(granted))),
    ...section('Missing', [...orNothing(privilegeTexts(missing)), ...remedies(explanation)]),
    ...section('Faults', orNothing(saidLines(faults))),
    ...ifAny(
      'Added by registration',
      Object.entries(added).map(([name, value]) => `${printable(name)}: ${printableJson(value)}`),
    ),
    ...ifAny('Adjusted', saidLines(adjustments)),
    ...ifAny('Dropped', dropped.map(droppedLine)),
    ...ifAny(
      'Not checked',
      unchecked.map((each) => uncheckedTexts[each]),
    ),
    ...ifAny('Warnings', saidLines(warnings)),
    `Decision: ${verdictOf(explanation)}`,
  ].join('\n')
}
