import * as fc from 'fast-check'
import { secondsAfter } from '@clientele/domain/kernel'
import type { StoragePorts } from '@clientele/domain/ports'
import type { Artefact } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import { done, endOf } from '../contracts/contract.js'
import {
  addition,
  exampleArtefact,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleSession,
  exampleSubject,
  exampleTime,
  noRow,
  registrationOf,
  removal,
} from '../examples.js'
import type { Step, StoreModel } from './explain.js'

const names = ['a', 'b', 'c', 'd']
const kinds = ['grant', 'authorization_code', 'refresh_token'] as const
const subs = ['zoe', 'ann']
const session = exampleSession('one')
const name = fc.constantFrom(...names)
const kind = fc.constantFrom(...kinds)
const sub = fc.constantFrom(...subs)
const client = fc.constantFrom('first', 'second').map((life) => exampleClient('a', life))

const artefact = fc
  .record(
    {
      kind,
      hash: name.map(exampleHash),
      name: name.map(exampleHash),
      client,
      grant: name.map(exampleHash),
      session: fc.constant(session.sid),
      sub: sub.map(exampleSubject),
      predecessor: name.map(exampleHash),
      expires_at: fc.nat(2).map((more) => secondsAfter(exampleTime, 3600 + more)),
    },
    { requiredKeys: ['kind', 'hash', 'expires_at'], noNullPrototype: true },
  )
  .map(({ client: of, ...made }): Artefact => ({
    ...exampleArtefact(made.kind, 'any'),
    ...made,
    ...(of === undefined ? {} : { client: registrationOf(of) }),
  }))

const textOf = (each: Artefact): string =>
  `${each.kind} ${each.hash} of ${each.client?.registration_id ?? 'no client'}, ${each.grant ?? 'no grant'}, ${each.session ?? 'no session'}, after ${each.predecessor ?? 'none'}`

const storing: fc.Arbitrary<Step> = artefact.map((each) => ({
  name: `store ${textOf(each)}`,
  run: ({ artefacts }) => artefacts.storeArtefact(each, exampleTime),
}))

const using: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(kind, name).map(([of, text]): Step => ({
    name: `consume ${of} ${text}`,
    run: ({ artefacts }) => artefacts.consumeArtefact(of, exampleHash(text), exampleTime),
  })),
  fc.tuple(name, fc.nat(3), fc.constantFrom(0, 2)).map(([text, seconds, grace]): Step => ({
    name: `use ${text} after ${seconds}, with a grace of ${grace}`,
    run: ({ artefacts }) =>
      artefacts.useRefreshToken(exampleHash(text), { at: secondsAfter(exampleTime, seconds), grace }),
  })),
)

const removing: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(kind, name).map(([of, text]): Step => ({
    name: `remove ${of} ${text}`,
    run: ({ artefacts }) => artefacts.removeArtefact(of, exampleHash(text)),
  })),
  name.map((text): Step => ({
    name: `remove the grant ${text}`,
    run: ({ artefacts }) => artefacts.removeGrant(exampleHash(text)),
  })),
)

const register = (each: RegisteredClient): Step => ({
  name: `register ${each.registration_id}`,
  run: ({ registry }) => registry.addClient(addition(each)),
})

const ending: fc.Arbitrary<Step> = fc.oneof(
  client.map(register),
  client.map(({ client_id }): Step => ({
    name: `remove the client ${client_id}`,
    run: ({ registry }) => registry.removeClient(removal(client_id)),
  })),
  fc.constant<Step>({
    name: 'end the session',
    run: ({ sessionTermination }) => sessionTermination.endSession(endOf(session), noRow),
  }),
  fc.constant<Step>({
    name: 'begin the session',
    run: ({ endUserSessions }) => endUserSessions.addSession(session, exampleHash('cookie'), exampleTime, noRow),
  }),
)

const consenting: fc.Arbitrary<Step> = fc
  .tuple(client, sub, fc.boolean(), fc.nat(2))
  .map(([of, user, gives, after]) => {
    const consent = { ...exampleConsent(of, user), given_at: secondsAfter(exampleTime, after) }
    return {
      name: `${user} ${gives ? 'consents to' : 'revokes'} ${of.registration_id}`,
      run: ({ consents }: StoragePorts) =>
        gives ? consents.recordConsent(consent) : consents.removeConsent(consent.sub, consent.client),
    }
  })

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
