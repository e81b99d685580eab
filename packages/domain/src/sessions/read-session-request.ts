// What a login system tells of a sign-in: each body with all that is wrong with it.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { bodyObject } from '../registration/registration-request.js'
import { ClientId } from '../client/client-id.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { Fault } from '../codec/fault.js'
import { fault } from '../codec/fault.js'
import type { RuleId } from '../codec/rule-texts.js'
import type { InvalidRequest } from '../errors.js'
import type { EndUserSession } from './end-user-session.js'
import { Subject } from './end-user-session.js'

/** Seconds: how long a session lasts, when its request does not say. */
export type SessionLifetimes = { readonly lifetime: number; readonly idleLifetime: number }

const longestLifetime = 31_536_000

type Body = Readonly<Record<string, unknown>>
type Expected = Readonly<Record<string, { readonly is: (value: unknown) => boolean; readonly rule: RuleId }>>

const isLifetime = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= longestLifetime

const optional =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value)

const own = (body: Body, name: string): unknown => (Object.hasOwn(body, name) ? body[name] : undefined)

const faultsOf = (expected: Expected, body: Body): ReadonlyArray<Fault> => [
  ...Object.entries(expected).flatMap(([name, { is, rule }]) => (is(own(body, name)) ? [] : [fault(rule)(name)])),
  // A mistyped lifetime would be the usual one.
  ...Object.keys(body)
    .filter((name) => !Object.hasOwn(expected, name))
    .slice(0, 10)
    .map((name) => fault('session-member')(name.slice(0, 80))),
]

const refuse = (errors: ReadonlyArray<Fault>): InvalidRequest => ({
  error: 'invalid_request',
  error_description: errors[0]?.description ?? '',
  errors,
})

const read =
  (expected: Expected) =>
  (body: unknown): E.Either<InvalidRequest, Body> =>
    pipe(
      bodyObject(body),
      E.flatMap((sent) => {
        const faults = faultsOf(expected, sent)
        return faults.length === 0 ? E.right(sent) : E.left(refuse(faults))
      }),
    )

const startExpects: Expected = {
  sub: { is: Subject.is, rule: 'subject' },
  lifetime: { is: optional(isLifetime), rule: 'session-lifetime' },
  idle_lifetime: { is: optional(isLifetime), rule: 'session-lifetime' },
}

/** POST /sessions: a session that begins now, for the end-user `sub`. */
export const readNewSession =
  ({ lifetime, idleLifetime }: SessionLifetimes, sid: Subject, at: EpochSeconds) =>
  (body: unknown): E.Either<InvalidRequest, EndUserSession> =>
    pipe(
      read(startExpects)(body),
      E.flatMap((sent) => {
        const sub = own(sent, 'sub')
        return Subject.is(sub) ? E.right({ sent, sub }) : E.left(refuse([fault('subject')('sub')]))
      }),
      E.map(({ sent, sub }) => ({
        sid,
        sub,
        auth_time: at,
        used_at: at,
        idle_lifetime: Number(own(sent, 'idle_lifetime') ?? idleLifetime),
        expires_at: secondsAfter(at, Number(own(sent, 'lifetime') ?? lifetime)),
        clients: [],
        declined: [],
        version: 1,
      })),
    )

const clientExpects: Expected = {
  client_id: { is: ClientId.is, rule: 'session-client' },
  sub: { is: optional(Subject.is), rule: 'subject' },
  sid: { is: optional(Subject.is), rule: 'subject' },
}

/** How a client's ID tokens name the end-user and the session, where they do not name them as the session does. */
export type SignedInClient = {
  readonly client_id: ClientId
  readonly sub: Subject | undefined
  readonly sid: Subject | undefined
}

export const unregisteredClient: InvalidRequest = refuse([fault('session-client')('client_id')])

/** POST /sessions/{sid}/clients */
export const readSignedInClient = (body: unknown): E.Either<InvalidRequest, SignedInClient> =>
  pipe(
    read(clientExpects)(body),
    E.flatMap((sent) => {
      const [client_id, sub, sid] = [own(sent, 'client_id'), own(sent, 'sub'), own(sent, 'sid')]
      return ClientId.is(client_id)
        ? E.right({ client_id, sub: Subject.is(sub) ? sub : undefined, sid: Subject.is(sid) ? sid : undefined })
        : E.left(unregisteredClient)
    }),
  )

const isCookie = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9]{1,128}$/.test(value)

/** POST /sessions/find: the value of a cookie. */
export const readCookie = (body: unknown): E.Either<InvalidRequest, string> =>
  pipe(
    read({ cookie: { is: isCookie, rule: 'session-cookie' } })(body),
    E.map((sent) => String(own(sent, 'cookie'))),
  )
