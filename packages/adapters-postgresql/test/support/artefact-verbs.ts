// Each verb of artefacts, consents and owned tokens that writes.
import * as O from 'fp-ts/lib/Option.js'
import type { Store } from '@clientele/domain/ports'
import type { Artefact } from '@clientele/domain/provider'
import {
  done,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleTime,
  useOf,
  exampleToken,
  addition,
  noRow,
  revokeExample,
  giveConsent,
} from '@clientele/testing'
import { count, none, one, type Verb, verb } from './verb.js'

const client = exampleClient('a')
const { client_id, registration_id } = client
const consent = exampleConsent(client)
const grant: Artefact = { ...exampleArtefact('grant', 'grant'), client, sub: consent.sub }
const code: Artefact = { ...exampleArtefact('authorization_code', 'code'), client, sub: consent.sub, grant: grant.hash }
const root = exampleArtefact('refresh_token', 'root')
const next: Artefact = { ...exampleArtefact('refresh_token', 'next'), predecessor: root.hash }

const addClient = (store: Store): Promise<void> => done(store.registry.addClient(addition(client)))
const storeAll = async ({ artefacts }: Store, all: ReadonlyArray<Artefact>): Promise<void> => {
  for (const each of all) await done(artefacts.storeArtefact(each, exampleTime))
}
const prepareGrant = async (store: Store): Promise<void> => {
  await addClient(store)
  await storeAll(store, [grant])
}
const prepareCode = async (store: Store): Promise<void> => {
  await prepareGrant(store)
  await storeAll(store, [code])
}
const prepareConsent = async (store: Store): Promise<void> => {
  await prepareCode(store)
  await done(giveConsent(store, consent))
}

export const artefactVerbs: ReadonlyArray<Verb> = [
  verb(
    'storeArtefact',
    'commit',
    prepareGrant,
    ({ artefacts }) => artefacts.storeArtefact(code, exampleTime),
    count(`artefacts WHERE kind = 'authorization_code'`),
  ),
  verb(
    'useArtefact',
    'commit',
    prepareCode,
    ({ artefacts }) => artefacts.useArtefact(useOf(code)),
    count('artefacts WHERE consumed_at IS NOT NULL'),
  ),
  verb(
    'useArtefact of a refresh token',
    'commit',
    (store) => storeAll(store, [root, next]),
    ({ artefacts }) => artefacts.useArtefact(useOf(next)),
    count('artefacts WHERE consumed_at IS NOT NULL AND EXISTS (SELECT 1 FROM artefacts WHERE successor IS NOT NULL)'),
  ),
  verb(
    'useArtefact of a refresh token again',
    'commit',
    async (store) => {
      await storeAll(store, [root])
      await done(store.artefacts.useArtefact(useOf(root, exampleTime, 60)))
    },
    ({ artefacts }) => artefacts.useArtefact(useOf(root, exampleTime, 60)),
    count('artefacts WHERE consumed_at IS NOT NULL'),
  ),
  verb(
    'removeArtefact',
    'commit',
    prepareCode,
    ({ artefacts }) => artefacts.removeArtefact(code.kind, code.hash),
    count('artefacts'),
  ),
  verb(
    'removeGrant',
    'commit',
    prepareCode,
    ({ artefacts }) => artefacts.removeGrant(grant.hash),
    count('artefacts'),
    none,
  ),
  verb(
    'recordConsent',
    'commit',
    addClient,
    ({ consents }) => consents.recordConsent(consent, O.none),
    count('consents'),
  ),
  verb(
    'revokeConnection',
    'commit',
    prepareConsent,
    (store) => revokeExample(store, consent),
    count('artefacts, consents'),
    none,
    true,
  ),
  verb(
    'addInitialAccessToken of an owner',
    'commit',
    addClient,
    ({ initialAccessTokens }) =>
      initialAccessTokens.addInitialAccessToken(
        { ...exampleToken('owned'), hash: exampleHash('owned'), owner: { client_id, registration_id } },
        exampleTime,
        noRow,
      ),
    count('initial_access_tokens WHERE owner IS NOT NULL'),
    one,
  ),
]
