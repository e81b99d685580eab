// A response as a value, and refusals as responses: for the requester, and for the log.
import { members } from '@clientele/domain/client'
import {
  type BudgetKind,
  type Fault,
  type Refusal,
  type TooManyRequests,
  type Unavailable,
  refusalReason,
  secondsToWait,
} from '@clientele/domain/kernel'
import type { Representation } from '@clientele/domain/registration'
import { refusalStatuses } from '../statuses.js'

/** Who sends a request, for its log entry: the kind of the credential, and the beginning of its keyed digest. */
export type Actor = {
  /** `token` is one that is unknown, or whose kind this request did not need to know. */
  readonly kind:
    'master' | 'operator_token' | 'store' | 'initial_access_token' | 'registration_access_token' | 'client' | 'token'
  readonly fingerprint?: string
}

/** Why a request was refused, as codes that contain no input. */
type ReportedRefusal = {
  readonly error: string
  /** The violated rules of the body, each once. */
  readonly rules?: ReadonlyArray<string>
  /** Where in the body, as JSON pointers (RFC 6901) of the first of them. */
  readonly pointers?: ReadonlyArray<string>
}

export type ResponseHeaders = Readonly<Record<string, string>>

/** A response as a value. `detail` and what follows it are for the log and never sent. */
export type HttpResponse = {
  readonly status: number
  /** The headers of this response; `serve.ts` adds those of every answer at its address. */
  readonly headers: ResponseHeaders
  /** The Set-Cookie fields, which cannot be joined: RFC 6265 §3. */
  readonly setCookies?: ReadonlyArray<string>
  readonly body: ResponseBody
  /** RFC 9112 §9.6: after an unread body, the connection cannot be reused. */
  readonly leavesBody?: true
  readonly detail?: unknown
  readonly reason?: string
  readonly refusal?: ReportedRefusal
  /** By which the software is known whose body was refused (softwareOf). */
  readonly software?: string
  /** The faults of the refusal, which the body has as `errors`. */
  readonly faults?: ReadonlyArray<Fault>
  /** The client that the request is about, if it is known to exist. */
  readonly client_id?: string
  readonly actor?: Actor
  /** What a page of the console asked of a route of the operators, and was done: its method and the pattern of its path. */
  readonly asked?: string
}

export type Chunks = AsyncIterable<string>

type ResponseBody =
  | { readonly kind: 'empty' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'stream'; readonly chunks: Chunks }

export const emptyResponse = (status: number, headers: ResponseHeaders = {}): HttpResponse => ({
  status,
  headers,
  body: { kind: 'empty' },
})

export const jsonResponse = (status: number, value: unknown, headers: ResponseHeaders = {}): HttpResponse => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: { kind: 'json', value },
})

export const okResponse = (value: unknown): HttpResponse => jsonResponse(200, value)

/** The response with the client that it is about, for the log. */
export const aboutClient = (response: HttpResponse, client_id: string): HttpResponse =>
  Object.assign({}, response, { client_id })

export const noContent = (): HttpResponse => emptyResponse(204)

/** RFC 9110 §15.4.4: 303, so that going back does not repeat a form. */
export const seeOther = (location: string, setCookies: ReadonlyArray<string> = []): HttpResponse => {
  const response = emptyResponse(303, { Location: location, 'Referrer-Policy': 'no-referrer' })
  return setCookies.length === 0 ? response : { ...response, setCookies }
}

/** RFC 9110 §8.8.3: a client, with the version that later requests can name. */
export const representationResponse = <Body>({ body, entityTag }: Representation<Body>): HttpResponse =>
  jsonResponse(200, body, { ETag: entityTag })

/** A JSON array that is sent while it is produced. */
export const streamedResponse = (chunks: Chunks): HttpResponse => ({
  status: 200,
  headers: { 'Content-Type': 'application/json' },
  body: { kind: 'stream', chunks },
})

/** Ends a source that is not read; its failures are ignored. */
export const cancel = (chunks: Chunks): void =>
  void Promise.resolve(chunks[Symbol.asyncIterator]().return?.()).catch(() => undefined)

