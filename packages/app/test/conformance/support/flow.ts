// The code flow as the modules of the suite run it, with the checks that all of them make.
import { randomBytes } from 'node:crypto'
import * as assert from 'uvu/assert'
import { type Answer, send } from '../../support/requests.js'
import type { Arrival, EndUser } from '../../sign-in/support/end-user.js'
import type { Json } from '../../sign-in/support/provider.js'
import type { Client } from './clients.js'
import { type IdToken, checkIdToken } from './id-token.js'
import type { Op } from './op.js'

/** Parameters in place of the usual ones; one that is undefined is not sent. */
export type Parameters = Readonly<Record<string, string | undefined>>

export const random = (length = 16): string => randomBytes(length).toString('base64url')

/** The parameters of an authorization request. */
export const requestOf = (client: Client, parameters: Parameters = {}): URLSearchParams => {
  const usual: Parameters = {
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: 'openid',
    state: random(),
    nonce: random(),
    response_type: 'code',
  }
  const sent = Object.entries({ ...usual, ...parameters })
  return new URLSearchParams(
    sent.flatMap(([name, value]): Array<[string, string]> => (value === undefined ? [] : [[name, value]])),
  )
}

/** The request with the response mode of the plan. */
export const sentBy = ({ responseMode }: Op, request: URLSearchParams): URLSearchParams => {
  const sent = new URLSearchParams(request)
  if (responseMode !== undefined) sent.set('response_mode', responseMode)
  return sent
}

export const urlOf = (op: Op, request: URLSearchParams): string =>
  `${String(op.metadata['authorization_endpoint'])}?${sentBy(op, request).toString()}`

/** What the end-user reads on the page. */
const textOf = (page: string): string => page.replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** RFC 6749 §4.1.2, RFC 9207 §2.1: at the redirection URI, with the state and the issuer. */
export const answerTo = (op: Op, request: URLSearchParams, arrival: Arrival): URLSearchParams => {
  const { end, page, posted } = arrival
  if (end === undefined) throw new Error(textOf(page))
  assert.ok(end.href.startsWith(request.get('redirect_uri') ?? '-'), end.href)
  assert.is(end.hash, '')
  assert.is(posted === undefined, op.responseMode === undefined)
  if (posted !== undefined) checkPosted(request, arrival)
  const answer = posted ?? end.searchParams
  assert.is(answer.get('state'), request.get('state'))
  assert.is(answer.get('iss'), op.metadata['issuer'])
  return answer
}

/** OAuth 2.0 Form Post Response Mode §2, §4: nothing of the answer is in the URI, and no cache keeps the page. */
const checkPosted = (request: URLSearchParams, { end, headers }: Arrival): void => {
  assert.is(end?.href, request.get('redirect_uri'))
  assert.match(headers.get('content-type') ?? '', /^text\/html/)
  assert.match(headers.get('cache-control') ?? '', 'no-store')
}

export const codeIn = (answer: URLSearchParams): string => {
  assert.is(answer.get('error'), null, answer.get('error_description') ?? '')
  return String(answer.get('code'))
}

/** The error of an answer, whose names and characters are those of RFC 6749 §4.1.2.1. */
export const errorIn = (answer: URLSearchParams): string => {
  assert.is(answer.get('code'), null)
  assert.match(answer.get('error_description') ?? '', /^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/)
  return String(answer.get('error'))
}

/** RFC 9700 §4.11.2: a client of the suite is one of open registration, whose errors stay on a page before a consent. */
export const refusedOnPage = async (op: Op, request: URLSearchParams, error: string): Promise<void> => {
  const { end, page, requested } = await op.browser().visit(urlOf(op, request))
  assert.equal([end, requested], [undefined, []])
  assert.match(textOf(page), error)
}

export const tokenRequest = async (op: Op, client: Client, parameters: Json): Promise<Answer> => {
  const form = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const authenticated = await client.authenticate(form)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...authenticated }
  return send(op.provider.service, String(op.metadata['token_endpoint']), {
    method: 'POST',
    headers,
    body: form.toString(),
  })
}

/** RFC 6749 §5.1, OpenID Core §3.1.3.3 */
export const checkTokens = ({ status, headers, json, text }: Answer): void => {
  assert.is(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.match(headers.get('cache-control') ?? '', 'no-store')
  assert.is(json['token_type'], 'Bearer')
  assert.ok(Number(json['expires_in']) > 0)
  assert.match(String(json['access_token']), /^[\w~.+/-]{22,}=*$/)
}

/** RFC 6749 §5.2 */
export const checkRefused = ({ status, headers, json, text }: Answer, error: string): void => {
  assert.is(status, 400, text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  assert.is(json['error'], error)
}

export const redeem = (op: Op, client: Client, code: string, more: Json = {}): Promise<Answer> =>
  tokenRequest(op, client, { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...more })

export type Flow = {
  readonly request: URLSearchParams
  readonly requested: Arrival['requested']
  readonly code: string
  readonly tokens: Json
  readonly idToken: IdToken
  readonly accessToken: string
}

const at = (op: Op, accessToken: string): Promise<Answer> =>
  send(op.provider.service, String(op.metadata['userinfo_endpoint']), { token: accessToken })

/** OpenID Core §5.3: the claims of the access token. */
export const userInfo = async (op: Op, { accessToken, idToken }: Pick<Flow, 'accessToken' | 'idToken'>) => {
  const { status, headers, json, text } = await at(op, accessToken)
  assert.is(status, 200, text)
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  // OpenID Core §5.3.2
  assert.is(json['sub'], idToken.claims.sub)
  return json
}

/** From the answer to the checked tokens, whose access token is used. */
export const completed = async (
  op: Op,
  client: Client,
  request: URLSearchParams,
  arrival: Arrival,
  more: Json = {},
): Promise<Flow> => {
  const code = codeIn(answerTo(op, request, arrival))
  const answer = await redeem(op, client, code, more)
  checkTokens(answer)
  const { json: tokens } = answer
  const accessToken = String(tokens['access_token'])
  const idToken = await checkIdToken(op, client, String(tokens['id_token']), {
    nonce: request.get('nonce'),
    accessToken,
    code,
  })
  assert.is((await at(op, accessToken)).status, 200)
  return { request, requested: arrival.requested, code, tokens, idToken, accessToken }
}

/** The whole flow, in this browser. */
export const flow = async (
  op: Op,
  client: Client,
  browser: EndUser = op.browser(),
  parameters: Parameters = {},
): Promise<Flow> => {
  const request = requestOf(client, parameters)
  return completed(op, client, request, await browser.visit(urlOf(op, request)))
}

/** The error of a request that must show no page. */
export const errorOf = async (op: Op, client: Client, browser: EndUser, parameters: Parameters): Promise<string> => {
  const request = requestOf(client, parameters)
  const arrival = await browser.visit(urlOf(op, request))
  assert.equal(arrival.requested, [])
  return errorIn(answerTo(op, request, arrival))
}
