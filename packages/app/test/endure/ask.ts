// A request on a connection of its own, so that a proxy chooses an instance for each.
import { request } from 'node:http'
import { text } from 'node:stream/consumers'

export type Answer = {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
  readonly text: string
}
export type Sent = { readonly method?: string; readonly token?: string; readonly json?: object }

const timeLimit = 20_000

const asObject = (body: string): Readonly<Record<string, unknown>> => {
  const parsed: unknown = body.startsWith('{') ? JSON.parse(body) : {}
  return Object.fromEntries(Object.entries(parsed ?? {}))
}

const headersOf = ({ token, json }: Sent): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(json === undefined ? {} : { 'content-type': 'application/json' }),
})

/** Undefined if no complete answer arrived. */
export const ask = (url: string, sent: Sent = {}): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const fail = (): void => resolve(undefined)
    const options = { method: sent.method ?? 'GET', headers: headersOf(sent), agent: false }
    const sending = request(url, { ...options, signal: AbortSignal.timeout(timeLimit) }, (response) => {
      text(response).then((body) => {
        resolve({ status: response.statusCode ?? 0, text: body, json: asObject(body) })
      }, fail)
    })
    sending.on('error', fail).end(sent.json === undefined ? undefined : JSON.stringify(sent.json))
  })
