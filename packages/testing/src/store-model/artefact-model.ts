import * as fc from 'fast-check'
import { secondsAfter } from '@clientele/domain/kernel'
import type { StoragePorts } from '@clientele/domain/ports'
import { type Artefact, type ArtefactUse, type ConnectionState, connectionStates } from '@clientele/domain/provider'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { done } from '../contracts/contract.js'
import { beginSession, registerExamples, storeArtefact } from '../contracts/steps.js'
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
  revokeExample,
  giveConsent,
  endOf,
  useOf,
} from '../examples.js'
import { type Step, type StoreModel, sorted, steps } from './explain.js'

const names = ['a', 'b', 'c', 'd']
const kinds = ['grant', 'authorization_code', 'refresh_token', 'replay'] as const
const subs = ['zoe', 'ann']
const session = exampleSession('one')
const day = 86_400
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
      expires_at: fc.nat(2).map((more) => secondsAfter(exampleTime, 3 * day + more)),
    },
    { requiredKeys: ['kind', 'hash', 'expires_at'], noNullPrototype: true },
  )
  .map((made): Artefact => ({ ...exampleArtefact(made.kind, 'any'), ...made }))

const use = fc
  .record({ kind, hash: name.map(exampleHash), seconds: fc.nat(3), grace: fc.constantFrom(0, 2) })
  .map(({ seconds, grace, ...of }) => useOf(of, secondsAfter(exampleTime, seconds), grace))

/** The use of a token as it is read before, with its predecessor. */
const asRead = ({ artefacts }: StoragePorts, used: ArtefactUse) =>
  pipe(
    artefacts.findArtefact(used.kind, used.hash),
    TE.map(
      O.match(
        () => used,
        (found) => ({ ...used, predecessor: found.predecessor }),
      ),
    ),
  )

const storing: fc.Arbitrary<Step> = fc.oneof(
  steps('store, after so many days', [artefact, fc.nat(2)], ({ artefacts }, _, each, days) =>
    artefacts.storeArtefact(each, secondsAfter(exampleTime, days * day)),
  ),
  steps('store, for what is used', [artefact, use], (ports, _, each, used) =>
    pipe(
      asRead(ports, used),
      TE.flatMap((read) => ports.artefacts.storeArtefact(each, exampleTime, read)),
    ),
  ),
  steps('store, and use it', [artefact], ({ artefacts }, _, each) =>
    artefacts.storeArtefact(each, exampleTime, useOf(each)),
  ),
)

const using = steps('use, after so many seconds, with a grace', [use], (ports, _, used) =>
  pipe(asRead(ports, used), TE.flatMap(ports.artefacts.useArtefact)),
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
  steps('end or begin the session', [fc.boolean()], (ports, _, ends) =>
    ends ? ports.sessionTermination.endSession(endOf(session), noRow) : beginSession(ports, session),
  ),
)

const consenting = steps(
  'an end-user consents to the registration, in place of what is stored or of a consent of some time, or revokes it',
  [life, sub, fc.constantFrom('gives', 'extends', 'revokes'), fc.nat(2), fc.nat(2)],
  (ports, _, of, user, does, after, before) => {
    const given = exampleConsent(exampleClient('a', of), user)
    const at = (seconds: number) => ({ ...given, given_at: secondsAfter(exampleTime, seconds) })
    if (does === 'gives') return giveConsent(ports, at(after))
    return does === 'extends'
      ? ports.consents.recordConsent(at(after), O.some(at(before)))
      : revokeExample(ports, given, noRow, secondsAfter(exampleTime, after))
  },
)

// Positions are those of the store: a step that is refused, or that replaces a row, may leave one out.
const listed = ({ searchConnections }: StoragePorts['connections'], state: ConnectionState) =>
  pipe(
    searchConnections({ state }, exampleTime, { after: 0, limit: 100 }),
    TE.map(({ connections }) => sorted(connections.map((each) => ({ ...each, position: 0 })))),
  )

/** Artefacts of the authorization server and connections, with what they end with. */
export const artefactModel: StoreModel = {
  name: 'artefacts and connections',
  prepare: async (ports) => {
    await registerExamples(ports, 'a')
    await done(beginSession(ports, session))
    const expires_at = secondsAfter(exampleTime, 3 * day)
    for (const text of names) await storeArtefact(ports, { ...exampleArtefact('grant', text), expires_at })
  },
  step: fc.oneof(
    { weight: 5, arbitrary: storing },
    { weight: 4, arbitrary: using },
    { weight: 1, arbitrary: removing },
    { weight: 1, arbitrary: ending },
    { weight: 1, arbitrary: consenting },
  ),
  look: async ({ artefacts, connections }) => ({
    found: await Promise.all(
      kinds.flatMap((of) => names.map((text) => done(artefacts.findArtefact(of, exampleHash(text))))),
    ),
    named: await Promise.all(
      kinds.flatMap((of) => names.map((text) => done(artefacts.findArtefactByName(of, exampleHash(text))))),
    ),
    connections: await Promise.all(connectionStates.map((state) => done(listed(connections, state)))),
  }),
}
