// The pages of an authorization request, behind the port of the domain: docs/decisions/0102.
import { isDocumented, matchRedirectUri } from '@clientele/domain/client'
import { unavailable } from '@clientele/domain/kernel'
import {
  type BrowserCookies,
  type InteractionRefusal,
  type Interactions,
  interactionGone,
} from '@clientele/domain/ports'
import { type KnownClient, registrationOfKnown } from '@clientele/domain/provider'
import type { Registration } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { errors } from 'oidc-provider'
import { TemporarilyUnavailable, orThrow, performed } from '../errors.js'
import { type Answering, RefusedApproval, answerPending } from './answer-interaction.js'
import { type Found, described } from './describe-interaction.js'

// The engine reads cookies from a request of Node; this one has nothing else.
const requestWith = ({ cookie }: BrowserCookies): readonly [IncomingMessage, ServerResponse] => {
  const request = new IncomingMessage(new Socket())
  request.url = '/'
  if (cookie !== undefined) request.headers.cookie = cookie
  return [request, new ServerResponse(request)]
}

// A request that came before the document of its client was approved goes on after another end-user has approved it.
const isOfRegistration = (one: Registration | undefined, known: KnownClient): boolean => {
  const registration = registrationOfKnown(known)
  if (one === undefined) return isDocumented(known.client)
  return one.client_id === registration?.client_id && one.registration_id === registration.registration_id
}

// RFC 6749 §3.1.2.3: the engine compares the URI when the request comes, and not again when it goes on.
const isStillRedirectUri = ({ client: { metadata } }: KnownClient, requested: unknown): boolean =>
  typeof requested !== 'string' || O.isSome(matchRedirectUri(metadata, requested))

// RFC 6749 §4.1.2.1: a client that is refused meanwhile has no pages any more.
const knownClient = async ({ ports }: Answering, clientId: string): Promise<KnownClient | undefined> => {
  const found = await performed(ports.resolveClient(clientId))
  if (E.isRight(found)) return O.toUndefined(found.right)
  if (found.left.error === 'unavailable') throw new TemporarilyUnavailable(found.left.detail)
  return undefined
}

// Of another browser, of a session that has ended, or of a registration that has ended: there is none.
const findPending = async (answering: Answering, id: string, browser: BrowserCookies): Promise<Found | undefined> => {
  const { provider, ports } = answering
  const [request, response] = requestWith(browser)
  const pending = await provider.interactionDetails(request, response)
  const clientId = pending.params['client_id']
  if (pending.uid !== id || typeof clientId !== 'string') return undefined
  const stored = await orThrow(ports.findArtefact('interaction', ports.hashToken(id)))
  const known = await knownClient(answering, clientId)
  if (O.isNone(stored) || known === undefined || !isOfRegistration(stored.value.client, known)) return undefined
  return isStillRedirectUri(known, pending.params['redirect_uri']) ? { pending, known } : undefined
}

const isGone = (cause: unknown): boolean =>
  cause instanceof errors.SessionNotFound || cause instanceof errors.InvalidClient

/** Refusals of the engine become those of the port. */
const attempt =
  <Value>(operation: () => Promise<Value | undefined>): TE.TaskEither<InteractionRefusal, Value> =>
  async () => {
    try {
      const value = await operation()
      return value === undefined ? E.left(interactionGone) : E.right(value)
    } catch (cause) {
      if (isGone(cause)) return E.left(interactionGone)
      if (cause instanceof RefusedApproval) return E.left(cause.refusal)
      return E.left(unavailable(cause instanceof TemporarilyUnavailable ? cause.error_detail : cause))
    }
  }

/** The interactions of the engine. */
export const createInteractions = (answering: Answering): Interactions => ({
  findInteraction: (id, browser) =>
    attempt(async () => {
      const found = await findPending(answering, id, browser)
      return found === undefined ? undefined : described(answering.ports, found)
    }),
  answerInteraction: (id, browser, answer) =>
    attempt(async () => {
      const found = await findPending(answering, id, browser)
      // An interaction is answered once.
      return found === undefined || found.pending.result !== undefined
        ? undefined
        : answerPending(answering, found, browser, answer)
    }),
})
