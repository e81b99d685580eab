// What the doors of this service have in common: the settings, the operator, and the generated values.
import * as E from 'fp-ts/lib/Either.js'
import { noPolicy } from '@clientele/domain/policy'
import {
  type GeneratedCredentials,
  type RegisteredClient,
  type RegistrationSettings,
  defaultRegistration,
} from '@clientele/domain/registration'
import { registeredByMaster } from '../arbitraries/registered-client.js'
import { exampleHash, exampleId, exampleRegistrationId, exampleTime } from '../examples/examples.js'
import type { RefusedBody } from '../laws/metadata-rules.js'
import { secretLength } from '../rule-book.js'
import { type Verdict, verdictOf } from './door.js'

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
