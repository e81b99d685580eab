import type { Service } from './composed-service.js'

export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

export type Sent = {
  readonly method?: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Uint8Array
}

const asObject = (text: string): Readonly<Record<string, unknown>> => {
  const parsed: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  return Object.fromEntries(Object.entries(parsed ?? {}))
}

export const send = async (service: Pick<Service, 'base'>, path: string, sent: Sent = {}): Promise<Answer> => {
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json)
  const answer = await fetch(path.startsWith('http') ? path : service.base + path, {
    method: sent.method ?? 'GET',
    headers: {
      ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
      ...(sent.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(20_000),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: asObject(text) }
}

export const redirect_uris = ['https://rp.example/callback']

export const register = (
  service: Pick<Service, 'base' | 'master'>,
  json: unknown = { redirect_uris },
  token?: string,
): Promise<Answer> => send(service, '/clients', { method: 'POST', json, token: token ?? service.master })

/** Registers without a token. */
export const registerOpenly = (service: Service, json: unknown): Promise<Answer> =>
  send(service, '/clients', { method: 'POST', json })

export const issueToken = async (
  service: Pick<Service, 'base' | 'master'>,
  scope: string,
  lifetime?: number,
): Promise<string> => {
  const json = { scope, ...(lifetime === undefined ? {} : { lifetime }) }
  const answer = await send(service, '/direct-authz', { method: 'POST', json, token: service.master })
  if (answer.status !== 200) throw new Error(`no initial access token: ${answer.status} ${answer.text}`)
  return String(answer.json['access_token'])
}

/** The path of a client and its registration access token, from the answer to its registration. */
export const configurationOf = (answer: Answer): { readonly path: string; readonly token: string } => ({
  path: String(answer.json['registration_client_uri']),
  token: String(answer.json['registration_access_token']),
})
