import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { type ReadStatement, clientIdUrl, kindOfFault } from '@clientele/domain/client'
import { decideImport, judgeDraft } from '@clientele/domain/importing'
import { type JsonObject, isRuleId } from '@clientele/domain/kernel'
import { decidePatch, decideUpdate, unaudited } from '@clientele/domain/operations'
import { noPolicy } from '@clientele/domain/policy'
import { unlimited } from '@clientele/domain/ports'
import { decideDocument, explainDocument } from '@clientele/domain/provider'
import {
  type GeneratedCredentials,
  type RegisteredClient,
  type RegistrationSettings,
  decideRegistration,
  defaultRegistration,
} from '@clientele/domain/registration'
import { answeredWith } from '../arbitraries/documents.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { registeredByMaster } from '../arbitraries/registration.js'
import { previewRegistrationByCredential, previewUpdateByCredential } from '../by-credential.js'
import { type Door, type Verdict, verdictOf } from './doors-law.js'
import { exampleHash, exampleId, exampleOrigin, exampleRegistrationId, exampleTime } from '../examples.js'
import type { RefusedBody } from '../laws/metadata-values.js'
import { only } from '../ports-in-tests.js'
import { secretLength } from '../rule-book.js'

// What the doors of this service have in common: the settings, the operator, and the generated values.

/** Open registration without restrictions, where any document is accepted. */
export const settingsOfDoors: RegistrationSettings = {
  ...defaultRegistration,
  mode: { kind: 'open', scope: ['openid', 'email', 'profile'] },
  policy: { ...noPolicy, metadata_documents: { accept: 'any' } },
  registrationEndpoint: 'https://op.example/clients',
  issuer: 'https://op.example',
  outboundFetches: true,
}

export const issued: GeneratedCredentials = {
  at: exampleTime,
  client_id: exampleId('issued'),
  registration_id: exampleRegistrationId('issued'),
  client_secret: 'issued-secret'.padEnd(secretLength, '_'),
  client_secret_padding: '',
  registration_access_token: { token: 'issued-token', hash: exampleHash('issued-token') },
}

/** Every door is passed by the operator, who has all privileges. */
export const operator = { kind: 'master' } as const

/** The client that an update is about. */
export const registered = (settings: RegistrationSettings): RegisteredClient =>
  registeredByMaster(
    { ...settings, policy: noPolicy },
    { ...issued, client_id: exampleId('registered') },
  )({ redirect_uris: ['https://rp.example/callback'] })

export const verdictIn = (decided: E.Either<RefusedBody, unknown>): Verdict =>
  E.isLeft(decided) ? verdictOf(decided.left) : []

// The dry runs of a registration and of an update as doors.

type PreviewPorts = Parameters<typeof previewRegistrationByCredential>[1] &
  Parameters<typeof previewUpdateByCredential>[1]

// The document at a sector_identifier_uri lists what the body registers.
const listing =
  (body: SentMetadata): PreviewPorts['fetchSectorIdentifier'] =>
  () =>
    TE.right([body['redirect_uris'], body['jwks_uri']].flat().filter((uri) => uri !== undefined))

/** They are use cases, and need ports: those of a service with one client, which reads this in all statements. */
export const dryRuns = (settings: RegistrationSettings, read: ReadStatement): ReadonlyArray<Door> => {
  const client = registered(settings)
  const portsFor = (body: SentMetadata): PreviewPorts =>
    only({
      ...unaudited,
      ...unlimited,
      issue: () => issued,
      now: () => issued.at,
      findClient: (id) => TE.right(id === client.client_id ? O.some(client) : O.none),
      readSoftwareStatement: () => async () => read,
      fetchSectorIdentifier: listing(body),
    })
  const requestOf = (body: SentMetadata) => ({ credential: operator, body: E.right(body) })
  return [
    {
      name: 'dry run of POST',
      judge: async (body) =>
        verdictIn(
          await previewRegistrationByCredential(
            settings,
            portsFor(body),
          )({ ...requestOf(body), origin: exampleOrigin })(),
        ),
    },
    {
      name: 'dry run of PUT',
      judge: async (body) => {
        const request = { ...requestOf(body), clientId: client.client_id }
        return verdictIn(
          await previewUpdateByCredential(settings, portsFor(body))({ ...request, origin: exampleOrigin })(),
        )
      },
    },
  ]
}

