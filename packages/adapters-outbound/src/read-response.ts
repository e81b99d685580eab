import type { Dispatcher } from 'undici'
import { maxBody } from './outbound-options.js'

export type OutboundResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const storedHeaders = ['content-type', 'cache-control']
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

type Headers = Dispatcher.ResponseData['headers']

/** The value of a field, or all of its values as one list. */
export const header = (headers: Headers, name: string): string => [headers[name] ?? []].flat().join(', ')

/** RFC 9110 §15.4: redirections need not be followed. */
export const redirectionFault = (status: number): string | undefined =>
  status >= 300 && status < 400 ? `the status is ${status}: redirections are not followed` : undefined

const contentFault = ({ headers }: Dispatcher.ResponseData): string | undefined => {
  // RFC 9110 §12.5.3: the request accepts no content coding
  if (!['', 'identity'].includes(header(headers, 'content-encoding').trim().toLowerCase()))
    return 'the response has a Content-Encoding'
  return Number(header(headers, 'content-length')) > maxBody ? 'the Content-Length is too large' : undefined
}

const readBody = async (body: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBody) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** The content of a response without content coding, of limited size; or a rejection with its fault. */
export const readContent = async (response: Dispatcher.ResponseData): Promise<Buffer> => {
  const fault = contentFault(response)
  if (fault !== undefined) throw new Error(fault)
  return readBody(response.body)
}

/** An unread body may emit an error later; without a listener, it would end the process. */
export const ignoreLateErrors = ({ body }: Dispatcher.ResponseData): void => {
  body.on('error', () => undefined)
}

export const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw new Error('the body is not well-formed UTF-8')
  }
}

/** The complete response, or a rejection with its fault. */
export const readResponse = async (response: Dispatcher.ResponseData): Promise<OutboundResponse> => {
  ignoreLateErrors(response)
  const { statusCode: status, headers } = response
  const fault = redirectionFault(status)
  if (fault !== undefined) throw new Error(fault)
  const body = decodeUtf8(await readContent(response))
  return { status, headers: Object.fromEntries(storedHeaders.map((name) => [name, header(headers, name)])), body }
}
