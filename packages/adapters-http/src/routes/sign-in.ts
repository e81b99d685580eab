// The pages of login and consent, where an authorization server sends end-users, and the connections of an end-user.
import { isDocumented } from '@clientele/domain/client'
import { type Unavailable, jsonInOrder } from '@clientele/domain/kernel'
import { type EndUserSession, type Subject, shownApplication, singleValue } from '@clientele/domain/logout'
import {
  type OwnConnection,
  type OwnConnections,
  type WithOrigin,
  listOwnConnections,
  revokeOwnConnection,
} from '@clientele/domain/operations'
import {
  type Connection,
  type Consent,
  type ConsentDecision,
  type ConsentFacts,
  type ConsentLinks,
  decideConsent,
  describeForConsent,
  initiatedLogin,
  linksForConsent,
  logoUri,
  shownEndUser,
  shownFacts,
  unseenFacts,
} from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { cookieNames, hashedCookie } from '../http/cookies.js'
import { type HttpRequest, fieldsOf, isFromElsewhere } from '../http/request.js'
import { type HttpResponse, seeOther } from '../http/response.js'
import { type Language, chooseLanguage } from '../pages/messages/languages.js'
import type { ShownPage } from '../pages/page.js'
import type { SignInPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { type InteractionPages, type Visit, interactionPages, loginPage, takingLogin } from './login.js'
import { completingLogin, returning, signingInElsewhere } from './login-elsewhere.js'
import { type Family, type Handler, baseOf, route } from './route.js'

type RequestedConsent = {
  readonly sub: Subject
  readonly facts: ConsentFacts
  readonly links: ConsentLinks
  readonly decision: ConsentDecision
  /** Of a form that shows exactly these facts to this end-user. */
  readonly value: string
}

/** What is asked by a page with the picture of this digest, or without one. */
type Requested = (logo?: string) => RequestedConsent

const requestedOf =
  (
    ports: SignInPorts,
    pages: InteractionPages,
    { interaction, language }: Visit,
    sub: Subject,
    earlier: O.Option<Consent>,
  ): Requested =>
  (logo) => {
    const consentPolicy = ports.consentPolicy()
    const facts = describeForConsent(consentPolicy)({ ...interaction, logo }, earlier)
    const links = linksForConsent(consentPolicy)(language, interaction)
    const { client, id } = interaction
    const { scope, resources, warnings, changes } = facts
    const digest = pages.valueOf({
      page: 'consent',
      interaction: id,
      sub,
      // Nothing is stored of a documented client before its first consent; what is shown of it is in the facts.
      registration: isDocumented(client) ? client.client_id : client.registration_id,
      shown: shownFacts(facts),
      requested: { scope, resources, warnings, changes, links },
    })
    return {
      sub,
      facts,
      links,
      decision: decideConsent(consentPolicy)(interaction, earlier, facts),
      value: logo === undefined ? digest : `${digest}${beforeLogo}${logo}`,
    }
  }

/** The form repeats the digest of its picture, so that its answer needs no picture; the one before it is keyed. */
const beforeLogo = '.'

const logoIn = (value: string): string | undefined => {
  const place = value.indexOf(beforeLogo)
  return place === -1 ? undefined : value.slice(place + 1)
}

type WithConsent = (requested: Requested) => HttpResponse | Promise<HttpResponse>

/** Answers with what the page asks at this moment; without an end-user, nothing can be asked. */
const readingConsent =
  (ports: SignInPorts, pages: InteractionPages) =>
  async (visit: Visit, answer: WithConsent): Promise<HttpResponse> => {
    const { client, sub } = visit.interaction
    if (sub === undefined) return pages.gone(visit.request, 'no_end_user')
    const earlier = await ports.findConsent(sub, client)()
    return E.isLeft(earlier)
      ? pages.failed(visit, earlier.left)
      : answer(requestedOf(ports, pages, visit, sub, earlier.right))
  }

/** The page, which alone fetches the picture of the application. */
const consentPage =
  (ports: SignInPorts, pages: InteractionPages) =>
  async ({ interaction, language }: Visit, requested: Requested): Promise<HttpResponse> => {
    const uri = logoUri(ports.consentPolicy(), ports.documentPolicy(), language, interaction)
    const logo = uri === undefined ? undefined : await ports.findLogo(uri)()
    const { sub, facts, links, value } = requested(logo === undefined ? undefined : ports.hashToken(`logo ${logo}`))
    return pages.respond(
      {
        kind: 'consent',
        form: { action: `${pages.addressOf(interaction.id)}/consent`, value },
        application: shownApplication(language)(interaction.client, interaction.redirectUri),
        user: shownEndUser(sub, interaction.claims),
        facts,
        links,
        logo,
      },
      language,
    )
  }

/** GET /interaction/{id}: asks what the authorization server waits for. OpenID Connect Core §3.1.2.3, §3.1.2.4. */
const asking = (settings: HttpSettings, ports: SignInPorts, pages: InteractionPages) => {
  const { login } = ports
  const read = readingConsent(ports, pages)
  const ask = consentPage(ports, pages)
  const begin =
    login.kind === 'elsewhere'
      ? signingInElsewhere(settings, pages, login.parties)
      : (visit: Visit) =>
          loginPage(pages, login)(visit, { attempt: 1, username: visit.interaction.loginHint ?? '', refused: false })
  return (visit: Visit): Promise<HttpResponse> =>
    visit.interaction.prompt === 'login'
      ? begin(visit)
      : read(visit, (requested) => {
          const { decision, facts } = requested()
          if (decision.kind === 'ask') return ask(visit, requested)
          const shown = shownFacts(facts)
          return pages.finish(visit, {
            answer: 'consented',
            shown: decision.because === 'remembered' ? shown : unseenFacts(shown),
          })
        })
}

/** POST /interaction/{id}/consent: the answer of the end-user to exactly the facts that the page showed. */
const takingConsent = (ports: SignInPorts, pages: InteractionPages) => {
  const read = readingConsent(ports, pages)
  const ask = consentPage(ports, pages)
  return async (visit: Visit): Promise<HttpResponse> => {
    const { interaction, request } = visit
    if (interaction.prompt !== 'consent') return seeOther(pages.addressOf(interaction.id))
    return read(visit, async (requested) => {
      const fields = fieldsOf(request.body)
      if (singleValue(fields, 'answer') === 'deny') return pages.finish(visit, { answer: 'denied' })
      // The facts may have changed since they were shown: the end-user consents only to what was on the page.
      const given = singleValue(fields, 'value') ?? ''
      const { facts, value } = requested(logoIn(given))
      return given === value && singleValue(fields, 'answer') === 'allow'
        ? pages.finish(visit, { answer: 'consented', shown: shownFacts(facts) })
        : { ...(await ask(visit, requested)), reason: 'stale_page' }
    })
  }
}

/** Of the form of one connection in the pages of one session. */
const connectionValue = (
  { hashToken }: SignInPorts,
  { sid }: EndUserSession,
  { position, given_at }: Connection,
): string => hashToken(`form ${jsonInOrder({ page: 'consents', sid, position, given_at })}`)

const consentsPage =
  ({ basePath, registration: { issuer } }: HttpSettings, ports: SignInPorts, language: Language) =>
  async ({ session, connections }: OwnConnections, revoked: boolean): Promise<ShownPage> => {
    const claims = await ports.findEndUserClaims(session.sub)()
    const shown = ({ connection, client }: OwnConnection) => ({
      application: shownApplication(language)(client, client.metadata.redirect_uris?.[0] ?? ''),
      scope: connection.scope,
      resources: connection.resources,
      begun_at: connection.since,
      last_use: connection.last_use,
      login: initiatedLogin(ports.consentPolicy(), issuer)(client),
      value: connectionValue(ports, session, connection),
    })
    return {
      kind: 'consents',
      user: shownEndUser(session.sub, E.isRight(claims) ? O.toUndefined(claims.right) : undefined),
      action: `${basePath}/consents`,
      consents: connections.map(shown),
      revoked,
    }
  }

const revoke = async (
  ports: SignInPorts,
  { session, connections }: OwnConnections,
  request: WithOrigin,
  value: string | undefined,
): Promise<E.Either<Unavailable, boolean>> => {
  const found = connections.find(({ connection }) => connectionValue(ports, session, connection) === value)
  return found === undefined ? E.right(false) : revokeOwnConnection(ports)(request, found.connection)()
}

type WithConsents = (listed: OwnConnections, language: Language) => Promise<HttpResponse>

/** GET and POST /consents: the end-user reads and revokes connections. OpenID Connect Core §11, RFC 6819 §5.1.5.4. */
const consentsHandlers = (
  settings: HttpSettings,
  ports: SignInPorts,
  pages: InteractionPages,
): { readonly get: Handler; readonly post: Handler } => {
  const { basePath, registration } = settings
  const address = `${basePath}/consents`
  const { origin } = new URL(registration.issuer)
  const { session } = cookieNames(registration.issuer)
  const list = listOwnConnections(ports)
  const hashOf = hashedCookie(ports)
  /** Answers with the consents of the end-user who is signed in. */
  const listing = async (request: HttpRequest, answer: WithConsents): Promise<HttpResponse> => {
    const { query, headers } = request
    const language = chooseLanguage(singleValue(query, 'ui_locales'), headers['accept-language'])
    const listed = await list(hashOf(request, session))()
    if (E.isRight(listed)) return answer(listed.right, language)
    return listed.left.error === 'unavailable'
      ? pages.unavailable(language, listed.left, address)
      : pages.respond({ kind: 'nobody', form: undefined, back: undefined, notice: undefined }, language)
  }
  return {
    get: (request) =>
      listing(request, async (listed, language) => {
        const revoked = singleValue(request.query, 'revoked') !== undefined
        return pages.respond(await consentsPage(settings, ports, language)(listed, revoked), language)
      }),
    post: (request) =>
      isFromElsewhere(request, origin)
        ? { ...seeOther(address), reason: 'cross_site' }
        : listing(request, async (listed, language) => {
            const revoked = await revoke(ports, listed, request, singleValue(fieldsOf(request.body), 'value'))
            if (E.isLeft(revoked)) return pages.unavailable(language, revoked.left, address)
            return revoked.right ? seeOther(`${address}?revoked=1`) : { ...seeOther(address), reason: 'stale_page' }
          }),
  }
}

// Only browsers request these. They are there where an authorization server sends end-users to them.
export const signInRoutes: Family<'signIn'> = (settings, ports) => {
  const base = baseOf(settings)
  const interaction = `${base}/interaction/:id`
  const { login } = ports
  const pages = interactionPages(settings, ports)
  const { visiting } = pages
  const consents = consentsHandlers(settings, ports, pages)
  return [
    route('GET', interaction, visiting(asking(settings, ports, pages))),
    route('POST', `${interaction}/login`, visiting(takingLogin(ports, pages)), { takes: 'form' }),
    route('POST', `${interaction}/consent`, visiting(takingConsent(ports, pages)), { takes: 'form' }),
    ...(login.kind === 'elsewhere'
      ? [
          route('GET', `${base}/login/callback`, returning(settings, pages, login.parties)),
          route('GET', `${base}/login/callback/:id`, returning(settings, pages, login.parties)),
          route('GET', `${interaction}/callback`, visiting(completingLogin(settings, pages, login.parties))),
        ]
      : []),
    route('GET', `${base}/consents`, consents.get),
    route('POST', `${base}/consents`, consents.post, { takes: 'form' }),
  ]
}
