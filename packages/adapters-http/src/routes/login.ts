// The interaction of an end-user with the authorization server, and both ways to sign in: with a password, for development,
// and at another party.
import {
  type ExhaustedBudget,
  type TooManyRequests,
  type Unavailable,
  jsonInOrder,
  sourceOf,
} from '@clientele/domain/kernel'
import { shownApplication, singleValue } from '@clientele/domain/logout'
import { claimLoginAttempt, maxLoginAttempts } from '@clientele/domain/operations'
import type {
  EndUserLogin,
  Interaction,
  InteractionAnswer,
  InteractionRefusal,
  LoginElsewhere,
} from '@clientele/domain/ports'
import type { AuthenticatedEndUser, LoginRefused } from '@clientele/domain/provider'
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
import { type HttpRequest, type Query, fieldsOf, isFromElsewhere } from '../http/request.js'
import { type HttpResponse, seeOther } from '../http/response.js'
import { type Language, chooseLanguage } from '../pages/messages/languages.js'
import { type Respond, pageResponse, tooManyPage, unavailablePage } from '../pages/page-response.js'
import type { ShownPage } from '../pages/page.js'
import type { SignInPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import type { Handler } from './route.js'

/** A request of an interaction that was found. */
export type Visit = { readonly request: HttpRequest; readonly interaction: Interaction; readonly language: Language }

const browserOf = ({ headers: { cookie } }: HttpRequest) => ({ cookie })

/** The pages of interactions, and what leads from one to the next. */
export type InteractionPages = {
  readonly respond: Respond
  readonly addressOf: (interaction: string) => string
  /** The value of a form that only this page has. */
  readonly valueOf: (page: Readonly<Record<string, unknown>>) => string
  readonly gone: (request: HttpRequest, reason?: string) => HttpResponse
  readonly unavailable: (language: Language, failure: Unavailable, again?: string) => HttpResponse
  /** The same for an interaction, whose page is shown again later. */
  readonly failed: (visit: Visit, failure: Unavailable) => HttpResponse
  readonly tooManyLogins: (visit: Visit, exhausted: ExhaustedBudget) => HttpResponse
  /** Answers the interaction, and sends the browser on. */
  readonly finish: (visit: Visit, answer: InteractionAnswer, cookies?: ReadonlyArray<string>) => Promise<HttpResponse>
  /** Finds the interaction of the path; a form must come from its page's site. */
  readonly visiting: (answer: (visit: Visit) => Promise<HttpResponse>) => Handler
}

export const interactionPages = (
  { basePath, registration, signInOpenerPolicy }: HttpSettings,
  ports: SignInPorts,
): InteractionPages => {
  const respond = pageResponse(ports.renderPage, signInOpenerPolicy)
  const { origin } = new URL(registration.issuer)
  const addressOf = (interaction: string): string => `${basePath}/interaction/${encodeURIComponent(interaction)}`
  const valueOf: InteractionPages['valueOf'] = (page) => ports.hashToken(`form ${jsonInOrder(page)}`)
  const gone: InteractionPages['gone'] = ({ headers }, reason = 'interaction_gone') => ({
    ...respond({ kind: 'interaction_gone' }, chooseLanguage(undefined, headers['accept-language'])),
    reason,
  })
  const unavailable: InteractionPages['unavailable'] = (language, failure, again) =>
    unavailablePage(respond({ kind: 'sign_in_unavailable', again }, language), failure)
  const failed: InteractionPages['failed'] = ({ interaction, language }, failure) =>
    unavailable(language, failure, addressOf(interaction.id))
  const tooMany = (language: Language, again: string, refusal: Omit<TooManyRequests, 'error'>): HttpResponse =>
    tooManyPage(respond({ kind: 'too_many_requests', again }, language), refusal)
  const tooManyLogins: InteractionPages['tooManyLogins'] = ({ interaction, language }, exhausted) =>
    tooMany(language, addressOf(interaction.id), { ...exhausted, kind: 'credentials' })
  const refused = (request: HttpRequest, refusal: InteractionRefusal, id: string): HttpResponse => {
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    const again = addressOf(id)
    switch (refusal.error) {
      case 'unavailable':
        return unavailable(language, refusal, again)
      case 'too_many_requests':
        return tooMany(language, again, refusal)
      case 'interaction_gone':
        return gone(request)
    }
  }
  const finish: InteractionPages['finish'] = async ({ request, interaction }, answer, cookies = []) => {
    const answered = await ports.answerInteraction(interaction.id, browserOf(request), answer)()
    return E.isLeft(answered)
      ? refused(request, answered.left, interaction.id)
      : seeOther(answered.right.location, [...answered.right.setCookies, ...cookies])
  }
  const visiting: InteractionPages['visiting'] = (answer) => async (request) => {
    if (request.method === 'POST' && isFromElsewhere(request, origin)) return gone(request, 'cross_site')
    const found = await ports.findInteraction(request.id, browserOf(request))()
    if (E.isLeft(found)) return refused(request, found.left, request.id)
    const interaction = found.right
    const language = chooseLanguage(interaction.uiLocales, request.headers['accept-language'])
    return answer({ request, interaction, language })
  }
  return { respond, addressOf, valueOf, gone, unavailable, failed, tooManyLogins, finish, visiting }
}

type DevelopmentLogin = Extract<EndUserLogin, { kind: 'development' }>

type Requested = { readonly attempt: number; readonly username: string; readonly refused: boolean }

const maxUsername = 255

const loginValue = ({ valueOf }: InteractionPages, { interaction }: Visit): string =>
  valueOf({ page: 'login', interaction: interaction.id })

// RFC 9110 §15.5.2: a 401 has a challenge. No browser knows this scheme, so that it shows the page.
const unauthorized = (response: HttpResponse): HttpResponse => ({
  ...response,
  status: 401,
  headers: { ...response.headers, 'WWW-Authenticate': 'Form' },
})

/** The form, or its end after the last attempt. One text for all refusals: whether a name exists is not told. */
export const loginPage =
  (pages: InteractionPages, { listAccounts }: DevelopmentLogin) =>
  async (visit: Visit, { attempt, username, refused }: Requested): Promise<HttpResponse> => {
    const { interaction, language } = visit
    const form = { action: `${pages.addressOf(interaction.id)}/login`, value: loginValue(pages, visit) }
    if (attempt > maxLoginAttempts) return pages.respond({ kind: 'too_many_attempts', form }, language)
    const accounts = await listAccounts()
    const page = pages.respond(
      {
        kind: 'login',
        form,
        application: shownApplication(language)(interaction.client, interaction.redirectUri),
        attempt,
        username: username.slice(0, maxUsername),
        refused,
        accounts: E.isRight(accounts) ? accounts.right.map((account) => account.username) : [],
      },
      language,
    )
    return refused ? unauthorized(page) : page
  }

type Given = {
  readonly value: string | undefined
  readonly answer: string | undefined
  readonly attempt: number
  readonly username: string
  readonly password: string
}

const givenIn = ({ request }: Visit): Given => {
  const fields = fieldsOf(request.body)
  const attempt = singleValue(fields, 'attempt') ?? ''
  return {
    value: singleValue(fields, 'value'),
    answer: singleValue(fields, 'answer'),
    attempt: /^\d$/.test(attempt) ? Number(attempt) : 0,
    username: singleValue(fields, 'username') ?? '',
    password: singleValue(fields, 'password') ?? '',
  }
}

const checking = (ports: SignInPorts, pages: InteractionPages, login: DevelopmentLogin) => {
  const claim = claimLoginAttempt(ports)
  const page = loginPage(pages, login)
  return async (visit: Visit, { attempt, username, password }: Given): Promise<HttpResponse> => {
    // A password can be guessed, unlike a token: the budget is consumed before it is checked, whatever the result.
    const consumed = await ports.consumeBudget('credentials', sourceOf(visit.request.remoteAddress))()
    if (E.isLeft(consumed)) return pages.tooManyLogins(visit, consumed.left)
    const refused = async (reason: string): Promise<HttpResponse> => ({
      ...(await page(visit, { attempt: attempt + 1, username, refused: true })),
      reason,
    })
    const claimed = await claim({ interaction: visit.interaction.id, attempt })()
    if (E.isLeft(claimed)) return pages.failed(visit, claimed.left)
    if (!claimed.right) return refused('attempt_used')
    const checked = await login.check({ username, password })()
    if (E.isRight(checked)) return pages.finish(visit, { answer: 'signed_in', endUser: checked.right.endUser })
    return checked.left.error === 'unavailable' ? pages.failed(visit, checked.left) : refused(checked.left.reason)
  }
}

/** Takes the form of the development login. */
export const takingLogin = (ports: SignInPorts, pages: InteractionPages) => {
  const { login } = ports
  return async (visit: Visit): Promise<HttpResponse> => {
    const { interaction } = visit
    // The interaction went on in another tab, or end-users sign in elsewhere: its page asks what is asked now.
    if (login.kind !== 'development' || interaction.prompt !== 'login') return seeOther(pages.addressOf(interaction.id))
    const given = givenIn(visit)
    if (given.value !== loginValue(pages, visit))
      return {
        ...(await loginPage(pages, login)(visit, { attempt: 1, username: given.username, refused: false })),
        reason: 'stale_page',
      }
    return given.answer === 'cancel'
      ? pages.finish(visit, { answer: 'denied' })
      : checking(ports, pages, login)(visit, given)
  }
}

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

const callbackOf = ({ registration }: HttpSettings): string => `${registration.issuer}/login/callback`

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

/** Sends the browser to the login page of another party, and keeps the state of that login in the browser. */
export const loginElsewhere = (settings: HttpSettings, pages: InteractionPages, login: LoginElsewhere) => {
  const names: CookieNames = cookieNames(settings.registration.issuer)
  const redirectUri = callbackOf(settings)
  return async ({ request, interaction, language }: Visit): Promise<HttpResponse> => {
    const { id, loginHint, uiLocales, maxAge } = interaction
    const begun = await login.begin({
      interaction: id,
      redirectUri,
      loginHint,
      uiLocales,
      maxAge,
      otherAccount: request.query['account']?.join() === 'other',
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

const queryStringOf = (query: Query): string =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  ).toString()

/**
 * GET /login/callback: the browser returns from the login page of another party. It goes on below the page of the
 * interaction, because browsers send the cookies of an interaction there only.
 */
export const returning = (settings: HttpSettings, pages: InteractionPages): Handler => {
  const names = cookieNames(settings.registration.issuer)
  return (request) => {
    const begun = begunLogin(names, request)
    const language = chooseLanguage(undefined, request.headers['accept-language'])
    return begun === undefined
      ? loginFailed(pages, language, refusedLogin('no_state'), undefined)
      : seeOther(`${pages.addressOf(begun.interaction)}/callback?${queryStringOf(request.query)}`)
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
  login: LoginElsewhere,
  redirectUri: string,
  { request, interaction }: Visit,
  begun: BegunLogin | undefined,
): Promise<E.Either<LoginRefused | Unavailable, AuthenticatedEndUser>> => {
  const parameters = parametersOf(request)
  if (begun === undefined) return E.left(refusedLogin('no_state'))
  if (E.isLeft(parameters)) return parameters
  const completed = await login.complete({ state: begun.state, parameters: parameters.right, redirectUri })()
  if (E.isLeft(completed)) return completed
  // The cookie names the interaction in plain text, its sealed state decides.
  return completed.right.interaction === interaction.id
    ? E.right(completed.right.endUser)
    : E.left(refusedLogin('the login is that of another interaction'))
}

/** GET /interaction/{id}/callback: completes the login elsewhere for the interaction that began it. */
export const completingLogin = (settings: HttpSettings, pages: InteractionPages, login: LoginElsewhere) => {
  const names = cookieNames(settings.registration.issuer)
  const redirectUri = callbackOf(settings)
  return async (visit: Visit): Promise<HttpResponse> => {
    const { request, interaction, language } = visit
    const begun = begunLogin(names, request)
    const completed = await complete(login, redirectUri, visit, begun)
    const cleared = begun === undefined ? [] : [clearCookie(loginCookieName(names, begun.handle), names)]
    if (E.isRight(completed)) return pages.finish(visit, { answer: 'signed_in', endUser: completed.right }, cleared)
    const failed = loginFailed(pages, language, completed.left, pages.addressOf(interaction.id))
    return { ...failed, setCookies: cleared }
  }
}
