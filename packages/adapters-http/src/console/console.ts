// The console of the operator: pages over the routes of management, for a browser without scripts. docs/operate/operators.md#console.
import { type ManagementPrivileges, missingManagement, permitsManagement } from '@clientele/domain/authorization'
import * as E from 'fp-ts/lib/Either.js'
import { type HttpRequest, fieldsOf, isFromElsewhere } from '../http/request.js'
import { type HttpResponse, seeOther } from '../http/response.js'
import type { ConsolePorts, ServicePorts } from '../ports.js'
import { type Handler, type Route, escapePattern, route } from '../routes/route.js'
import type { HttpSettings } from '../settings.js'
import { refusalStatuses } from '../statuses.js'
import { type Asking, type Made, askRoutes } from './asking.js'
import { clientPages } from './clients.js'
import { managingPages } from './managing.js'
import { overviewPage } from './overview.js'
import {
  type Fields,
  type Page,
  type Shown,
  type Unsent,
  type Visit,
  addressOf,
  isGone,
  notices,
  parameterOf,
} from './page.js'
import { type Responding, createResponding } from './respond.js'
import { type Session, type Sessions, createSessions } from './session.js'

const fieldsIn = (request: HttpRequest): Fields => {
  const given = fieldsOf(request.body)
  const all = (name: string): ReadonlyArray<string> => (Object.hasOwn(given, name) ? given[name] : undefined) ?? []
  return { all, one: (name) => all(name)[0] ?? '' }
}

