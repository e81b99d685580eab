import * as fc from 'fast-check'
import { type DeclinedConfirmation, type EndUserSession, type SessionClient, Subject } from '@clientele/domain/logout'
import { epochSecond } from './generated-credentials.js'
import { exampleHash, exampleSessionClient } from '../examples/examples.js'

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

/** A sub or a sid: any printable ASCII. */
export const subject = (): fc.Arbitrary<Subject> =>
  fc.string({ unit: fc.constantFrom(...printable), minLength: 1, maxLength: 255 }).filter(Subject.is)

const sessionClient = (id: string): fc.Arbitrary<SessionClient> =>
  fc
    .record({ sub: subject(), sid: subject() }, { noNullPrototype: true })
    .map((names) => ({ ...exampleSessionClient(id), ...names }))

const declinedConfirmation = (): fc.Arbitrary<DeclinedConfirmation> =>
  fc.record(
    { confirmation: fc.stringMatching(/^[A-Za-z0-9]{1,43}$/).map(exampleHash), expires_at: epochSecond() },
    { noNullPrototype: true },
  )

/** A session with some of the clients in any order; live, or over for a long time. */
export const endUserSession = (ids: ReadonlyArray<string>): fc.Arbitrary<EndUserSession> =>
  fc.record(
    {
      sid: subject(),
      sub: subject(),
      auth_time: epochSecond(),
      used_at: epochSecond(),
      idle_lifetime: fc.nat(1_000_000),
      expires_at: epochSecond(),
      clients: fc.shuffledSubarray([...ids]).chain((some) => fc.tuple(...some.map(sessionClient))),
      declined: fc.array(declinedConfirmation(), { maxLength: 3 }),
      version: fc.nat(1_000_000),
    },
    { noNullPrototype: true },
  )
