// The steps by which contracts fill a store and change it, each without a row of the audit log.
import type { InitialAccessToken } from '@clientele/domain/authorization'
import type { EndUserSession } from '@clientele/domain/logout'
import type { KeyRingChange, KeyRings, StoragePorts } from '@clientele/domain/ports'
import type { Artefact } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
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
  removal,
  replacement,
} from '../examples.js'

/** Registers the clients without limits, one after the other. */
export const register = async (
  { registry }: StoragePorts,
  ...clients: ReadonlyArray<RegisteredClient>
): Promise<void> => {
  for (const client of clients) await done(registry.addClient(addition(client)))
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
