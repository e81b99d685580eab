// The steps by which contracts fill a store and change it, each without a row of the audit log.
import type { AuditRow } from '@clientele/domain/audit'
import type { InitialAccessToken } from '@clientele/domain/authorization'
import { secondsAfter } from '@clientele/domain/kernel'
import type { EndUserSession } from '@clientele/domain/logout'
import {
  type KeyRingChange,
  type KeyRings,
  type RegistryLimits,
  type StoragePorts,
  noLimits,
} from '@clientele/domain/ports'
import type { Artefact } from '@clientele/domain/provider'
import type { KeyedRegistration, RegisteredClient } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { done } from './contract.js'
import {
  addition,
  exampleClient,
  exampleHash,
  exampleId,
  exampleTime,
  noRow,
  registrationOf,
  removal,
  replacement,
} from '../examples.js'

/** Keeps the registration for 100 seconds under the key. */
const keyedAs = (key: string, client: RegisteredClient): KeyedRegistration => ({
  ...registrationOf(client),
  key: exampleHash(key),
  request: exampleHash(`request-${client.client_id}`),
  expires_at: secondsAfter(client.client_id_issued_at, 100),
})

/** What a client is registered with: texts in place of digests. */
export type RegisteredWith = {
  readonly token?: string
  readonly limits?: RegistryLimits
  readonly print?: string
  readonly key?: string
  readonly audit?: AuditRow
}

/** Adds the client; what is not given is absent. */
export const addClient = (
  { registry }: StoragePorts,
  client: RegisteredClient,
  { token, limits = noLimits, print, key, audit }: RegisteredWith = {},
): ReturnType<StoragePorts['registry']['addClient']> =>
  registry.addClient(
    addition(client, {
      consumedToken: token === undefined ? O.none : O.some(exampleHash(token)),
      limits,
      fingerprint: print === undefined ? undefined : exampleHash(print),
      keyed: key === undefined ? undefined : keyedAs(key, client),
      audit,
    }),
  )

/** Registers the clients without limits, one after the other. */
export const register = async (ports: StoragePorts, ...clients: ReadonlyArray<RegisteredClient>): Promise<void> => {
  for (const client of clients) await done(addClient(ports, client))
}

/** Registers the examples of these ids. */
export const registerExamples = (ports: StoragePorts, ...ids: ReadonlyArray<string>): Promise<void> =>
  register(ports, ...ids.map((id) => exampleClient(id)))

/** Stores the client in place of what was read. */
export const replaceClient = (
  { registry }: StoragePorts,
  next: RegisteredClient,
  replacing: RegisteredClient,
): Promise<void> => done(registry.replaceClient(replacement(next, replacing)))

/** Removes the client of the id. */
export const removeClient = ({ registry }: StoragePorts, id: string): Promise<void> =>
  done(registry.removeClient(removal(exampleId(id))))

/** Removes the example of the id, and registers another client by the same id. */
export const registerAnew = async (ports: StoragePorts, id: string): Promise<void> => {
  await removeClient(ports, id)
  await register(ports, exampleClient(id, 'second'))
}

/** Issues the initial access token. */
export const issueToken = ({ initialAccessTokens }: StoragePorts, token: InitialAccessToken): Promise<void> =>
  done(initialAccessTokens.addInitialAccessToken(token, exampleTime, noRow))

/** Stores the artefact. */
export const storeArtefact = ({ artefacts }: StoragePorts, artefact: Artefact, at = exampleTime): Promise<void> =>
  done(artefacts.storeArtefact(artefact, at))

/** Begins the session, with the cookie of this name. */
export const beginSession = (
  { endUserSessions }: StoragePorts,
  session: EndUserSession,
  cookie = 'cookie',
  at = exampleTime,
): ReturnType<StoragePorts['endUserSessions']['addSession']> =>
  endUserSessions.addSession(session, exampleHash(cookie), at, noRow)

/** Replaces key rings by a decision of this moment. */
export const replaceRings =
  ({ readStoreTime, replaceKeyRings }: KeyRings) =>
  (changes: ReadonlyArray<KeyRingChange>): ReturnType<KeyRings['replaceKeyRings']> =>
    pipe(
      readStoreTime,
      TE.flatMap((at) => replaceKeyRings(changes, at, noRow)),
    )
