import * as fc from 'fast-check'
import { secondsAfter } from '@clientele/domain/kernel'
import type { Artefact } from '@clientele/domain/provider'
import { done, endOf } from '../contracts/contract.js'
import {
  addition,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleId,
  exampleSession,
  exampleSubject,
  exampleTime,
  noRow,
  registrationOf,
  removal,
} from '../examples.js'
import { type Step, type StoreModel, steps } from './explain.js'

const names = ['a', 'b', 'c', 'd']
const kinds = ['grant', 'authorization_code', 'refresh_token'] as const
const subs = ['zoe', 'ann']
const session = exampleSession('one')
const name = fc.constantFrom(...names)
const kind = fc.constantFrom(...kinds)
const sub = fc.constantFrom(...subs)
const life = fc.constantFrom('first', 'second')

const artefact = fc
  .record(
    {
      kind,
      hash: name.map(exampleHash),
      name: name.map(exampleHash),
      client: life.map((of) => registrationOf(exampleClient('a', of))),
      grant: name.map(exampleHash),
      session: fc.constant(session.sid),
      sub: sub.map(exampleSubject),
      predecessor: name.map(exampleHash),
      expires_at: fc.nat(2).map((more) => secondsAfter(exampleTime, 3600 + more)),
    },
    { requiredKeys: ['kind', 'hash', 'expires_at'], noNullPrototype: true },
  )
  .map((made): Artefact => ({ ...exampleArtefact(made.kind, 'any'), ...made }))

const storing = steps('store', [artefact], ({ artefacts }, _, each) => artefacts.storeArtefact(each, exampleTime))

const using: fc.Arbitrary<Step> = fc.oneof(
  steps('consume', [kind, name], ({ artefacts }, _, of, text) =>
    artefacts.consumeArtefact(of, exampleHash(text), exampleTime),
  ),
  steps(
    'use a refresh token, after so many seconds, with a grace',
    [name, fc.nat(3), fc.constantFrom(0, 2)],
    ({ artefacts }, _, text, seconds, grace) =>
      artefacts.useRefreshToken(exampleHash(text), { at: secondsAfter(exampleTime, seconds), grace }),
  ),
)

const removing: fc.Arbitrary<Step> = fc.oneof(
  steps('remove', [kind, name], ({ artefacts }, _, of, text) => artefacts.removeArtefact(of, exampleHash(text))),
  steps('remove the grant', [name], ({ artefacts }, _, text) => artefacts.removeGrant(exampleHash(text))),
)

const ending: fc.Arbitrary<Step> = fc.oneof(
  steps('register a client of the life', [life], ({ registry }, _, of) =>
    registry.addClient(addition(exampleClient('a', of))),
  ),
  steps('remove the client', [fc.constant('a')], ({ registry }, _, id) =>
    registry.removeClient(removal(exampleId(id))),
  ),
  steps('end or begin the session', [fc.boolean()], ({ sessionTermination, endUserSessions }, _, ends) =>
    ends
      ? sessionTermination.endSession(endOf(session), noRow)
      : endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow),
  ),
)

const consenting = steps(
  'an end-user consents to the registration, or revokes it, after so many seconds',
  [life, sub, fc.boolean(), fc.nat(2)],
  ({ consents }, _, of, user, gives, after) => {
    const given = exampleConsent(exampleClient('a', of), user)
    return gives
      ? consents.recordConsent({ ...given, given_at: secondsAfter(exampleTime, after) })
      : consents.removeConsent(given.sub, given.client)
  },
)

/** Artefacts of the authorization server and consents, with what they end with. */
export const artefactModel: StoreModel = {
  name: 'artefacts and consents',
  prepare: async ({ registry, endUserSessions, artefacts }) => {
    await done(registry.addClient(addition(exampleClient('a'))))
    await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow))
    for (const text of names) await done(artefacts.storeArtefact(exampleArtefact('grant', text), exampleTime))
  },
  step: fc.oneof(
    { weight: 5, arbitrary: storing },
    { weight: 4, arbitrary: using },
    { weight: 1, arbitrary: removing },
    { weight: 1, arbitrary: ending },
    { weight: 1, arbitrary: consenting },
  ),
  look: async ({ artefacts, consents }) => ({
    found: await Promise.all(
      kinds.flatMap((of) => names.map((text) => done(artefacts.findArtefact(of, exampleHash(text))))),
    ),
    named: await Promise.all(
      kinds.flatMap((of) => names.map((text) => done(artefacts.findArtefactByName(of, exampleHash(text))))),
    ),
    consents: await Promise.all(subs.map((user) => done(consents.listConsents(exampleSubject(user))))),
  }),
}
