// What belongs to a client, a session or a grant ends with it: in the same step, for good, and also where it is written at the
// same time.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { TokenHash } from '@clientele/domain/authorization'
import { secondsAfter, unknownClient, unknownSession } from '@clientele/domain/kernel'
import type { Subject } from '@clientele/domain/logout'
import { type StoragePorts, unknownGrant } from '@clientele/domain/ports'
import type { ArtefactKind } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import { contract, contracts, done, numbers, race, refused } from './contract.js'
import { registerAnew, beginSession, registerExamples, replaceClient, storeArtefact } from './steps.js'
import {
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleSession,
  exampleSubject,
  exampleTime,
  exampleToken,
  noRow,
  registrationOf,
  giveConsent,
  endOf,
} from '../examples.js'

/** What a row belongs to, and ends with: the registration of the client, a session, or a grant. */
type Owner = { readonly client: RegisteredClient; readonly session?: Subject; readonly grant?: TokenHash }

type Belonging = {
  readonly name: string
  readonly write: (ports: StoragePorts, text: string, owner: Owner) => TE.TaskEither<unknown, unknown>
  readonly find: (ports: StoragePorts, text: string, owner: Owner) => Promise<unknown>
}

const a = exampleClient('a')
const one = exampleSession('one')
const longer = { ...exampleSession('two "2"\\'), idle_lifetime: 601 }
export const grant = exampleArtefact('grant', 'the-grant')
const otherGrant = exampleArtefact('grant', 'other-grant')

/** Two clients, two sessions of which one is over first, and two grants. */
export const prepareOwners = async (ports: StoragePorts): Promise<void> => {
  await registerExamples(ports, 'a', 'b', 'c')
  for (const session of [one, longer]) await done(beginSession(ports, session, `cookie-${session.idle_lifetime}`))
  for (const each of [grant, otherGrant]) await storeArtefact(ports, each)
}

const authorization: Belonging = {
  name: 'an authorization',
  write: (ports, text, { client, session }) =>
    ports.authorizations.recordAuthorization(
      { ...exampleAuthorization(client, text), ...(session === undefined ? {} : { session }) },
      exampleTime,
    ),
  find: (ports, text) => done(ports.authorizations.findAuthorization('refresh_token', exampleHash(text))),
}

const artefactOf = (kind: ArtefactKind): Belonging => ({
  name: `an artefact (${kind})`,
  write: (ports, text, { client, ...owner }) =>
    ports.artefacts.storeArtefact(
      { ...exampleArtefact(kind, text), client: registrationOf(client), ...owner },
      exampleTime,
    ),
  find: (ports, text) => done(ports.artefacts.findArtefact(kind, exampleHash(text))),
})

const consent: Belonging = {
  name: 'a consent',
  write: (ports, text, { client }) => giveConsent(ports, exampleConsent(client, text)),
  find: (ports, text, { client }) =>
    done(ports.consents.findConsent(exampleSubject(text), exampleConsent(client).client)),
}

const ownedToken: Belonging = {
  name: 'an initial access token',
  write: (ports, text, { client }) =>
    ports.initialAccessTokens.addInitialAccessToken(
      { ...exampleToken(text), owner: registrationOf(client) },
      exampleTime,
      noRow,
    ),
  find: (ports, text) => done(ports.initialAccessTokens.findInitialAccessToken(exampleHash(text))),
}

type Ending = {
  readonly name: string
  /** What ends, and another one that does not. */
  readonly owners: readonly [Owner, Owner]
  readonly end: (ports: StoragePorts, next?: string) => Promise<unknown>
  /** A store may leave the end of what is written at the same time to the next one. */
  readonly mayWait?: true
  readonly refusal: { readonly error: string }
  readonly belongings: ReadonlyArray<Belonging>
}

const ofSession = [authorization, artefactOf('access_token')]
const ofGrant = [artefactOf('refresh_token'), artefactOf('authorization_code')]

const endings: ReadonlyArray<Ending> = [
  {
    name: 'its client is removed and registered again',
    owners: [{ client: a }, { client: exampleClient('b') }],
    end: (ports) => registerAnew(ports, 'a'),
    refusal: unknownClient,
    belongings: [authorization, artefactOf('access_token'), artefactOf('document'), consent, ownedToken],
  },
  {
    name: 'its session ends',
    owners: [
      { client: a, session: one.sid },
      { client: a, session: longer.sid },
    ],
    end: ({ sessionTermination }) => done(sessionTermination.endSession(endOf(one), noRow)),
    refusal: unknownSession,
    belongings: ofSession,
  },
  {
    name: 'its session is removed as over',
    owners: [
      { client: a, session: one.sid },
      { client: a, session: longer.sid },
    ],
    end: (ports, next = 'next') =>
      done(beginSession(ports, exampleSession(next), next, secondsAfter(exampleTime, 600))),
    mayWait: true,
    refusal: unknownSession,
    belongings: ofSession,
  },
  ...(['removeGrant', 'removeArtefact'] as const).map((verb) => ({
    name: `its grant is removed by ${verb}`,
    owners: [
      { client: a, grant: grant.hash },
      { client: a, grant: otherGrant.hash },
    ] as const,
    end: ({ artefacts: port }: StoragePorts) =>
      done(verb === 'removeGrant' ? port.removeGrant(grant.hash) : port.removeArtefact('grant', grant.hash)),
    refusal: unknownGrant,
    belongings: ofGrant,
  })),
]

const endsWithOwner = ({ name, owners: [owner, stays], end, mayWait, refusal, belongings }: Ending) =>
  contract(
    `ends when ${name}`,
    (it) => {
      for (const { name: what, write, find } of belongings) {
        it(`${what}, for good; what belongs to others stays, and is not replaced by what is refused`, async (ports) => {
          await done(write(ports, 'own', owner))
          await done(write(ports, 'of-others', stays))
          const before = await find(ports, 'of-others', stays)
          await replaceClient(ports, { ...a, version: 2 }, a)
          assert.not.equal(await find(ports.other, 'own', owner), O.none)
          await end(ports.other)
          for (const handle of [ports, ports.other]) assert.equal(await find(handle, 'own', owner), O.none)
          for (const text of ['own', 'of-others']) assert.equal(await refused(write(ports, text, owner)), refusal)
          assert.equal(await find(ports, 'own', owner), O.none)
          assert.equal(await find(ports, 'of-others', stays), before)
        })

        it(`${what}, also where 20 are written at the same time, by two handles`, async (ports) => {
          const written = race(ports, numbers(20), (handle, nth) => write(handle, `nth-${nth}`, owner))
          await Promise.all([written, end(ports.other)])
          if (mayWait) await end(ports.other, 'later')
          for (const outcome of await written) if (E.isLeft(outcome)) assert.equal(outcome.left, refusal)
          for (const nth of numbers(20)) assert.equal(await find(ports, `nth-${nth}`, owner), O.none)
        })
      }
    },
    prepareOwners,
  )

/** The promises of all tables whose rows belong to something. */
export const belongingsContract = contracts(...endings.map(endsWithOwner))
