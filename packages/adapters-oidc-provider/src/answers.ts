// What the engine answers beside the standards, and what the log says about it.
import { ClientId } from '@clientele/domain/client'
import { isSuspended } from '@clientele/domain/life-cycle'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorOut, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { endpoints, methodsOf, routeOf } from './abilities.js'
import { type EngineClient, isApprovedUri, isOfNobody, isUnapproved, registrationOf } from './clients.js'
import { allStored, knownOfRequest } from './context.js'
import { TemporarilyUnavailable, TooManyRequests } from './errors.js'
import type { EnginePorts, EngineRefusal, EngineReport } from './ports.js'
import { mendAnswer, mended } from './texts.js'

/** RFC 9110 §15.5.6: answers a request whose method the route does not have. */
export const refuseMethod = (request: IncomingMessage, response: ServerResponse): boolean => {
  const { url = '', method = 'GET', headers } = request
  const [path = ''] = url.split(/[?#]/)
  const allowed = methodsOf(routeOf(path) ?? path)
  // Fetch §4.8: a preflight request has an origin. No page sends an authorization request by itself.
  const isPreflight = method === 'OPTIONS' && headers.origin !== undefined && !path.startsWith(endpoints.authorization)
  if (allowed.includes(method) || isPreflight) return false
  response.writeHead(405, { Allow: allowed.join(', ') }).end()
  return true
}

/** What the request target of the GET request has room for, beside the header fields. */
const maxForm = 8_192

const readForm = async (request: IncomingMessage): Promise<string | undefined> => {
  let form = ''
  // The connection stays, for the answer.
  for await (const chunk of request.setEncoding('latin1').iterator({ destroyOnReturn: false })) {
    form += String(chunk)
    if (form.length > maxForm) return undefined
  }
  return form
}

/**
 * OpenID Core §3.1.2.1: an authorization request may come by POST. Sends the browser to the same request by GET (RFC 9110
 * §15.4.4): the cookies of a session are SameSite=Lax, so that they do not come with a POST request from another site.
 */
export const redirectPosted = async (
  issuer: string,
  { discardRest }: EnginePorts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const isForm = /^application\/x-www-form-urlencoded *(?:;|$)/i.test(request.headers['content-type'] ?? '')
  // The browser may go away in the middle of the form.
  const form = isForm ? await readForm(request).catch(() => undefined) : ''
  if (form === undefined) {
    await discardRest(request)
    response.writeHead(413, { Connection: 'close' }).end()
    return
  }
  const query = new URLSearchParams(form).toString()
  response
    .writeHead(303, { 'Cache-Control': 'no-store', Location: `${issuer}${endpoints.authorization}?${query}` })
    .end()
}

/** RFC 6749 §4.1.2.1: an end-user whose request must not be redirected reads why. */
export const renderError =
  ({ findClient, errorPage }: EnginePorts) =>
  async (request: KoaContextWithOIDC, { error, error_description }: ErrorOut): Promise<void> => {
    const { client_id: id, ui_locales: uiLocales } = request.oidc.params ?? {}
    // A page without the client is better than none: the store may be the cause of the error.
    const found = ClientId.is(id) ? await findClient(id)() : undefined
    const client = found !== undefined && E.isRight(found) ? O.toUndefined(found.right) : undefined
    const { headers, html } = errorPage({
      error,
      error_description: mended({ error, error_description })?.error_description ?? error_description,
      // No page leads to a suspended application.
      client: client !== undefined && isSuspended(client) ? undefined : client,
      uiLocales: typeof uiLocales === 'string' ? uiLocales : undefined,
      acceptLanguage: request.req.headers['accept-language'],
    })
    for (const [name, value] of Object.entries(headers)) request.set(name, value)
    request.body = html
  }

/** The events of the engine with a request that it refused, and the error. */
const refusalEvents = [
  'authorization.error',
  'grant.error',
  'userinfo.error',
  'introspection.error',
  'revocation.error',
  'pushed_authorization_request.error',
] as const

type Refusal = Error & {
  readonly error?: string
  readonly error_description?: string
  readonly error_detail?: string
  readonly rules?: ReadonlyArray<string>
}

/** Remembers with each request why it was refused. A defect is remembered with its cause. */
export const watchRefusals = (provider: Provider): void => {
  const emitter: EventEmitter = provider
  for (const event of refusalEvents)
    emitter.on(event, ({ req }: KoaContextWithOIDC, refusal: Refusal) => {
      const { error = 'server_error', error_description, error_detail: detail, rules, cause } = refusal
      const known = knownOfRequest(req)
      known.said = { error, error_description, detail }
      known.refusal = {
        error: mended(known.said)?.error ?? error,
        ...(detail === undefined ? {} : { detail }),
        ...(rules === undefined ? {} : { rules }),
      }
      if (error === 'invalid_client') known.hasFailedClient = true
      if (cause instanceof Error && cause.message === 'request entity too large') known.isTooLarge = true
    })
  const remember = (request: KoaContextWithOIDC, cause: Error): void => {
    knownOfRequest(request.req).refusal = { error: 'server_error', cause }
  }
  emitter.on('server_error', remember)
  // An error outside of the handlers of the engine; Koa would print it.
  provider.silent = true
  emitter.on('error', (cause: Error, request?: KoaContextWithOIDC) => {
    if (request !== undefined) remember(request, cause)
  })
}

/** The endpoints at which a client authenticates itself, or names itself if it has no credentials. */
const byClients = ['token', 'introspection', 'revocation', 'pushed_authorization_request']

// RFC 9110 §15.6: only the log explains why the service failed. Other refusals have a reason for the client's developer.
const membersOf = ({ error, detail, rules, cause }: EngineRefusal, status: number): EngineReport => ({
  refusal: rules === undefined ? { error } : { error, rules },
  ...(detail === undefined ? {} : { [status < 500 ? 'reason' : 'detail']: detail }),
  ...(cause === undefined ? {} : { detail: cause }),
})

/** What the log says of an answered request. */
export const reportOf = (request: IncomingMessage, status: number): EngineReport => {
  const { refusal, context } = knownOfRequest(request)
  const { client, route = '' } = context?.oidc ?? {}
  return {
    ...(refusal === undefined ? {} : membersOf(refusal, status)),
    ...(client === undefined ? {} : { client_id: client.clientId }),
    // A browser names a client at /authorize.
    ...(client !== undefined && byClients.includes(route) && refusal?.error !== 'invalid_client'
      ? { actor: { kind: 'client' } }
      : {}),
  }
}

// Answers 429 in place of RFC 6749 §5.2 invalid_client where the source has failed too often (docs/operate/security.md#abuse).
const limitFailures = async (
  emitter: EventEmitter,
  { consumeBudget }: EnginePorts,
  request: KoaContextWithOIDC,
): Promise<void> => {
  // A browser has no credential of a client.
  if (knownOfRequest(request.req).hasFailedClient !== true || !byClients.includes(request.oidc.route)) return
  const consumed = await consumeBudget('credentials', request.req)()
  if (E.isRight(consumed)) return
  const refusal = new TooManyRequests(request, 'credentials', consumed.left)
  emitter.emit('grant.error', request, refusal)
  request.status = refusal.statusCode
  request.remove('WWW-Authenticate')
  request.body = { error: refusal.error, error_description: refusal.error_description }
}

// RFC 9110 §15.5.14: a body that is too long. The engine answers it with 400, as one that it cannot parse. The answer comes
// after the rest of the body, so that a client that is still sending receives it.
const answerTooLarge = async ({ discardRest }: EnginePorts, request: KoaContextWithOIDC): Promise<void> => {
  if (knownOfRequest(request.req).isTooLarge !== true) return
  await discardRest(request.req)
  request.status = 413
  request.set('Connection', 'close')
  request.body = { error: 'invalid_request', error_description: 'the body is larger than 57344 bytes: shorten it' }
}

/** Completes the answers that the engine has made, before they are sent. */
export const completeAnswers = (provider: Provider, ports: EnginePorts): void => {
  const render = renderError(ports)
  provider.use(async (request: KoaContextWithOIDC, next) => {
    const known = knownOfRequest(request.req)
    known.context = request
    try {
      await next()
      if (known.said !== undefined) mendAnswer(request, known.said)
      await limitFailures(provider, ports, request)
      await answerTooLarge(ports, request)
      // No response is sent before what it contains is stored, whatever the engine issued last (docs/decisions/speed.md).
      if (request.status < 400) await allStored(known.storing)
    } catch (cause) {
      // The engine stores the session after it has made the response; a failure of the store at that time gives the page, too.
      if (!(cause instanceof TemporarilyUnavailable)) throw cause
      provider.emit('authorization.error', request, cause)
      request.status = cause.statusCode
      request.remove('Location')
      // RFC 9110 §10.2.3
      request.set('Retry-After', '1')
      await render(request, { error: cause.message, error_description: cause.error_description })
    }
    // RFC 7009 §2.2: the content of a revocation does not count. Clients in use read it as JSON nevertheless.
    if (known.context.oidc?.route === 'revocation' && request.status === 200) request.body = {}
  })
}

// The end-user of this browser has consented to the client.
const hasConsent = ({ session }: KoaContextWithOIDC['oidc'], { clientId }: EngineClient): boolean =>
  session?.authorizations?.[clientId]?.grantId !== undefined

// Any visitor can name a document with any URI, and register a client with any where registration is open.
const isUntrusted = (request: KoaContextWithOIDC['oidc']): boolean => {
  const { client, route, params } = request
  // An end-user who answered a page may be led back. A resumption that found no interaction has no parameters, and no
  // end-user answered.
  const isUnanswered = route === 'authorization' || (route === 'resume' && params === undefined)
  if (client === undefined || !isUnanswered) return false
  if (isUnapproved(client)) return !isApprovedUri(client, params?.['redirect_uri'])
  // RFC 9700 §4.11.2 excepts silent authentication, which shows no page.
  return isOfNobody(client) && params?.['prompt'] !== 'none' && !hasConsent(request, client)
}

/**
 * RFC 9700 §4.11.2: the authorization server does not lead a browser to a URI that it does not trust. An error of a request
 * by a document that no end-user has approved, or by a client of open registration to which this end-user has not consented,
 * is shown on a page, also one of the service itself.
 */
export const holdRedirects = (provider: Provider): void => {
  const emitter: EventEmitter = provider
  // The service may fail before the engine knows the request.
  const hold = (
    request: Pick<KoaContextWithOIDC, 'status'> & Partial<Pick<KoaContextWithOIDC, 'oidc'>>,
    cause: Error,
  ): void => {
    if (request.oidc === undefined || !isUntrusted(request.oidc)) return
    Object.assign(cause, { allow_redirect: false })
    // For some errors, the engine has prepared the status of a redirect.
    if (request.status < 400) request.status = 400
  }
  for (const event of ['authorization.error', 'server_error']) emitter.on(event, hold)
}

/**
 * JWTs are issued without an artefact, so that their uses are recorded here. Only a client with a token issues one alone,
 * which is never removed.
 */
export const recordUses = (provider: Provider, { recordUse }: EnginePorts): void => {
  const emitter: EventEmitter = provider
  for (const event of ['access_token.issued', 'client_credentials.issued'])
    emitter.on(event, ({ client }: { readonly client?: EngineClient }) => {
      const registration = client === undefined ? undefined : registrationOf(client)
      if (registration !== undefined) void recordUse(registration)()
    })
}
