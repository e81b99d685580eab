// A store with a client, a session and a grant, which artefacts end with.
import * as O from 'fp-ts/lib/Option.js'
import { noLimits, type Artefact, type StoredArtefact } from '@clientele/domain'
import { exampleArtefact, exampleClient, exampleHash, exampleSession, exampleTime } from '../examples/examples.js'
import { done, type StoreHandle } from './open-store.js'

/** The ports that the contracts of Artefacts need. */
export type ArtefactStore = 'registry' | 'artefacts' | 'endUserSessions' | 'sessionTermination'
export type Handle = Pick<StoreHandle, ArtefactStore>

export const client = exampleClient('a')
export const session = exampleSession('sid "1"\\')
export const grant = exampleArtefact('grant', 'grant')
export const code = exampleArtefact('authorization_code', 'code')
export const numbers = Array.from({ length: 20 }, (_, index) => index)

export const prepare = async ({ registry, endUserSessions, artefacts }: Handle): Promise<void> => {
  await done(registry.addClient(client, O.none, noLimits))
  await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  await done(artefacts.storeArtefact(grant, exampleTime))
}

export const store = ({ artefacts }: Handle, each: Artefact, at = exampleTime): Promise<void> =>
  done(artefacts.storeArtefact(each, at))

export const found = async ({ artefacts }: Handle, { kind, hash }: Artefact): Promise<StoredArtefact | undefined> =>
  O.toUndefined(await done(artefacts.findArtefact(kind, hash)))
