// Sign-in at another party: the choice of one, the way there and back, and what the browser keeps meanwhile.
import type { Unavailable } from '@clientele/domain/kernel'
import { shownApplication, singleValue } from '@clientele/domain/logout'
import type { EndUserLogin, LoginParty } from '@clientele/domain/ports'
import { type AuthenticatedEndUser, type LoginRefused, loginCallback } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import {
  type CookieNames,
  clearCookie,
  cookieNames,
  cookiesNamed,
  isSealedValue,
  sealedCookieOf,
  setCookie,
} from '../http/cookies.js'
import type { HttpRequest, Query } from '../http/request.js'
import { type HttpResponse, seeOther } from '../http/response.js'
import { type Language, chooseLanguage } from '../pages/messages/languages.js'
import type { ShownPage } from '../pages/page.js'
import type { HttpSettings } from '../settings.js'
import { type InteractionPages, type Visit, loginValue } from './login.js'
import type { Handler } from './route.js'

type Parties = Extract<EndUserLogin, { kind: 'elsewhere' }>['parties']

/** One cookie for each login, so that those of two tabs do not replace each other. */
const loginCookieName = (names: CookieNames, handle: string): string => `${names.login}-${handle}`

/** The interaction of a login stands before its state, so that the page of a failure can lead back to it. */
const separator = '~'

const loginCookie = (interaction: string, state: string): string => `${interaction}${separator}${state}`

const readLoginCookie = (value: string): { readonly interaction: string; readonly state: string } => {
  const place = value.indexOf(separator)
  return { interaction: value.slice(0, Math.max(0, place)), state: value.slice(place + 1) }
}

/** A name of a cookie consists of it: RFC 6265 §4.1.1. */
const isHandle = (handle: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(handle)

type BegunLogin = { readonly handle: string; readonly interaction: string; readonly state: string }

/** The login of the parameter `state`, as the cookie of this browser has it. */
const begunLogin = (names: CookieNames, request: HttpRequest): BegunLogin | undefined => {
  const [handle = ''] = request.query['state'] ?? []
  const cookie = isHandle(handle) ? sealedCookieOf(request, loginCookieName(names, handle)) : undefined
  const begun = cookie === undefined ? undefined : readLoginCookie(cookie)
  return begun === undefined || begun.interaction === '' ? undefined : { handle, ...begun }
}

const refusedLogin = (reason: string): LoginRefused => ({ error: 'login_refused', reason })

const otherAccount = 'account=other'

const asksForOther = ({ query }: HttpRequest): boolean => query['account']?.join() === 'other'

const pageOf = ({ because }: LoginRefused, again: string | undefined): ShownPage => {
  if (because === 'misconfigured') return { kind: 'sign_in_misconfigured' }
  return because === 'not_permitted'
    ? { kind: 'not_permitted', again: again === undefined ? undefined : `${again}?${otherAccount}` }
    : { kind: 'login_failed', again }
}

// What only the operator can correct is a failure of the service.
const reportOf = ({ because, reason }: LoginRefused): Pick<HttpResponse, 'reason' | 'detail'> =>
  because === 'misconfigured' ? { detail: reason } : { reason }

/** The page of a login that failed; it leads back to its beginning, if that is known, unless that does not help. */
const loginFailed = (
  pages: InteractionPages,
  language: Language,
  failure: LoginRefused | Unavailable,
  again: string | undefined,
): HttpResponse =>
  failure.error === 'unavailable'
    ? pages.unavailable(language, failure, again)
    : { ...pages.respond(pageOf(failure, again), language), ...reportOf(failure) }

// The cookie must be as long-lived as the login only.
const seconds = 900

/** Characters of all cookies of logins; the header fields of a request have 16,384 bytes (RFC 6585 §5). */
const maxCookies = 6_000

/**
 * The cookies of the oldest logins beside a new one. Every page sends all of them, so that the service could answer none
 * when too many logins began, in tabs or by links of another site. RFC 6265 §5.4: browsers send the oldest first.
 */
const supersededLogins = (names: CookieNames, request: HttpRequest, length: number): ReadonlyArray<string> => {
  const begin = loginCookieName(names, '')
  const newestFirst = cookiesNamed(request, begin)
    .filter(({ name }) => isHandle(name.slice(begin.length)))
    .reverse()
  return newestFirst.reduce<{ readonly sum: number; readonly names: ReadonlyArray<string> }>(
    (found, each) => {
      const sum = found.sum + each.length
      return { sum, names: sum > maxCookies ? [...found.names, each.name] : found.names }
    },
    { sum: length, names: [] },
  ).names
}

/** Sends the browser to the login page of the party, and keeps the state of that login in the browser. */
const beginning = (settings: HttpSettings, pages: InteractionPages) => {
  const names: CookieNames = cookieNames(settings.registration.issuer)
  return async ({ request, interaction, language }: Visit, party: LoginParty): Promise<HttpResponse> => {
    const { id, loginHint, uiLocales, maxAge, selectAccount } = interaction
    const begun = await party.begin({
      interaction: id,
      redirectUri: loginCallback(settings.registration.issuer, party.id),
      loginHint,
      uiLocales,
      maxAge,
      otherAccount: asksForOther(request),
      selectAccount,
    })()
    if (E.isLeft(begun)) return loginFailed(pages, language, begun.left, pages.addressOf(id))
    const { location, handle, state } = begun.right
    const value = loginCookie(id, state)
    if (!isSealedValue(value) || !isHandle(handle))
      return pages.unavailable(language, { error: 'unavailable', detail: 'the state of the login fits in no cookie' })
    const name = loginCookieName(names, handle)
    const superseded = supersededLogins(names, request, name.length + 1 + value.length)
    return seeOther(location, [
      ...superseded.map((each) => clearCookie(each, names)),
      `${setCookie(name, value, names)}; Max-Age=${seconds}`,
    ])
  }
}

/** The parameter of the page of an interaction that names the chosen party. */
const choice = 'with'

// Links, so that the page works without a script, and each way is one press.
const choicePage = (pages: InteractionPages, parties: Parties, visit: Visit): HttpResponse => {
  const { interaction, language, request } = visit
  const address = pages.addressOf(interaction.id)
  const other = asksForOther(request) ? `&${otherAccount}` : ''
  return pages.respond(
    {
      kind: 'choose_login',
      form: { action: `${address}/login`, value: loginValue(pages, visit) },
      application: shownApplication(language)(interaction.client, interaction.redirectUri),
      parties: parties.map(({ id = '', name }) => ({ name, uri: `${address}?${choice}=${id}${other}` })),
    },
    language,
  )
}

/** GET /interaction/{id}: the way to the only party, or to the chosen one of several. */
export const signingInElsewhere = (settings: HttpSettings, pages: InteractionPages, parties: Parties) => {
  const begin = beginning(settings, pages)
  return (visit: Visit): Promise<HttpResponse> => {
    const wanted = singleValue(visit.request.query, choice)
    const chosen = parties.length === 1 ? parties[0] : parties.find(({ id }) => id === wanted)
    return chosen === undefined ? Promise.resolve(choicePage(pages, parties, visit)) : begin(visit, chosen)
  }
}

const queryStringOf = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ).toString()