/**
 * The same chunks. A failure is reported here, and the reader only learns that there was one: some hosts print or send
 * errors. Cancelling ends the source, even before the first chunk is read.
 */
export const reportingErrors = (chunks: Chunks, report: (detail: unknown) => void): AsyncIterableIterator<string> => {
  const source = chunks[Symbol.asyncIterator]()
  const itself: AsyncIterableIterator<string> = {
    next: async () => {
      try {
        return await source.next()
      } catch (detail) {
        report(detail)
        throw new Error('the answer breaks off')
      }
    },
    return: async () => {
      await source.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => itself,
  }
  return itself
}

const encoder = new TextEncoder()

export const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

const maxPointers = 8
// RFC 6901 §4: an array index
const index = /^(?:0|[1-9][0-9]{0,5})$/

const known = (name: string): string | undefined => {
  const base = name.replace(/#.*$/s, '')
  return Object.hasOwn(members, base) ? base : undefined
}

/** The pointer as far as its steps are members of client metadata and indices: other names are the client's choice. */
const loggedPointer = ({ pointer }: Fault): string => {
  const [, member = '', ...rest] = pointer.split('/')
  const name = known(member)
  if (name === undefined) return ''
  const end = rest.findIndex((step) => !index.test(step))
  return `/${[name, ...rest.slice(0, end === -1 ? rest.length : end)].join('/')}`
}

/** Where faults are, each place once, and the first places only: with nothing that the client chose. */
const loggedPointers = (faults: ReadonlyArray<Fault>): ReadonlyArray<string> =>
  [...new Set(faults.map(loggedPointer))].slice(0, maxPointers)

/** Refusals by the transport, before any operation. */
export type TransportRefusal =
  | { readonly error: 'too_large' }
  | { readonly error: 'unsupported_encoding' }
  | { readonly error: 'not_found' }
  | { readonly error: 'method_not_allowed'; readonly allow: ReadonlyArray<string> }
  | { readonly error: 'defect'; readonly detail: unknown }

const refused = (status: number, error_description: string): HttpResponse =>
  jsonResponse(status, { error: 'invalid_request', error_description })

const wait = 'try again after the seconds of Retry-After'

const tooManyTexts: Readonly<Record<BudgetKind, string>> = {
  credentials: `Too many credentials were not valid: send a valid one, or ${wait}`,
  registrations: `Too many registrations came without a token, or were changed since: send an initial access token, or ${wait}`,
  logout_pages: `Too many logout requests came without a session: ${wait}`,
  authorizations: `Too many authorization requests came without a session: ${wait}`,
  documents: `Too many documents of clients were new or changed: ${wait}`,
}

/** RFC 6585 §4: the response, or a page in its place. */
export const tooMany = (refusal: Omit<TooManyRequests, 'error'>, response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Retry-After': String(secondsToWait(refusal)) },
  reason: refusalReason(refusal.kind, refusal),
})

const transportAnswer = (refusal: TransportRefusal): HttpResponse => {
  const status = refusalStatuses[refusal.error]
  switch (refusal.error) {
    case 'too_large':
      return { leavesBody: true, ...refused(status, 'The body is larger than 65536 bytes') }
    case 'unsupported_encoding':
      return refused(status, 'The body has a Content-Encoding: send it as it is')
    case 'not_found':
      return emptyResponse(status)
    case 'method_not_allowed':
      return emptyResponse(status, { Allow: refusal.allow.join(', ') })
    case 'defect':
      return { detail: refusal.detail, ...emptyResponse(status) }
  }
}

const withRefusal = (response: HttpResponse, refusal: ReportedRefusal): HttpResponse =>
  Object.assign({}, response, { refusal })

export const transportResponse = (refusal: TransportRefusal): HttpResponse =>
  withRefusal(transportAnswer(refusal), { error: refusal.error })

// RFC 9110 §11.2: parameters are separated by commas; §5.6.4: quotes and backslashes are escaped
const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** RFC 6750 §3: the challenge, bare where no credential was presented. */
export const challenge = (error?: string, description = '', scope?: string): ResponseHeaders => {
  if (error === undefined) return { 'WWW-Authenticate': 'Bearer' }
  const needed = scope === undefined ? '' : `, scope=${quoted(scope)}`
  return { 'WWW-Authenticate': `Bearer error=${quoted(error)}, error_description=${quoted(description)}${needed}` }
}

// RFC 6749 §4.1.2.1 defines the code; there is no challenge, because a token would not help.
const registryFullAnswer = {
  error: 'access_denied',
  error_description: 'The registry holds as many clients as its policy allows: ask the operator',
}

const sessionFull = {
  error: 'invalid_request',
  error_description: 'The session holds as many clients as it can: end it, and start another one',
}

const faultsOf = (refusal: Refusal): ReadonlyArray<Fault> => ('errors' in refusal ? (refusal.errors ?? []) : [])

/** The refusal for the log: its code, the rules that the body violates, and where. */
const reported = (refusal: Refusal): ReportedRefusal => {
  const faults = faultsOf(refusal)
  return faults.length === 0
    ? { error: refusal.error }
    : { error: refusal.error, rules: [...new Set(faults.map(({ rule }) => rule))], pointers: loggedPointers(faults) }
}

const full = { session_full: sessionFull, registry_full: registryFullAnswer }

const unavailableAnswer = ({ error, done }: Unavailable, status: number): HttpResponse => {
  const headers = { 'Retry-After': '1' }
  return done === undefined ? emptyResponse(status, headers) : jsonResponse(status, { error, ...done }, headers)
}

const answerTo = (refusal: Refusal, status = refusalStatuses[refusal.error]): HttpResponse => {
  switch (refusal.error) {
    case 'missing_token':
      return jsonResponse(status, refusal, challenge())
    case 'invalid_token':
      return jsonResponse(status, refusal, challenge(refusal.error, refusal.error_description))
    case 'insufficient_scope':
      return jsonResponse(status, refusal, challenge(refusal.error, refusal.error_description, refusal.scope))
    case 'invalid_request':
    case 'invalid_redirect_uri':
    case 'invalid_client_metadata':
    case 'invalid_software_statement':
    case 'unapproved_software_statement':
    case 'invalid_scope':
    case 'unknown_algorithm':
    case 'invalid_keys':
    case 'unknown_kid':
    case 'unknown_connection':
    case 'unknown_notice':
    case 'unknown_initial_access_token':
    case 'unknown_operator_token':
    case 'invalid_settings':
    case 'roll_over_under_way':
    case 'kid_known':
    case 'too_many_foreign_keys':
    case 'count_changed':
    case 'client_id_taken':
    case 'client_in_force':
    case 'client_secret_conflict':
    case 'idempotency_conflict':
    case 'idempotency_key_reused':
    case 'precondition_failed':
    case 'precondition_required':
      return jsonResponse(status, refusal)
    case 'unknown_client':
    case 'unknown_session':
      return emptyResponse(status)
    case 'session_full':
    case 'registry_full':
      return jsonResponse(status, full[refusal.error])
    case 'too_many_requests':
      return tooMany(
        refusal,
        jsonResponse(status, { error: refusal.error, error_description: tooManyTexts[refusal.kind] }),
      )
    case 'unavailable':
      return { detail: refusal.detail, ...unavailableAnswer(refusal, status) }
  }
}

export const errorResponse = (refusal: Refusal): HttpResponse => {
  const response = withRefusal(answerTo(refusal), reported(refusal))
  const faults = faultsOf(refusal)
  return faults.length === 0 ? response : { ...response, faults }
}

/** The body of a refusal, each fault with the address of the page of its rule. */
export const documentedBody = (body: ResponseBody, faults: ReadonlyArray<Fault>, issuer: string): ResponseBody =>
  body.kind === 'json'
    ? {
        kind: 'json',
        value: Object.assign({}, body.value, {
          errors: faults.map((each) => ({ ...each, documentation: `${issuer}/rules/${each.rule}` })),
        }),
      }
    : body
