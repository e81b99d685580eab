// The doors of this service, made of the decisions of the domain.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { type ReadStatement, clientIdUrl } from '@clientele/domain/client'
import { decideImport, judgeDraft } from '@clientele/domain/importing'
import type { JsonObject } from '@clientele/domain/kernel'
import { decidePatch, decideUpdate } from '@clientele/domain/operations'
import { decideDocument } from '@clientele/domain/provider'
import { type RegisteredClient, type RegistrationSettings, decideRegistration } from '@clientele/domain/registration'
import { answeredWith } from '../arbitraries/documents.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { exampleHash } from '../examples/examples.js'
import type { Door, Verdict } from './door.js'
import { dryRuns } from './dry-runs.js'
import { issued, operator, registered, settingsOfDoors, verdictIn } from './facts-of-doors.js'

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

const document = (settings: RegistrationSettings, read: ReadStatement): Door => {
  const decide = decideDocument(settings)
  const named = clientIdUrl('https://app.example/client.json')
  if (named.kind !== 'url') throw new Error('no client_id of a document')
  const { url } = named
  return {
    name: 'document',
    judge: (body) => {
      const seen = answeredWith({ client_id: url, ...body }, issued.at)
      return faultsIn(decide(url, { ...seen, statement: O.some(read) }))
    },
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
 * The doors of Clientele, `POST` first: the decisions of the domain about a registration, an update, a patch, the dry runs
 * of the first two, a document at a client_id, the claims of a software statement, and a record of an import. The service reads
 * `read` in every statement of a body: by default, that it trusts no issuer.
 */
export const ownDoors = (
  settings: RegistrationSettings = settingsOfDoors,
  read: ReadStatement = E.left('software-statement-unapproved'),
): readonly [first: Door, ...others: ReadonlyArray<Door>] => {
  const [post, statement] = registrations(settings, read)
  const updates = [update(settings, read), patch(settings, read), ...dryRuns(settings, read)]
  return [post, ...updates, document(settings, read), statement, imported(settings)]
}
