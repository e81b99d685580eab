import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { unknownClient, type Consents, type Registration, type Subject } from '@clientele/domain'
import { type State, forget, isRegistered } from './state.js'
import { step } from './step.js'

const keyOf = (sub: Subject, { registration_id }: Registration): string => `${registration_id} ${sub}`

const remove = ({ consents, artefacts }: State, sub: Subject, client: Registration): void => {
  consents.delete(keyOf(sub, client))
  forget(
    artefacts,
    ({ artefact }) => artefact.sub === sub && artefact.client?.registration_id === client.registration_id,
  )
}

export const inMemoryConsents = (state: State): Consents => ({
  recordConsent: (consent) =>
    step(() => {
      const { sub, client } = consent
      if (!isRegistered(state)(client)) return E.left(unknownClient)
      state.consents.set(keyOf(sub, client), consent)
      return E.right(undefined)
    }),
  findConsent: (sub, client) => step(() => E.right(O.fromNullable(state.consents.get(keyOf(sub, client))))),
  listConsents: (sub) =>
    step(() =>
      E.right(
        [...state.consents.values()]
          .filter((consent) => consent.sub === sub)
          .sort((one, other) => one.given_at - other.given_at),
      ),
    ),
  removeConsent: (sub, client) => step(() => E.right(remove(state, sub, client))),
})
