import type { IncomingMessage } from 'node:http'

const patience = 1_000
const mostDiscarded = 1_048_576

/** So that a refusal reaches a client that is still sending, the rest is thrown away: for a second, a mebibyte at most. */
export const discardRest = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let discarded = 0
    const timer = setTimeout(resolve, patience)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > mostDiscarded) done()
    })
    request.once('end', done).once('close', done).resume()
    if (request.readableEnded || request.destroyed) done()
  })
