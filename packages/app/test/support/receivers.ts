// Receivers of logout tokens, over TLS on loopback.
import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../adapters-outbound/test/support/${name}`, import.meta.url)), 'utf8')

const certificate = read('certificate.pem')

/** Options by which a service can reach them, without the rules against special-purpose addresses. */
export const reachReceivers = {
  ca: certificate,
  allowsAddress: (): boolean => true,
  lookup: (): Promise<ReadonlyArray<string>> => Promise.resolve(['127.0.0.1']),
}

export type Received = { readonly path: string; readonly type: string; readonly form: ReadonlyArray<[string, string]> }

export type Receiver = {
  readonly uri: string
  readonly received: ReadonlyArray<Received>
  readonly stop: () => Promise<void>
}

/** Answers as configured, by default with 200. */
export const startReceiver = async (
  answer: (response: ServerResponse, nth: number) => void = (response) => void response.end(),
): Promise<Receiver> => {
  const received: Array<Received> = []
  const server = createServer({ cert: certificate, key: read('key.pem') }, (request, response) => {
    text(request).then(
      (body) => {
        const form: ReadonlyArray<[string, string]> = [...new URLSearchParams(body)]
        const nth = received.push({
          path: `${request.method ?? ''} ${request.url ?? ''}`,
          type: request.headers['content-type'] ?? '',
          form,
        })
        answer(response, nth - 1)
      },
      () => undefined,
    )
  })
  // Unreferenced, so that a failed test does not keep the process alive.
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve).unref())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    uri: `https://sector.example:${port}/logout?from=op`,
    received,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const tokensOf = ({ received }: Pick<Receiver, 'received'>): ReadonlyArray<string> =>
  received.flatMap(({ form }) => form.filter(([name]) => name === 'logout_token').map(([, value]) => value))

/** Waits for the condition, for a minute at most. */
export const until = async (holds: () => boolean | Promise<boolean>, patience = 60_000, pause = 10): Promise<void> => {
  const deadline = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`never came true: ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