// The doors of this service, made of the decisions of the domain.

const faultsIn = (decided: E.Either<Verdict, unknown>): Verdict => (E.isLeft(decided) ? decided.left : [])

const factsOf = (body: unknown, statement: ReadStatement) => ({
  credential: operator,
  body: E.right(body),
  statement: O.some(statement),
  issued,
})

const registrations = (settings: RegistrationSettings, read: ReadStatement): readonly [post: Door, statement: Door] => {
  const decide = decideRegistration(settings)
  const decided = (facts: ReturnType<typeof factsOf>): Verdict => verdictIn(decide({ ...facts, token: O.none }))
  // The decision is total, also for claims that are not JSON.
  const claims = (body: SentMetadata): ReadStatement => E.right(body as JsonObject)
  return [
    { name: 'POST', judge: (body) => decided(factsOf(body, read)) },
    {
      name: 'software statement',
      judge: (body) => decided(factsOf({ software_statement: 'e30.e30.AA' }, claims(body))),
    },
  ]
}

const update = (settings: RegistrationSettings, read: ReadStatement): Door => {
  const decide = decideUpdate(settings)
  const found = O.some(registered(settings))
  return { name: 'PUT', judge: (body) => verdictIn(decide({ ...factsOf(body, read), found })) }
}

/** The merge patch that replaces the whole metadata of the client by the body: RFC 7396 §2. */
export const replacing = ({ metadata }: RegisteredClient, body: SentMetadata): SentMetadata => ({
  ...Object.fromEntries(Object.keys(metadata).map((name) => [name, null])),
  ...body,
})

const patch = (settings: RegistrationSettings, read: ReadStatement): Door => {
  const decide = decidePatch(settings)
  const client = registered(settings)
  return {
    name: 'PATCH',
    judge: (body) => verdictIn(decide({ ...factsOf(replacing(client, body), read), found: O.some(client) })),
  }
}

const isSafety = ({ pointer, rule }: Pick<Verdict[number], 'pointer' | 'rule'>): boolean =>
  !isRuleId(rule) || kindOfFault({ pointer, rule }) === 'safety'

const documents = (settings: RegistrationSettings, read: ReadStatement): ReadonlyArray<Door> => {
  const named = clientIdUrl('https://app.example/client.json')
  if (named.kind !== 'url') throw new Error('no client_id of a document')
  const { url } = named
  const door = (name: string, decide: ReturnType<typeof decideDocument>): Door => {
    // Its verdict and its adjustments are parts of one decision.
    const known = new WeakMap<SentMetadata, ReturnType<typeof decide>>()
    const decided = (body: SentMetadata) => {
      const seen = { ...answeredWith({ client_id: url, ...body }, issued.at), statement: O.some(read) }
      const decision = known.get(body) ?? decide(url, seen)
      known.set(body, decision)
      return decision
    }
    return {
      name,
      judge: (body) => faultsIn(decided(body)),
      refusesFor: isSafety,
      adjust: (body) => {
        const answer = decided(body)
        return E.isLeft(answer) ? [] : answer.right.adjustments
      },
    }
  }
  return [
    door('document', decideDocument(settings)),
    door('explained document', (id, seen) => explainDocument(settings, id, seen).decided),
  ]
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
 * The doors of Clientele, `POST` first: the decisions of the domain about a registration, an update, a patch, the dry runs
 * of the first two, a document at a client_id and the same explained, the claims of a software statement, and a record of an import. The service reads
 * `read` in every statement of a body: by default, that it trusts no issuer.
 */
export const ownDoors = (
  settings: RegistrationSettings = settingsOfDoors,
  read: ReadStatement = E.left('software-statement-unapproved'),
): readonly [first: Door, ...others: ReadonlyArray<Door>] => {
  const [post, statement] = registrations(settings, read)
  const updates = [update(settings, read), patch(settings, read), ...dryRuns(settings, read)]
  return [post, ...updates, ...documents(settings, read), statement, imported(settings)]
}