// Only addresses of this console, so that nobody is led elsewhere.
const nextOf = (text: string): string =>
  /^\/console(?:[/?][\w/?=&%.~:+!'()*-]*)?$/.test(text) && !/\/(?:[/.]|%2e)/i.test(text) ? text : '/console'

const unknownToken =
  'No operator has this token: it may be mistyped, revoked or expired. A registration access token and an initial access token do not sign in here.'

const usedLink =
  'This link does not count: it was used, or is older than ten minutes. The command clientele console prints another one.'

// Fetch Metadata §2.1: by plain http to another machine, a browser does not say of which site a form is. It sends the origin,
// which is that of the console where it has the host of the request: RFC 6454 §7, RFC 9110 §7.2.
const isFromAnotherSite = (request: HttpRequest): boolean => {
  const { 'sec-fetch-site': site, origin, host = '' } = request.headers
  if (site !== undefined || origin === undefined) return isFromElsewhere(request, '')
  return ![`http://${host}`, `https://${host}`].includes(origin)
}

const fromAnotherSite =
  'Another site sent this form, as the browser says: nobody was signed in. Sign in here. If this page comes again, let the proxy before the console pass the header Host on.'

/** No form of the console has more. */
const maxUnsent = 200

/** The fields of a form that did nothing. Another site could have sent it: a browser says of its own pages that it did not. */
const unsentOf = ({ method, headers, body }: HttpRequest): Unsent => {
  if (method !== 'POST' || headers['sec-fetch-site'] !== 'same-origin') return []
  const fields = Object.entries(fieldsOf(body)).filter(([name]) => name !== 'form')
  const unsent = fields.flatMap(([name, values]) => values.map((value) => ({ name, value })))
  return unsent.length > maxUnsent ? [] : unsent
}

/** Shows a form that did nothing, with a button that sends it to the same page: with the value of the session, if there is one. */
const sendAgain = (next: string, unsent: Unsent, problem?: string): Shown => ({
  template: 'send-again',
  title: 'Send it again?',
  data: { next, unsent, problem },
})

const signingIn =
  (basePath: string, sessions: Sessions, respond: Responding): Handler =>
  async (request) => {
    const fields = fieldsIn(request)
    const next = nextOf(fields.one('next'))
    // Another site could sign the operator in with a token of its own, and read what is typed afterwards.
    if (isFromAnotherSite(request)) return { ...respond.signIn(fromAnotherSite, next), reason: 'cross_site' }
    const link = fields.one('link')
    const byLink = link === '' ? undefined : await sessions.beginByLink(link, request)
    const begun = byLink ?? (await sessions.begin(fields.one('token').trim()))
    if (E.isLeft(begun)) return respond.unavailable(begun.left)
    // The failure counts as that of a bearer token does.
    if (begun.right === undefined) {
      const again = respond.signIn(byLink === undefined ? unknownToken : usedLink, next)
      return { ...again, refusal: { error: 'invalid_token' } }
    }
    return seeOther(`${basePath}${next}`, [begun.right])
  }

const signingOut =
  (basePath: string, sessions: Sessions): Handler =>
  async (request) => {
    const there = `${basePath}/console/sign-in`
    if (isFromAnotherSite(request)) return seeOther(there)
    await sessions.end(request)
    return seeOther(there, [sessions.forgotten])
  }

const forbidden = (privileges: ManagementPrivileges, { needs }: Page, address: string, unsent: Unsent): Shown => {
  const text = `This page needs ${missingManagement(privileges)(needs).join(' and ')}, which your token does not have.`
  const shown =
    unsent.length > 0
      ? sendAgain(address, unsent, text)
      : { template: 'message', title: 'Your token does not permit this', data: { text } }
  return { ...shown, status: refusalStatuses.insufficient_scope }
}

const actorOf = ({ operator: { kind, fingerprint } }: Session): Pick<HttpResponse, 'actor'> => ({
  actor: kind === 'store' ? { kind } : { kind, fingerprint },
})

const signedOut = 'You were signed out: your token ended, or eight hours have passed.'

const nothingDone = 'You are not signed in any more: your token ended, or eight hours have passed. Nothing was done.'

const problemOf = ({ method }: HttpRequest, why: 'nobody' | 'ended'): string | undefined => {
  if (method === 'POST') return nothingDone
  return why === 'ended' ? signedOut : undefined
}

/** Where the visitor was, without what was told there of a change. */
const addressIn = ({ path }: Page, { id, query }: HttpRequest): string =>
  addressOf(path.replace(':id', encodeURIComponent(id)), {
    ...Object.fromEntries(Object.entries(query).filter(([name]) => name !== 'done')),
  })

type Visiting = (page: Page, answer: (request: HttpRequest, session: Session) => Promise<HttpResponse>) => Handler

/** Finds out who visits, and whether the page is for them. */
const visitingBy =
  (sessions: Sessions, respond: Responding): Visiting =>
  (page, answer) =>
  async (request) => {
    const found = await sessions.find(request)
    const unsent = unsentOf(request)
    const address = addressIn(page, request)
    if (E.isRight(found)) {
      const session = found.right
      const { privileges } = session.operator
      return permitsManagement(privileges)(page.needs)
        ? { ...(await answer(request, session)), ...actorOf(session) }
        : respond.page(forbidden(privileges, page, address, unsent), page.section, session)
    }
    if (typeof found.left !== 'string') return respond.unavailable(found.left)
    return unsent.length > 0
      ? respond.page({ ...sendAgain(address, unsent, nothingDone), status: refusalStatuses.missing_token })
      : respond.signIn(problemOf(request, found.left), nextOf(address))
  }

/** Why the form of a visitor did nothing. */
const formRefusal = ({ body }: HttpRequest): Shown['refusal'] => ({
  status: refusalStatuses.invalid_request,
  description: E.isLeft(body)
    ? `${body.left.error_description}: nothing was done. A form has 65536 bytes at most, as the browser sends it. The commands clientele policy check and clientele clients edit take more.`
    : 'The page was too old, or of another session: nothing was done. Look again, and repeat it.',
  faults: [],
})

/** The handlers of a page: the one that shows it, and the one for its forms. */
const handlersOf = (asking: Asking, visiting: Visiting, respond: Responding) => {
  const visitOf = (
    { origin, remoteAddress, id, query }: HttpRequest,
    { credential, operator }: Session,
    made?: (change: Made) => void,
  ): Visit => ({
    ask: asking({ credential, origin, remoteAddress }, made),
    may: (privilege) => operator.privileges.includes(privilege),
    id,
    query,
  })
  const show = (page: Page): Handler =>
    visiting(page, async (request, session) => {
      const visit = visitOf(request, session)
      const done = parameterOf(visit, 'done')
      const notice = Object.entries(notices).find(([name]) => name === done)?.[1]
      const shown = await page.show(visit)
      return respond.page({ ...shown, data: { notice, ...shown.data } }, page.section, session)
    })
  const act = (page: Page, change: NonNullable<Page['act']>): Handler =>
    visiting(page, async (request, session) => {
      let made: Made = {}
      const visit = visitOf(request, session, (change) => (made = change))
      const fields = fieldsIn(request)
      // SameSite=Strict keeps the cookie from other sites; a form of another session is refused as well.
      if (isFromAnotherSite(request) || fields.one('form') !== session.form) {
        const unsent = unsentOf(request)
        const shown =
          unsent.length > 0
            ? sendAgain(addressIn(page, request), unsent)
            : { ...(await page.show(visit)), refusal: formRefusal(request) }
        const again = { ...shown, status: refusalStatuses.invalid_request }
        return { ...respond.page(again, page.section, session), reason: 'stale_page' }
      }
      const result = await change(visit, fields)
      return { ...(isGone(result) ? respond.go(result) : respond.page(result, page.section, session)), ...made }
    })
  return { show, act }
}

/** All routes of the console, over those of the operators. */
export const consoleRoutes = (
  settings: HttpSettings,
  service: ServicePorts,
  { renderConsole }: ConsolePorts,
  operatorRoutes: ReadonlyArray<Route>,
  isManagement: boolean,
): ReadonlyArray<Route> => {
  const { basePath } = settings
  const sessions = createSessions(settings, service, isManagement)
  const respond = createResponding(renderConsole, settings)
  const { show, act } = handlersOf(askRoutes(operatorRoutes, basePath), visitingBy(sessions, respond), respond)
  const home = `${escapePattern(basePath)}/console`
  const routesOf = (page: Page): ReadonlyArray<Route> => {
    const path = `${escapePattern(basePath)}${page.path}`
    // Whether there is such a client, the page says, and not the status of its answer.
    const ofPage = (each: Route): Route => ({ ...each, ofClient: false })
    const shown = ofPage(route('GET', path, show(page)))
    if (page.act === undefined) return [shown]
    return [shown, ofPage(route('POST', path, act(page, page.act), { takes: 'form' }))]
  }
  return [
    route('GET', `${home}/sign-in`, (request) =>
      respond.signIn(undefined, nextOf(parameterOf(request, 'next')), parameterOf(request, 'link')),
    ),
    route('POST', `${home}/sign-in`, signingIn(basePath, sessions, respond), { takes: 'form' }),
    route('POST', `${home}/sign-out`, signingOut(basePath, sessions), { takes: 'form' }),
    ...[overviewPage(service.now), ...clientPages, ...managingPages(service.now)].flatMap(routesOf),
  ]
}
