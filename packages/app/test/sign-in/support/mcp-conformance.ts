// The two scenarios of the conformance tool of the Model Context Protocol for authorization servers, rebuilt: the requests and
// conditions of its version in `mcp-checks.ts`, with its texts.
import { createHash, randomBytes } from 'node:crypto'
import type { McpStatus } from '../../conformance/mcp-checks.js'
import type { Json } from './provider.js'

export type Checked = { readonly check: string; readonly status: McpStatus; readonly message?: string }

type Answer = { readonly status: number; readonly headers: Headers; readonly body: Json }

const read = async (url: string, init: RequestInit = {}): Promise<Answer> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
  const text = await response.text()
  const parsed: unknown = response.ok ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, body: Object.fromEntries(Object.entries(parsed ?? {})) }
}

const judged = (check: string, faults: ReadonlyArray<string>): Checked =>
  faults.length === 0 ? { check, status: 'SUCCESS' } : { check, status: 'FAILURE', message: faults.join(', ') }

const when = (isFault: boolean, text: string): ReadonlyArray<string> => (isFault ? [text] : [])

const wellKnown = (issuer: string): ReadonlyArray<string> => {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  const server = `${origin}/.well-known/oauth-authorization-server${path}`
  return [
    server,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]
}

const metadataOf = async (issuer: string): Promise<Answer | undefined> => {
  for (const url of wellKnown(issuer)) {
    const answer = await read(url)
    if (answer.status === 200) return answer
  }
  return undefined
}

const lacksText = (body: Json, member: string): ReadonlyArray<string> =>
  when(
    typeof body[member] !== 'string' || body[member] === '',
    `Response body does not include valid "${member}" claim`,
  )

const lacksValue = (body: Json, member: string, value: string): ReadonlyArray<string> => {
  const list = body[member]
  const isListed = Array.isArray(list) && list.includes(value)
  return when(!isListed, `Response body does not include valid "${member}" claim`)
}

const hasHeader = ({ headers }: Answer, name: string, value: string): ReadonlyArray<string> => {
  const found = headers.get(name)
  return when(!found?.toLowerCase().includes(value), `Invalid ${name}: ${found ?? '(missing)'}`)
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '(missing)')

const metadataFaults = (issuer: string, answer: Answer): ReadonlyArray<string> => [
  ...hasHeader(answer, 'Content-Type', 'application/json'),
  ...lacksText(answer.body, 'authorization_endpoint'),
  ...lacksText(answer.body, 'token_endpoint'),
  ...lacksValue(answer.body, 'response_types_supported', 'code'),
  ...lacksValue(answer.body, 'code_challenge_methods_supported', 'S256'),
  ...when(answer.body['issuer'] !== issuer, `Invalid issuer: ${textOf(answer.body['issuer'])}`),
]

const documentsCheck = ({ body }: Answer): Checked => {
  const check = 'authorization-server-metadata-cimd'
  const member = 'client_id_metadata_document_supported'
  const value = body[member]
  if (value === true) return { check, status: 'SUCCESS' }
  const missing = `Authorization server metadata does not include "${member}"`
  const message = value === undefined ? missing : `Expected "${member}" to be true, got ${JSON.stringify(value)}`
  return { check, status: 'WARNING', message }
}

/** The scenario `authorization-server-metadata-endpoint`. */
export const metadataEndpoint = async (issuer: string): Promise<ReadonlyArray<Checked>> => {
  const check = 'authorization-server-metadata'
  const answer = await metadataOf(issuer)
  if (answer === undefined)
    return [judged(check, ['All authorization server metadata endpoints returned invalid status code.'])]
  return [judged(check, metadataFaults(issuer, answer)), documentsCheck(answer)]
}

export type GrantOptions = {
  readonly issuer: string
  readonly redirectUri: string
  readonly clientId?: string
  readonly clientSecret?: string
  readonly resource?: string
  /** Goes through the pages, to the redirect of the answer. */
  readonly visit: (url: string) => Promise<URL>
}

type Method = 'none' | 'client_secret_post' | 'client_secret_basic'

