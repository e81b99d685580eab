// The doors of this service, made of the decisions of the domain: for an operator, who has every privilege.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import {
  type ClientIdUrl,
  type GeneratedCredentials,
  type JsonObject,
  type ReadStatement,
  type RegisteredClient,
  type RegistrationSettings,
  clientIdUrl,
  decideDocument,
  decideImport,
  decideRegistration,
  decideUpdate,
  defaultRegistration,
  judgeDraft,
  noPolicy,
  operatorOfTheStore,
  previewRegistration,
  previewUpdate,
} from '@clientele/domain'
import { answeredWith } from '../arbitraries/documents.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { registeredByMaster } from '../arbitraries/registered-client.js'
import { exampleHash, exampleId, exampleRegistrationId, exampleTime } from '../examples/examples.js'
import type { RefusedBody } from '../laws/metadata-rules.js'
import { secretLength } from '../rule-book.js'
import { shouldNotBeCalled } from '../should-not-be-called.js'
import { type Door, type Verdict, verdictOf } from './door.js'

/** Open registration without restrictions, where any document is accepted. */
export const settingsOfDoors: RegistrationSettings = {
  ...defaultRegistration,
  mode: { kind: 'open', scope: ['openid', 'email', 'profile'] },
  policy: { ...noPolicy, metadata_documents: { accept: 'any' } },
  registrationEndpoint: 'https://op.example/clients',
  issuer: 'https://op.example',
  outboundFetches: true,
}

const issued: GeneratedCredentials = {
  at: exampleTime,
  client_id: exampleId('issued'),
  registration_id: exampleRegistrationId('issued'),
  client_secret: 'issued-secret'.padEnd(secretLength, '_'),
  client_secret_padding: '',
  registration_access_token: { token: 'issued-token', hash: exampleHash('issued-token') },
}

const operator = { kind: 'master' } as const

type PreviewPorts = Parameters<typeof previewRegistration>[1] & Parameters<typeof previewUpdate>[1]

const verdict = (decided: E.Either<RefusedBody, unknown>): Verdict => (E.isLeft(decided) ? verdictOf(decided.left) : [])

const faultsIn = (decided: E.Either<Verdict, unknown>): Verdict => (E.isLeft(decided) ? decided.left : [])

const url = 'https://app.example/client.json'
const exampleUrl = (): ClientIdUrl => {
  const read = clientIdUrl(url)
  if (read.kind !== 'url') throw new Error(`no client_id: ${url}`)
  return read.url
}

// The statement of a body is not verified, except at the door of statements.
const factsOf = (body: unknown, statement: O.Option<ReadStatement> = O.none) => ({
  credential: operator,
  body: E.right(body),
  statement,
  issued,
})

const registrations = (settings: RegistrationSettings): readonly [post: Door, statement: Door] => {
  const decide = decideRegistration(settings)
  const decided = (facts: ReturnType<typeof factsOf>): Verdict => verdict(decide({ ...facts, token: O.none }))
  // The decision is total, also for claims that are not JSON.
  const claims = (body: SentMetadata): ReadStatement => E.right(body as JsonObject)
  return [
    { name: 'POST', judge: (body) => decided(factsOf(body)) },
    {
      name: 'software statement',
      judge: (body) => decided(factsOf({ software_statement: 'e30.e30.AA' }, O.some(claims(body)))),
    },
  ]
}

const registered = (settings: RegistrationSettings): RegisteredClient =>
  registeredByMaster(
    { ...settings, policy: noPolicy },
    { ...issued, client_id: exampleId('registered') },
  )({ redirect_uris: ['https://rp.example/callback'] })

const update = (settings: RegistrationSettings): Door => {
  const decide = decideUpdate(settings)
  const found = O.some(registered(settings))
  return { name: 'PUT', judge: (body) => verdict(decide({ ...factsOf(body), found })) }
}

// The document at a sector_identifier_uri lists what the body registers.
const listing =
  (body: SentMetadata): PreviewPorts['fetchSectorIdentifier'] =>
  () =>
    TE.right([body['redirect_uris'], body['jwks_uri']].flat())

const dryRuns = (settings: RegistrationSettings): ReadonlyArray<Door> => {
  const client = registered(settings)
  const portsFor = (body: SentMetadata): PreviewPorts => ({
    issue: () => issued,
    now: () => issued.at,
    findClient: (id) => TE.right(id === client.client_id ? O.some(client) : O.none),
    findClientByToken: shouldNotBeCalled,
    findInitialAccessToken: shouldNotBeCalled,
    findOperatorToken: shouldNotBeCalled,
    readSoftwareStatement: () => async () => E.left('software-statement-unapproved'),
    fetchSectorIdentifier: listing(body),
  })
  const requestOf = (body: SentMetadata) => ({ credential: operator, body: E.right(body) })
  return [
    {
      name: 'dry run of POST',
      judge: async (body) => verdict(await previewRegistration(settings, portsFor(body))(requestOf(body))()),
    },
    {
      name: 'dry run of PUT',
      judge: async (body) => {
        const request = { ...requestOf(body), clientId: client.client_id }
        return verdict(await previewUpdate(settings, portsFor(body))(request)())
      },
    },
  ]
}

const document = (settings: RegistrationSettings): Door => {
  const decide = decideDocument(settings)
  const url = exampleUrl()
  return {
    name: 'document',
    judge: (body) => faultsIn(decide(url, answeredWith({ client_id: url, ...body }, issued.at))),
  }
}

const imported = (settings: RegistrationSettings): Door => {
  const judge = judgeDraft({ settings, hashToken: exampleHash })
  const decide = decideImport({ replace: false })
  return {
    name: 'import',
    judge: (metadata) => {
      const judged = judge(operatorOfTheStore(), { client_id: 'imported', metadata }, issued)
      return faultsIn(E.isLeft(judged) ? judged : decide(judged.right, undefined))
    },
  }
}

/**
 * The doors of Clientele, `POST` first: the decisions of the domain about a registration, an update, the dry runs of
 * both, a document at a client_id, the claims of a software statement, and a record of an import.
 */
export const ownDoors = (
  settings: RegistrationSettings = settingsOfDoors,
): readonly [first: Door, ...others: ReadonlyArray<Door>] => {
  const [post, statement] = registrations(settings)
  return [post, update(settings), ...dryRuns(settings), document(settings), statement, imported(settings)]
}
