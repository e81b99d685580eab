// The doors of this service, made of the decisions of the domain.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type JsonObject,
  type ReadStatement,
  type RegistrationSettings,
  clientIdUrl,
  decideDocument,
  decideImport,
  decideRegistration,
  decideUpdate,
  judgeDraft,
  operatorOfTheStore,
} from '@clientele/domain'
import { answeredWith } from '../arbitraries/documents.js'
import type { SentMetadata } from '../arbitraries/json-values.js'
import { exampleHash } from '../examples/examples.js'
import type { Door, Verdict } from './door.js'
import { dryRuns } from './dry-runs.js'
import { issued, operator, registered, settingsOfDoors, verdictIn } from './facts-of-doors.js'

const faultsIn = (decided: E.Either<Verdict, unknown>): Verdict => (E.isLeft(decided) ? decided.left : [])

// The statement of a body is not verified, except at the door of statements.
const factsOf = (body: unknown, statement: O.Option<ReadStatement> = O.none) => ({
  credential: operator,
  body: E.right(body),
  statement,
  issued,
})

const registrations = (settings: RegistrationSettings): readonly [post: Door, statement: Door] => {
  const decide = decideRegistration(settings)
  const decided = (facts: ReturnType<typeof factsOf>): Verdict => verdictIn(decide({ ...facts, token: O.none }))
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

const update = (settings: RegistrationSettings): Door => {
  const decide = decideUpdate(settings)
  const found = O.some(registered(settings))
  return { name: 'PUT', judge: (body) => verdictIn(decide({ ...factsOf(body), found })) }
}

const document = (settings: RegistrationSettings): Door => {
  const decide = decideDocument(settings)
  const read = clientIdUrl('https://app.example/client.json')
  if (read.kind !== 'url') throw new Error('no client_id of a document')
  const { url } = read
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