/** The method that the tool chooses: `none` wherever it is listed. */
const chosenMethod = (body: Json, secret: string | undefined): Method | undefined => {
  const listed = body['token_endpoint_auth_methods_supported']
  const methods: ReadonlyArray<unknown> = Array.isArray(listed) ? listed : ['client_secret_basic']
  if (secret === undefined) return 'none'
  return (['none', 'client_secret_post', 'client_secret_basic'] as const).find((each) => methods.includes(each))
}

const authorizationFaults = (end: URL, redirectUri: string, state: string, issuer: unknown): ReadonlyArray<string> => {
  const all = (name: string): ReadonlyArray<string> => end.searchParams.getAll(name)
  const { origin, pathname } = new URL(redirectUri)
  const description = end.searchParams.get('error_description') ?? ''
  const isOne = (name: string, value: unknown): boolean => all(name).length === 1 && all(name)[0] === value
  return [
    ...when(end.searchParams.has('error'), `Authorization error: ${all('error').join()} ${description}`.trim()),
    ...when(end.origin !== origin, `Invalid origin of redirect URL: ${end.origin}`),
    ...when(end.pathname !== pathname, `Invalid path of redirect URL: ${end.pathname}`),
    ...when(!isOne('state', state), `Invalid state parameter: ${all('state').join() || 'missing'}`),
    ...when(
      all('code').length !== 1 || all('code')[0] === '',
      `Invalid code parameter: ${all('code').join() || 'missing'}`,
    ),
    ...when(all('iss').length > 0 && !isOne('iss', issuer), `Invalid iss parameter: ${all('iss').join()}`),
  ]
}

const tokenFaults = (answer: Answer): ReadonlyArray<string> =>
  answer.status === 200
    ? [
        ...hasHeader(answer, 'Content-Type', 'application/json'),
        ...hasHeader(answer, 'Cache-Control', 'no-store'),
        ...when(typeof answer.body['access_token'] !== 'string', 'Missing access_token'),
        ...when(typeof answer.body['token_type'] !== 'string', 'Missing token_type'),
      ]
    : [`Invalid status code: ${answer.status}`]

type Credentials = {
  readonly body: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
}

const credentialsOf = (method: Method, client_id: string, client_secret = ''): Credentials => {
  const basic = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`
  return {
    none: { body: { client_id }, headers: {} },
    client_secret_post: { body: { client_id, client_secret }, headers: {} },
    client_secret_basic: {
      body: {},
      headers: { Authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    },
  }[method]
}

const randomText = (): string => randomBytes(32).toString('base64url')

/** The scenario `authorization-code-grant`; a method in place of the one that the tool chooses. */
export const authorizationCodeGrant = async (options: GrantOptions, instead?: Method): Promise<Checked> => {
  const check = 'authorization-code-grant'
  const { issuer, clientId, clientSecret, redirectUri, visit } = options
  if (clientId === undefined)
    return { check, status: 'SKIPPED', message: 'authorization-code-grant requires --client-id' }
  const { body = {} } = (await metadataOf(issuer)) ?? {}
  const method = instead ?? chosenMethod(body, clientSecret)
  if (method === undefined) return { check, status: 'SKIPPED', message: 'no method of the tool is supported' }
  const state = randomText()
  const code_verifier = randomText()
  const resource: Readonly<Record<string, string>> =
    options.resource === undefined ? {} : { resource: options.resource }
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    state,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...resource,
  })
  const end = await visit(`${String(body['authorization_endpoint'])}?${request.toString()}`)
  const faults = authorizationFaults(end, redirectUri, state, body['issuer'])
  if (faults.length > 0) return judged(check, faults)
  const credentials = credentialsOf(method, clientId, clientSecret)
  const token = new URLSearchParams({
    grant_type: 'authorization_code',
    code: end.searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier,
    ...resource,
    ...credentials.body,
  })
  return judged(
    check,
    tokenFaults(
      await read(String(body['token_endpoint']), { method: 'POST', body: token, headers: credentials.headers }),
    ),
  )
}
