// How a registration, or the document at a URL, would be decided and why: as plain JSON, and as text for people, in which
// values from elsewhere are quoted.
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import { createSoftwareStatements } from '@clientele/adapters-jose'
import { hashToken } from '@clientele/adapters-jose/node'
import { type Privileges, type RegistrationScope, isNothing } from '@clientele/domain/authorization'
import { type ClientIdUrl, type UrlRemark, droppedText } from '@clientele/domain/client'
import { type Fault, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type Explanation, type Unchecked, explainRegistration, readStatement } from '@clientele/domain/operations'
import { type ExplainedEntry, documentPolicy, explainEntry } from '@clientele/domain/policy'
import {
  type DecidedDocument,
  type SeenDocument,
  type UrlAcceptance,
  explainDocument,
  sameRegistration,
} from '@clientele/domain/provider'
import {
  type MetadataWarning,
  type RegistrationFacts,
  type RegistrationSettings,
  warningsOf,
} from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Config } from '../config/settings.js'
import { credentialGenerator } from '../data/open-data.js'
import { printable, printableJson } from '../text.js'
import { baseUrlAt } from '../config/listening.js'
import { registrationSettings } from '../config/registration.js'
import { clientDocuments } from '../config/outbound.js'

/** The settings of the service at its own port. */
export const settingsOf = (config: Config): RegistrationSettings => registrationSettings(config, baseUrlAt(config))

// What would be decided about.

type Body = RegistrationFacts['body']

// Any key will do, because the hash is neither stored nor presented.
const hash = hashToken('hypothetical')

/** The facts that the service would find, with a new token of the scope values, or without a token. */
export const hypotheticalFacts = async (
  config: Config,
  settings: RegistrationSettings,
  { scope, body }: { readonly scope: O.Option<RegistrationScope>; readonly body: Body },
): Promise<RegistrationFacts> => {
  const generator = credentialGenerator(config, hash)
  const token = generator.initialAccessToken()
  const issued = generator.issue()
  return {
    body,
    issued,
    credential: O.isSome(scope) ? { kind: 'token', hash: token.hash } : { kind: 'none' },
    token: O.map((given: RegistrationScope) => ({
      ...given,
      hash: token.hash,
      expires_at: secondsAfter(issued.at, config['initial-access-token-lifetime']),
    }))(scope),
    statement: await readStatement(settings, createSoftwareStatements(config['software-statement-issuers']))(body)(),
  }
}

export const explainedRegistration = async (
  config: Config,
  scope: O.Option<RegistrationScope>,
  body: Body,
): Promise<Explanation> => {
  const settings = settingsOf(config)
  return explainRegistration(settings)(await hypotheticalFacts(config, settings, { scope, body }))
}

/** What was seen, and why there is no document; the reason is for the operator only. */
export type Sight = {
  readonly seen: SeenDocument
  /** A file stands for what its URL would show. */
  readonly source: 'url' | 'file'
  readonly reason?: string
}

/**
 * One look at the document of a client for the operator, whose command is the consent to the request: it is sent also
 * while outbound fetches are off; the rules about addresses hold all the same.
 */
export const seeDocumentOnce = async (config: Config, url: ClientIdUrl): Promise<Sight> => {
  const { issuer, registrationEndpoint } = settingsOf(config)
  const { readSoftwareStatement } = createSoftwareStatements(config['software-statement-issuers'])
  const reasons: Array<string> = []
  const { seeDocument } = clientDocuments(
    { ...config, 'outbound-fetches': true },
    {
      policy: () => documentPolicy(config['registration-policy']?.metadata_documents),
      now: () => epochSeconds(Date.now()),
      readStatement: (statement) => readSoftwareStatement(statement, [issuer, registrationEndpoint]),
      onFailure: (_, reason) => reasons.push(reason),
    },
  )
  const seen = await seeDocument(url)()
  const [reason] = reasons
  return { seen, source: 'url', ...(reason === undefined ? {} : { reason }) }
}

/**
 * A file, judged as if its URL showed it with status 200 and application/json, and nothing about caching: so that authors
 * check a document before they publish it.
 */
export const documentOfFile = async (config: Config, read: Body): Promise<Sight> => {
  const statements = createSoftwareStatements(config['software-statement-issuers'])
  const seen = {
    kind: 'answered',
    at: epochSeconds(Date.now()),
    status: 200,
    media_type: 'application/json',
    body: E.isRight(read) ? read.right : undefined,
    statement: await readStatement(settingsOf(config), statements)(read)(),
    cache: {},
  } as const
  return { seen, source: 'file', ...(E.isRight(read) ? {} : { reason: read.left.error_description }) }
}

