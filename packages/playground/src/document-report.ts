// A document as its author would publish it: what `clientele explain URL --document FILE` tells, for the texts of the page.
import { clientIdUrl } from '@clientele/domain/client'
import { type Fault, epochSeconds, parseWellFormedJson, ruleTexts } from '@clientele/domain/kernel'
import type { Explanation } from '@clientele/domain/operations'
import {
  type DocumentAdjustment,
  type ExplainedDocument,
  type SeenDocument,
  explainDocument,
  sameRegistration,
} from '@clientele/domain/provider'
import type { RegistrationSettings } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { shellText } from './curl-command.js'
import { type Decision, maxBytes, sentence } from './decision.js'
import { type EffectiveMember, effectiveMetadata } from './effective-metadata.js'

type ReadUrl = ReturnType<typeof clientIdUrl>

export type DocumentReport = {
  readonly decision: Decision
  /** Where the faults are. */
  readonly judged: 'URL' | 'document'
  readonly faults: ReadonlyArray<Fault>
  readonly metadata: ReadonlyArray<EffectiveMember>
  readonly dropped: ReadonlyArray<string>
  readonly adjustments: ReadonlyArray<DocumentAdjustment>
  /** What is said of the URL and of the text, in sentences. */
  readonly remarks: ReadonlyArray<string>
  readonly authorize: string
  readonly command: string
}

/** A text of the editor as JSON, or why it is none. */
export type ReadText = E.Either<string, unknown>

export const readText = (body: string, tooLarge: boolean): ReadText => {
  if (tooLarge) return E.left(`The document is larger than ${maxBytes} bytes`)
  const read = parseWellFormedJson(body)
  return E.isLeft(read) ? E.left(sentence(read.left.error_description)) : read
}

// As if it were served with status 200 and application/json, and nothing about caching.
const seenAs = (read: ReadText): SeenDocument => ({
  kind: 'answered',
  at: epochSeconds(0),
  status: 200,
  media_type: 'application/json',
  body: E.isRight(read) ? read.right : undefined,
  statement: O.none,
  cache: {},
})

const goesOn = 'on to sign-in and consent'

const refused = (headline: string, description: string): Decision => ({
  kind: 'refused',
  status: 400,
  error: 'document_refused',
  headline,
  description,
})

const policyText = ({ accepted, part, entry }: ExplainedDocument['policy']): string => {
  const why = part === 'accept' ? `metadata_documents.accept is ${entry}` : `metadata_documents.${part} has ${entry}`
  const unlisted = part === 'accept' && entry === 'listed' ? ', and no list has the URL' : ''
  return `The registration policy ${accepted ? 'accepts' : 'does not accept'} this URL: ${why}${unlisted}.`
}

const remarkTexts = {
  query: 'The URL has a query, against which the draft advises.',
  root_path: 'The path of the URL is /, against which the draft advises.',
} as const

const decisionOf = ({ policy, decided, refusal }: ExplainedDocument): Decision => {
  if (refusal === undefined)
    return {
      kind: 'registered',
      status: 200,
      headline: 'Accepted',
      description: `An authorization request with this client_id goes ${goesOn}`,
    }
  if (policy.accepted) return refused('Refused', sentence(refusal))
  if (E.isLeft(decided))
    return refused('Refused', 'The document has faults, and the registration policy does not accept its URL')
  const accepted = 'The document has no fault, and would be a client where the registration policy accepted its URL'
  return refused('Refused by the policy alone', accepted)
}

const metadataOf = (
  { decided }: ExplainedDocument,
  read: ReadText,
  registration: Explanation | undefined,
): Pick<DocumentReport, 'metadata' | 'dropped' | 'adjustments'> => {
  const sent = E.isRight(read) ? (sameRegistration(read.right) ?? {}) : {}
  if (E.isLeft(decided)) {
    const dropped = registration?.dropped ?? []
    return {
      metadata: effectiveMetadata(sent, { added: {}, dropped, faults: decided.left }),
      dropped,
      adjustments: [],
    }
  }
  const { client, dropped, adjustments } = decided.right
  const added = Object.fromEntries(
    Object.entries(client.metadata).filter(([name, value]) => JSON.stringify(sent[name]) !== JSON.stringify(value)),
  )
  const metadata = effectiveMetadata({ ...client.metadata }, { added, dropped: [], faults: [] })
  return {
    metadata: metadata.map((each) =>
      each.origin === 'added' && Object.hasOwn(sent, each.name) ? { ...each, origin: 'changed' } : each,
    ),
    dropped,
    adjustments,
  }
}

const explainCommand = (url: string): string => `clientele explain ${shellText(url)} --document client.json`

const ofInvalidUrl = (url: string, faults: ReadonlyArray<Fault>): DocumentReport => ({
  decision: refused('Refused', faults[0]?.description ?? ''),
  judged: 'URL',
  faults,
  metadata: [],
  dropped: [],
  adjustments: [],
  remarks: [],
  authorize: `Refused: ${faults[0]?.description ?? ''}`,
  command: explainCommand(url),
})

const urlFaults = (read: Exclude<ReadUrl, { readonly kind: 'url' }>): ReadonlyArray<Fault> =>
  read.kind === 'faulty'
    ? read.faults
    : [{ pointer: '/client_id', rule: 'https-uri', description: `client_id ${ruleTexts['https-uri'].text}` }]

/** `registration` is the decision of POST /clients about the same metadata, where there is a JSON object. */
export const reportDocument = (
  settings: RegistrationSettings,
  url: string,
  read: ReadText,
  registration: Explanation | undefined,
): DocumentReport => {
  const readUrl = clientIdUrl(url)
  if (readUrl.kind !== 'url') return ofInvalidUrl(url, urlFaults(readUrl))
  const explained = explainDocument(settings, readUrl.url, seenAs(read))
  const { remarks, policy, decided, refusal } = explained
  return {
    decision: decisionOf(explained),
    judged: 'document',
    faults: E.isLeft(decided) ? decided.left : [],
    ...metadataOf(explained, read, registration),
    remarks: [
      policyText(policy),
      ...remarks.map((each) => remarkTexts[each]),
      ...(E.isLeft(read) ? [`${read.left}.`] : []),
    ],
    authorize: refusal === undefined ? `Goes ${goesOn}` : `Refused: ${refusal}`,
    command: explainCommand(url),
  }
}
