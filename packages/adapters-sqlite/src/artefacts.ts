import { type Artefacts, type Consents, type Unavailable, unavailable } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

const refuse = (): TE.TaskEither<Unavailable, never> => TE.left(unavailable('this store has no artefacts yet'))

export const noArtefacts: Artefacts = {
  storeArtefact: refuse,
  findArtefact: refuse,
  findArtefactByName: refuse,
  consumeArtefact: refuse,
  useRefreshToken: refuse,
  removeArtefact: refuse,
  removeGrant: refuse,
}

export const noConsents: Consents = {
  recordConsent: refuse,
  findConsent: refuse,
  listConsents: refuse,
  removeConsent: refuse,
}