/** How every door would decide about the document at a URL. */
export type DocumentExplanation = {
  /** Whether an authorization request with this client_id goes on to the end-user. */
  readonly accepted: boolean
  readonly client_id: string
  readonly remarks: ReadonlyArray<UrlRemark>
  /** What the policy says of the URL; left out, as what follows, for an invalid one. */
  readonly policy?: UrlAcceptance
  /** The entry of the policy about this URL alone; left out where there is none. */
  readonly policy_entry?: ExplainedEntry
  readonly seen?: Pick<Sight, 'source'> & {
    /** Left out where there was no answer. */
    readonly status?: number
    readonly media_type?: string
    /** Seconds; left out where no document is kept. */
    readonly fresh_for?: number
    /** Why there is no document. */
    readonly reason?: string
  }
  /** Of the URL, or of the document, whether the policy accepts it or not. */
  readonly faults: ReadonlyArray<Fault>
  /** The client that the document becomes where the policy accepts it. */
  readonly client?: Pick<DecidedDocument, 'dropped' | 'adjustments'> &
    Pick<DecidedDocument['client'], 'metadata'> & {
      /** What of it this service does not do. */
      readonly warnings: ReadonlyArray<MetadataWarning>
    }
  /** Why an authorization request is refused; left out where it goes on. */
  readonly refusal?: string
  /** The decision of POST /clients about the same metadata without a token. */
  readonly registration?: Explanation
}

/** Of what was seen at a valid URL. */
export const explainedDocument = async (
  config: Config,
  url: ClientIdUrl,
  { seen, source, reason }: Sight,
): Promise<DocumentExplanation> => {
  const settings = settingsOf(config)
  const { remarks, policy, decided, refusal } = explainDocument(settings, url, seen)
  const body = seen.kind === 'answered' ? sameRegistration(seen.body) : undefined
  const policy_entry = explainEntry(settings.policy, { client_id: url })
  return {
    accepted: refusal === undefined,
    client_id: url,
    remarks,
    policy,
    ...(policy_entry === undefined ? {} : { policy_entry }),
    seen: {
      source,
      ...(seen.kind === 'answered' ? { status: seen.status, media_type: seen.media_type } : {}),
      ...(E.isRight(decided) ? { fresh_for: decided.right.fresh_until - seen.at } : {}),
      ...(reason === undefined ? {} : { reason }),
    },
    faults: E.isLeft(decided) ? decided.left : [],
    ...(E.isLeft(decided)
      ? {}
      : {
          client: {
            metadata: decided.right.client.metadata,
            adjustments: decided.right.adjustments,
            dropped: decided.right.dropped,
            warnings: warningsOf(settings)(decided.right.client.metadata),
          },
        }),
    ...(refusal === undefined ? {} : { refusal }),
    ...(body === undefined ? {} : { registration: await explainedRegistration(config, O.none, E.right(body)) }),
  }
}

// The decisions as text.

type Lines = ReadonlyArray<string>

const section = (title: string, lines: Lines): Lines => [title, ...lines.map((line) => `  ${line}`)]
const ifAny = (title: string, lines: Lines): Lines => (lines.length > 0 ? section(title, lines) : [])
const orNothing = (lines: Lines): Lines => (lines.length > 0 ? lines : ['nothing'])

/** The parts of a set of privileges: lists with their values, the others by name. */
export const privilegeTexts = (privileges: Privileges): Lines =>
  Object.entries<Privileges[keyof Privileges]>(privileges).flatMap(([name, part]) => {
    if (typeof part === 'boolean') return part ? [name] : []
    if (part === 'any') return [`${name}: any`]
    return part.length > 0 ? [printable(`${name}: ${part.join(' ')}`)] : []
  })

const holder = ({ by }: Explanation): string => {
  if (by === undefined) return 'Granted: a token is needed'
  return by === 'nobody' ? 'Granted without a token' : 'Granted by the token'
}

const remedies = ({ unobtainable, needed }: Explanation): Lines => [
  ...(needed.length > 0 ? [`given by the scope values: ${needed.join(' ')}`] : []),
  ...(isNothing(unobtainable)
    ? []
    : [
        `beyond the ceilings of the registration policy, or for the operator alone, so that no token gives it: ${privilegeTexts(unobtainable).join('; ')}`,
      ]),
]

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

