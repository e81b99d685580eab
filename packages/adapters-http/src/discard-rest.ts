import type { IncomingMessage } from 'node:http'

const patience = 1_000
const maxDiscarded = 1_048_576

/**
 * Discards the rest of a body, for one second and one mebibyte at most, so that a client that is still sending receives
 * the refusal.
 */
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
      if (discarded > maxDiscarded) done()
    })
    request.once('end', done).once('close', done).resume()
    if (request.readableEnded || request.destroyed) done()
  })