/** The parameter by which the service tells itself at whose redirect URI the browser returned. */
const arrivedAt = 'provider'

// A party cannot pretend to be another one by the parameter: it is set after those that it sent.
const onwardQuery = (query: Query, { id }: LoginParty): Query =>
  id === undefined ? query : { ...query, [arrivedAt]: [id] }

/**
 * GET /login/callback and /login/callback/{id}: the browser returns from the login page of another party. It goes on below
 * the page of the interaction, because browsers send the cookies of an interaction there only.
 */
export const returning = (settings: HttpSettings, pages: InteractionPages, parties: Parties): Handler => {
  const names = cookieNames(settings.registration.issuer)
  return (request) => {
    const begun = begunLogin(names, request)
    const party = parties.find(({ id = '' }) => id === request.id)
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    return begun === undefined || party === undefined
      ? loginFailed(pages, language, refusedLogin('no_state'), undefined)
      : seeOther(`${pages.addressOf(begun.interaction)}/callback?${queryStringOf(onwardQuery(request.query, party))}`)
  }
}

// RFC 6749 §3.1: parameters occur once
const parametersOf = ({ query }: HttpRequest): E.Either<LoginRefused, Readonly<Record<string, string>>> => {
  const pairs = Object.entries(query).flatMap(([name, [value, ...more]]) =>
    value === undefined || more.length > 0 ? [] : [[name, value] as const],
  )
  return pairs.length === Object.keys(query).length
    ? E.right(Object.fromEntries(pairs))
    : E.left(refusedLogin('repeated_parameter'))
}

const complete = async (
  party: LoginParty | undefined,
  settings: HttpSettings,
  { request, interaction }: Visit,
  begun: BegunLogin | undefined,
): Promise<E.Either<LoginRefused | Unavailable, AuthenticatedEndUser>> => {
  const parameters = parametersOf(request)
  if (begun === undefined || party === undefined) return E.left(refusedLogin('no_state'))
  if (E.isLeft(parameters)) return parameters
  const redirectUri = loginCallback(settings.registration.issuer, party.id)
  const completed = await party.complete({ state: begun.state, parameters: parameters.right, redirectUri })()
  if (E.isLeft(completed)) return completed
  // The cookie names the interaction in plain text, its sealed state decides.
  return completed.right.interaction === interaction.id
    ? E.right(completed.right.endUser)
    : E.left(refusedLogin('the login is that of another interaction'))
}

/** GET /interaction/{id}/callback: completes the login elsewhere for the interaction that began it. */
export const completingLogin = (settings: HttpSettings, pages: InteractionPages, parties: Parties) => {
  const names = cookieNames(settings.registration.issuer)
  return async (visit: Visit): Promise<HttpResponse> => {
    const { request, interaction, language } = visit
    const begun = begunLogin(names, request)
    const arrived = singleValue(request.query, arrivedAt)
    const party = parties.find(({ id }) => id === undefined || id === arrived)
    const completed = await complete(party, settings, visit, begun)
    const cleared = begun === undefined ? [] : [clearCookie(loginCookieName(names, begun.handle), names)]
    if (E.isRight(completed)) return pages.finish(visit, { answer: 'signed_in', endUser: completed.right }, cleared)
    const failed = loginFailed(pages, language, completed.left, pages.addressOf(interaction.id))
    return { ...failed, setCookies: cleared }
  }
}
