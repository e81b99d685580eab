// The explanation of a document for people; values from its server are quoted.
import type { UrlRemark } from '@clientele/domain/client'
import type { UrlAcceptance } from '@clientele/domain/provider'
import { printable, printableJson } from '../text.js'
import type { DocumentExplanation, SeenSummary } from './document-explanation.js'
import { droppedLine, ifAny, orNothing, saidLines, section, verdictOf } from './explanation-text.js'

const remarkTexts: Readonly<Record<UrlRemark, string>> = {
  query: 'it has a query, against which the draft advises',
  root_path: 'its path is /, against which the draft advises',
}

const policyText = ({ accepted, part, entry }: UrlAcceptance): string => {
  const why =
    part === 'accept' ? `metadata_documents.accept is ${entry}` : `metadata_documents.${part} has ${printable(entry)}`
  const unlisted = part === 'accept' && entry === 'listed' ? ', and no list has the URL' : ''
  return `${accepted ? 'accepted' : 'not accepted'}: ${why}${unlisted}`
}

const seenLines = ({ source, status, media_type, fresh_for, reason }: SeenSummary): ReadonlyArray<string> => [
  ...(source === 'file' ? ['the file, as if its URL showed it with'] : []),
  status === undefined ? 'no answer' : printable(`status ${status}, ${media_type || 'no media type'}`),
  ...(fresh_for === undefined ? [] : [`fresh for ${fresh_for} seconds`]),
  ...(reason === undefined ? [] : [`no document: ${printable(reason)}`]),
]

// Where the policy alone refuses the document, its author wants to know the rest.
const otherwise = ({ policy, faults }: DocumentExplanation): string => {
  if (policy === undefined || policy.accepted) return ''
  const condition =
    policy.part === 'accept'
      ? 'with metadata_documents.accept any'
      : `if metadata_documents.${policy.part} did not deny it`
  const [first] = faults
  return `; ${condition}, it would be ${first === undefined ? 'a client' : `refused as well: ${printable(first.description)}`}`
}

const doorLines = ({ refusal, registration, client }: DocumentExplanation): ReadonlyArray<string> => [
  refusal === undefined
    ? 'authorization request: goes on to sign-in and consent'
    : `authorization request: refused: ${printable(refusal)}`,
  ...(registration === undefined
    ? []
    : [
        `POST /clients with the same metadata${client?.metadata.software_statement === undefined ? '' : ' and software statement'}, without a token: ${verdictOf(registration)}`,
      ]),
]

const clientLines = ({
  metadata,
  adjustments,
  dropped,
}: NonNullable<DocumentExplanation['client']>): ReadonlyArray<string> => [
  ...section(
    'Client',
    Object.entries(metadata).map(([name, value]) => `${printable(name)}: ${printableJson(value)}`),
  ),
  ...ifAny('Adjusted', saidLines(adjustments)),
  ...ifAny('Dropped', dropped.map(droppedLine)),
]

export const documentText = (explanation: DocumentExplanation): string => {
  const { client_id, remarks, policy, seen, faults, client, refusal } = explanation
  return [
    ...section('URL', [printable(client_id), ...remarks.map((each) => remarkTexts[each])]),
    ...(policy === undefined ? [] : section('Policy', [policyText(policy)])),
    ...(seen === undefined ? [] : section('Seen', seenLines(seen))),
    ...section('Faults', orNothing(saidLines(faults))),
    ...(client === undefined ? [] : clientLines(client)),
    ...section('Doors', doorLines(explanation)),
    refusal === undefined
      ? 'Decision: would be a client'
      : `Decision: would be refused: ${printable(refusal)}${otherwise(explanation)}`,
  ].join('\n')
}