const registeredText = ({ approval }: Explanation): string =>
  approval === undefined ? 'would be registered' : `would be registered, and wait: ${approval.description}`

const verdictOf = (explanation: Explanation): string => {
  const { refusal } = explanation
  return refusal === undefined
    ? registeredText(explanation)
    : `${refusalStatuses[refusal.error]} ${refusal.error}: ${refusal.error_description}`
}

type Said = { readonly pointer: string; readonly rule: string; readonly description: string }

const saidLines = (said: ReadonlyArray<Said>): Lines =>
  said.map(({ pointer, rule, description }) => printable(`${pointer} ${rule}: ${description}`))

const memberLines = (members: object): Lines =>
  Object.entries(members).map(([name, value]) => `${printable(name)}: ${printableJson(value)}`)

const droppedLines = (names: Lines): Lines => names.map((name) => `${printableJson(name)} ${droppedText(name)}`)

const entryLines = (entry: ExplainedEntry | undefined): Lines =>
  entry === undefined
    ? []
    : section(`By ${entry.pointer} of the policy`, orNothing(entry.effects.map((effect) => printable(effect))))

/** The decision as a tree, and by which settings. */
export const registrationText = (explanation: Explanation, judgedBy: string): string => {
  const { requested, granted, missing, faults, added, adjustments, dropped, unchecked, warnings, policy_entry } =
    explanation
  const uncheckedLines = unchecked.map((each) => uncheckedTexts[each])
  return [
    ...section('Requested', orNothing(privilegeTexts(requested))),
    ...section(holder(explanation), orNothing(privilegeTexts(granted))),
    ...section('Missing', [...orNothing(privilegeTexts(missing)), ...remedies(explanation)]),
    ...section('Faults', orNothing(saidLines(faults))),
    ...ifAny('Added by registration', memberLines(added)),
    ...ifAny('Adjusted', saidLines(adjustments)),
    ...ifAny('Dropped', droppedLines(dropped)),
    ...ifAny('Not checked', uncheckedLines),
    ...ifAny('Warnings', saidLines(warnings)),
    ...entryLines(policy_entry),
    ...section('Judged by', [printable(judgedBy)]),
    `Decision: ${verdictOf(explanation)}`,
  ].join('\n')
}

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

const seenLines = ({
  source,
  status,
  media_type,
  fresh_for,
  reason,
}: NonNullable<DocumentExplanation['seen']>): Lines => [
  ...(source === 'file' ? ['the file, as if its URL showed it with'] : []),
  status === undefined ? 'no answer' : printable(`status ${status}, ${media_type || 'no media type'}`),
  ...(fresh_for === undefined ? [] : [`fresh for ${fresh_for} seconds`]),
  ...(reason === undefined ? [] : [`no document: ${printable(reason)}`]),
]

// Where the policy alone refuses the document, its author wants to know the rest.
const otherwise = ({ policy, faults: [first] }: DocumentExplanation): string => {
  if (policy === undefined || policy.accepted) return ''
  const condition =
    policy.part === 'accept'
      ? 'with metadata_documents.accept any'
      : `if metadata_documents.${policy.part} did not deny it`
  return `; ${condition}, it would be ${first === undefined ? 'a client' : `refused as well: ${printable(first.description)}`}`
}

const doorLines = ({ refusal, registration, client }: DocumentExplanation): Lines => [
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
  warnings,
}: NonNullable<DocumentExplanation['client']>): Lines => [
  ...section('Client', memberLines(metadata)),
  ...ifAny('Adjusted', saidLines(adjustments)),
  ...ifAny('Dropped', droppedLines(dropped)),
  ...ifAny('Warnings', saidLines(warnings)),
]

export const documentText = (explanation: DocumentExplanation, judgedBy: string): string => {
  const { client_id, remarks, policy, policy_entry, seen, faults, client, refusal } = explanation
  return [
    ...section('URL', [printable(client_id), ...remarks.map((each) => remarkTexts[each])]),
    ...(policy === undefined ? [] : section('Policy', [policyText(policy)])),
    ...entryLines(policy_entry),
    ...(seen === undefined ? [] : section('Seen', seenLines(seen))),
    ...section('Faults', orNothing(saidLines(faults))),
    ...(client === undefined ? [] : clientLines(client)),
    ...section('Doors', doorLines(explanation)),
    ...section('Judged by', [printable(judgedBy)]),
    refusal === undefined
      ? 'Decision: would be a client'
      : `Decision: would be refused: ${printable(refusal)}${otherwise(explanation)}`,
  ].join('\n')
}
