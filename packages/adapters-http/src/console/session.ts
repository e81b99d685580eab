// Who visits the console: an operator who signed in with a token, and a cookie that stands for it.
import { type PresentedCredential, TokenHash, presentedToken } from '@clientele/domain/authorization'
import type { Unavailable } from '@clientele/domain/kernel'
import {
  type AuditPorts,
  type IdentifyOperatorPorts,
  type WithOrigin,
  consoleLink,
  endConsoleSession,
  exchangeConsoleTicket,
  identifyOperator,
} from '@clientele/domain/operations'
import type { CredentialGenerator, Hashing } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { sealedCookieOf } from '../http/cookies.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpSettings } from '../settings.js'
import type { Visitor } from './respond.js'

/** Seconds until an operator signs in again: a working day. */
const lifetime = consoleLink.session

/** The visit of an operator. Its cookie has no token: only the keyed digest, which opens nothing but the console. */
export type Session = Visitor & { readonly credential: PresentedCredential }

export type Sessions = {
  /** Why nobody visits: there is no cookie, or its token does not count any more. */
  readonly find: (request: HttpRequest) => Promise<E.Either<Unavailable | 'nobody' | 'ended', Session>>
  /** The cookie for a token; undefined for a token that is no operator's. */
  readonly begin: (token: string) => Promise<E.Either<Unavailable, string | undefined>>
  /** The same for the ticket of a link, which counts once, and for a short time. */
  readonly beginByLink: (link: string, request: WithOrigin) => Promise<E.Either<Unavailable, string | undefined>>
  /** Ends the visit: what began with a link counts nowhere any more. */
  readonly end: (request: HttpRequest) => Promise<unknown>
  /** The cookie that ends a visit in its browser. */
  readonly forgotten: string
}

const cookiePattern = /^([A-Za-z0-9_-]{20,128})\.([0-9a-z]{1,10})\.([A-Za-z0-9_-]{20,128})$/
// RFC 6750 §2.1: b64token
const tokenPattern = /^[A-Za-z0-9\-._~+/]{1,4096}=*$/

type SessionPorts = IdentifyOperatorPorts & CredentialGenerator & Hashing & AuditPorts

export const createSessions = (
  { masterToken, basePath, registration: { issuer } }: HttpSettings,
  ports: SessionPorts,
  isManagement: boolean,
): Sessions => {
  const { hashToken, now } = ports
  const credentialOf = presentedToken(...[masterToken].flat())
  const identify = identifyOperator(ports)([])
  const exchange = exchangeConsoleTicket(ports)
  const end = endConsoleSession(ports)
  // The management port may be plain http on a private network; the public one is what the base URL says.
  const isSecure = !isManagement && issuer.startsWith('https:')
  // RFC 6265bis §4.1.3.1: plain http does not set a cookie with the prefix.
  const name = isSecure ? '__Secure-clientele-console' : 'clientele-console'
  const attributes = `Path=${basePath}/console; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  const sealOf = (hash: string, end: string): TokenHash => hashToken(`console session ${hash} ${end}`)
  const visiting = async (hash: TokenHash, form: string): Promise<E.Either<Unavailable, Session | undefined>> => {
    const caller = await identify(credentialOf(hash))()
    if (E.isLeft(caller)) return caller
    const { operator, credential } = caller.right
    return E.right(E.isLeft(operator) ? undefined : { credential, operator: operator.right, form })
  }
  /** The digest that a cookie of ours has, before it ends. */
  const hashIn = (cookie: string): TokenHash | undefined => {
    const [, hash = '', end = '', seal = ''] = cookiePattern.exec(cookie) ?? []
    const ends: number = parseInt(end, 36)
    // The digests of both are compared, so that the time says nothing of the seal.
    const isOurs = hashToken(`presented ${seal}`) === hashToken(`presented ${sealOf(hash, end)}`)
    return isOurs && TokenHash.is(hash) && ends > now() ? hash : undefined
  }
  const cookieFor = (hash: TokenHash): string => {
    const end = (now() + lifetime).toString(36)
    return `${name}=${hash}.${end}.${sealOf(hash, end)}; Max-Age=${lifetime}; ${attributes}`
  }
  const find: Sessions['find'] = async (request) => {
    const cookie = sealedCookieOf(request, name)
    if (cookie === undefined) return E.left('nobody')
    const hash = hashIn(cookie)
    if (hash === undefined) return E.left('ended')
    const session = await visiting(hash, hashToken(`console form ${cookie}`))
    if (E.isLeft(session)) return session
    return session.right === undefined ? E.left('ended') : E.right(session.right)
  }
  return {
    find,
    begin: async (token) => {
      if (!tokenPattern.test(token)) return E.right(undefined)
      const hash = hashToken(token)
      const session = await visiting(hash, '')
      if (E.isLeft(session)) return session
      return E.right(session.right === undefined ? undefined : cookieFor(hash))
    },
    beginByLink: async (link, request) => {
      if (!tokenPattern.test(link)) return E.right(undefined)
      const hash = await exchange(link, request)()
      return E.isLeft(hash) ? hash : E.right(O.isNone(hash.right) ? undefined : cookieFor(hash.right.value))
    },
    end: async (request) => {
      const session = await find(request)
      return E.isRight(session) ? end(session.right.operator, request)() : undefined
    },
    forgotten: `${name}=; Max-Age=0; ${attributes}`,
  }
}
