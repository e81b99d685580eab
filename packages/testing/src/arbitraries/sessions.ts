import * as fc from 'fast-check'
import type { TokenHash } from '@clientele/domain/authorization'
import { type JsonObject, isJsonObject, maxDepth } from '@clientele/domain/kernel'
import { type DeclinedConfirmation, type EndUserSession, type SessionClient, Subject } from '@clientele/domain/logout'
import { type Artefact, artefactKinds } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import { epochSecond, tokenHash } from './credentials.js'
import { customData } from './json-values.js'
import { exampleHash, exampleSessionClient } from '../examples.js'

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

const payload = (): fc.Arbitrary<JsonObject> => customData().filter(isJsonObject(maxDepth))

/** An artefact with any members beside those that say what it ends with, of which it has some of the given ones. */
export const artefact = (endsWith: {
  readonly client: Registration
  readonly grant: TokenHash
  readonly session: Artefact['session'] & string
}): fc.Arbitrary<Artefact> =>
  fc.record(
    {
      kind: fc.constantFrom(...artefactKinds),
      hash: tokenHash(),
      name: tokenHash(),
      client: fc.constant(endsWith.client),
      grant: fc.constant(endsWith.grant),
      session: fc.constant(endsWith.session),
      sub: subject(),
      predecessor: tokenHash(),
      expires_at: epochSecond(),
      payload: payload(),
    },
    { requiredKeys: ['kind', 'hash', 'expires_at', 'payload'], noNullPrototype: true },
  )
