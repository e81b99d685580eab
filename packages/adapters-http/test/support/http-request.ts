import * as E from 'fp-ts/lib/Either.js'
import type { Handler } from '../../src/routes/route.js'
import { type HttpRequest, presentedCredential } from '../../src/http/request.js'
import type { HttpResponse } from '../../src/http/response.js'
import type { HttpPorts } from '../../src/ports.js'
import type { HttpSettings } from '../../src/settings.js'
import { hashToken, httpSettings, master } from './in-memory-ports.js'

type Given = Partial<Omit<HttpRequest, 'credential'>> & {
  readonly token?: string
  /** All Authorization fields, in place of the one with the token. */
  readonly authorization?: ReadonlyArray<string>
  readonly json?: unknown
  readonly ifNoneMatch?: string | undefined
  readonly ifMatch?: string | undefined
  readonly idempotencyKey?: string | undefined
}

const credentialOf = presentedCredential({ masterToken: hashToken(master), hashToken })

const bearing = (token: string | undefined): ReadonlyArray<string> => (token === undefined ? [] : [`Bearer ${token}`])

export const httpRequest = ({
  token,
  authorization = bearing(token),
  json,
  ifNoneMatch,
  ifMatch,
  idempotencyKey,
  ...given
}: Given = {}): HttpRequest => {
  const request = {
    method: 'GET',
    id: '',
    origin: { door: 'http' as const, request_id: 'request-1' },
    query: {},
    headers: { 'if-none-match': ifNoneMatch, 'if-match': ifMatch, 'idempotency-key': idempotencyKey },
    remoteAddress: undefined,
    body: E.right(json),
    ...given,
  }
  return { ...request, credential: credentialOf(authorization, request.query, request.body) }
}

export type Ask = (given?: Given) => Promise<HttpResponse>

/** The handler without a socket. The headers of every answer are added later. */
export const asking =
  (make: (settings: HttpSettings, ports: HttpPorts) => Handler, ports: HttpPorts, settings = httpSettings()): Ask =>
  async (given) =>
    make(settings, ports)(httpRequest(given))

export type Members = Readonly<Record<string, unknown>>

/** The members of a JSON answer, parsed from its text. */
export const membersOf = ({ body }: HttpResponse): Members => {
  if (body.kind !== 'json' && body.kind !== 'text') throw new Error(`the answer is ${body.kind}, not JSON`)
  const text = body.kind === 'json' ? JSON.stringify(body.value) : body.text
  const parsed: unknown = JSON.parse(text)
  return Object.fromEntries(Object.entries(parsed ?? {}))
}

export const textOf = async ({ body }: HttpResponse): Promise<string> => {
  if (body.kind !== 'stream') throw new Error(`the answer is ${body.kind}, not a stream`)
  const chunks: string[] = []
  for await (const chunk of body.chunks) chunks.push(chunk)
  return chunks.join('')
}

export const redirect_uris = ['https://rp.example/callback']
