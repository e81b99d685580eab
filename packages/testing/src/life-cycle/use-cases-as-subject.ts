import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type PresentedCredential, type TokenHash, operatorOfTheStore } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import { issueInitialAccessToken, listClients, unaudited } from '@clientele/domain/operations'
import { noPolicy } from '@clientele/domain/policy'
import {
  type CredentialGenerator,
  type StoragePorts,
  type Turns,
  sectorIdentifierUnavailable,
  unlimited,
} from '@clientele/domain/ports'
import {
  type GeneratedCredentials,
  type RegistrationSettings,
  type Representation,
  defaultRegistration,
} from '@clientele/domain/registration'
import { deleteByCredential, readByCredential, registerByCredential, updateByCredential } from '../by-credential.js'
import { done } from '../contracts/contract.js'
import {
  exampleHash,
  exampleId,
  exampleOrigin,
  exampleRegistrationId,
  exampleTime,
  exampleTombstones,
} from '../examples.js'
import type { LifeCycleSubject, NotDone, ReportedClient } from './commands.js'
import { only, shouldNotBeCalled } from '../ports-in-tests.js'

type ClockInHand = Pick<CredentialGenerator, 'now' | 'issue' | 'initialAccessToken'> & {
  readonly pass: (seconds: number) => void
}

const credentialsFor = (name: string): { readonly token: string; readonly hash: TokenHash } => ({
  token: name,
  hash: exampleHash(name),
})

// A manual clock, and unique generated values.
const clockInHand = (): ClockInHand => {
  let elapsed = 0
  let drawn = 0
  const next = (what: string): string => `${what}-${(drawn += 1)}`
  const now = () => secondsAfter(exampleTime, elapsed)
  const issue = (): GeneratedCredentials => ({
    at: now(),
    client_id: exampleId(next('client')),
    registration_id: exampleRegistrationId(next('registration')),
    client_secret: next('secret').padEnd(43, '_'),
    client_secret_padding: '',
    registration_access_token: credentialsFor(next('registration-access-token')),
  })
  return {
    now,
    issue,
    initialAccessToken: () => credentialsFor(next('initial-access-token')),
    pass: (seconds) => (elapsed += seconds),
  }
}

const settingsWith = (clientSecretLifetime: number, registrationAccessTokenGrace: number): RegistrationSettings => ({
  ...defaultRegistration,
  mode: { kind: 'managed' },
  policy: noPolicy,
  credentials: { ...defaultRegistration.credentials, clientSecretLifetime, registrationAccessTokenGrace },
  outboundFetches: false,
  issuer: 'https://op.example',
  registrationEndpoint: 'https://op.example/clients',
})

const operator = operatorOfTheStore()
const presenting = (token: string): PresentedCredential => ({ kind: 'token', hash: exampleHash(token) })

const notDone = ({ error }: { readonly error: string }): NotDone => {
  if (error === 'invalid_token') return 'unauthorized'
  if (error === 'insufficient_scope') return 'forbidden'
  throw new Error(`refused: ${error}`)
}

const answered = async <Value>(
  task: TE.TaskEither<{ readonly error: string }, Value>,
): Promise<E.Either<NotDone, Value>> => E.mapLeft(notDone)(await task())

const reported = (outcome: E.Either<NotDone, Representation<object>>): ReportedClient | NotDone =>
  E.isLeft(outcome) ? outcome.left : { ...outcome.right.body }

type PortsOfUseCases = Parameters<typeof issueInitialAccessToken>[1] &
  Parameters<typeof registerByCredential>[1] &
  Parameters<typeof updateByCredential>[1] &
  Parameters<typeof deleteByCredential>[1] &
  Parameters<typeof listClients>[1]

/** The use cases on a store, which must be empty, with a clock of their own; secrets expire after so many seconds. */
export const useCasesAsSubject = (
  {
    registry,
    initialAccessTokens,
    turns,
  }: Pick<StoragePorts, 'registry' | 'initialAccessTokens'> & { readonly turns: Turns },
  secretLifetime: number,
  grace = 0,
): LifeCycleSubject => {
  const settings = settingsWith(secretLifetime, grace)
  const { pass, ...generator } = clockInHand()
  const ports = only<PortsOfUseCases>({
    ...unaudited,
    ...unlimited,
    ...registry,
    ...initialAccessTokens,
    ...generator,
    ...turns,
    ...exampleTombstones,
    findOperatorToken: () => TE.right(O.none),
    // Its registrations have a token each: none repeats another.
    findUnused: () => TE.right(O.none),
    hashToken: exampleHash,
    readSoftwareStatement: shouldNotBeCalled,
    fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('off')),
  })
  const issue = issueInitialAccessToken(settings, ports)
  const register = registerByCredential(settings, ports)
  const read = readByCredential(settings, ports)
  const update = updateByCredential(settings, ports)
  const remove = deleteByCredential(settings, ports)
  const list = listClients(settings, ports)
  return {
    issueToken: async (scope, lifetime) =>
      (await done(issue({ origin: exampleOrigin, operator, body: E.right({ scope, lifetime }) }))).access_token,
    register: async (token, body) =>
      reported(await answered(register({ origin: exampleOrigin, credential: presenting(token), body: E.right(body) }))),
    read: async (clientId, token) =>
      reported(await answered(read({ origin: exampleOrigin, credential: presenting(token), clientId }))),
    update: async (clientId, token, body) =>
      reported(
        await answered(update({ origin: exampleOrigin, credential: presenting(token), clientId, body: E.right(body) })),
      ),
    remove: async (clientId, token) => {
      const outcome = await answered(remove({ origin: exampleOrigin, credential: presenting(token), clientId }))
      return E.isLeft(outcome) ? outcome.left : 'removed'
    },
    list: async () => {
      const { clients, informationOf } = await done(list(operator, { origin: exampleOrigin }))
      const all: Array<ReportedClient> = []
      for await (const each of clients) {
        if (E.isLeft(each)) throw new Error(each.left.error)
        all.push({ ...informationOf(each.right) })
      }
      return all
    },
    pass: async (seconds) => pass(seconds),
  }
}
