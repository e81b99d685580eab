// The requests of a login system about sessions: all faults of a body are reported.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { ClientId } from '../client/client-id.js'
import { type EpochSeconds, isLifetimeUpTo, secondsAfter } from '../codec/epoch-seconds.js'
import { fault } from '../codec/fault.js'
import { objectOf } from '../codec/object-codec.js'
import { optional, valueThat } from '../codec/rule-codec.js'
import type { RuleId } from '../codec/rule-texts.js'
import { type InvalidRequest, invalidBody } from '../errors.js'
import { decodeBody } from '../decode-body.js'
import { type EndUserSession, Subject } from './end-user-session.js'

/** The default lifetimes of a session, in seconds. */
export type SessionLifetimes = { readonly lifetime: number; readonly idleLifetime: number }

// An unknown name is refused, because a misspelled lifetime would leave the default in force.
const request = objectOf<RuleId>({ object: 'json-object', unknown: 'session-member' })

const subject = valueThat('subject', Subject.is)
const maxLifetime = 31_536_000
const lifetime = optional(valueThat('session-lifetime', isLifetimeUpTo(maxLifetime)))

const startRequest = request({ sub: subject, lifetime, idle_lifetime: lifetime })

/** POST /sessions: a new session of the end-user `sub`. */
export const readNewSession =
  (defaults: SessionLifetimes, sid: Subject, at: EpochSeconds) =>
  (body: unknown): E.Either<InvalidRequest, EndUserSession> =>
    pipe(
      decodeBody(startRequest, invalidBody)(body),
      E.map((sent) => ({
        sid,
        sub: sent.sub,
        auth_time: at,
        used_at: at,
        idle_lifetime: sent.idle_lifetime ?? defaults.idleLifetime,
        expires_at: secondsAfter(at, sent.lifetime ?? defaults.lifetime),
        clients: [],
        declined: [],
        version: 1,
      })),
    )

const clientRequest = request({
  client_id: valueThat('session-client', ClientId.is),
  sub: optional(subject),
  sid: optional(subject),
})

/** The client, with sub and sid where its ID tokens do not use those of the session. */
export type SignedInClient = typeof clientRequest._A

export const unregisteredClient: InvalidRequest = invalidBody([fault('session-client')('client_id')])

/** POST /sessions/{sid}/clients */
export const readSignedInClient = decodeBody(clientRequest, invalidBody)

const isCookie = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z0-9]{1,128}$/.test(value)

const findRequest = request({ cookie: valueThat('session-cookie', isCookie) })

/** POST /sessions/find: the value of a cookie. */
export const readCookie = (body: unknown): E.Either<InvalidRequest, string> =>
  pipe(
    decodeBody(findRequest, invalidBody)(body),
    E.map(({ cookie }) => cookie),
  )
