import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })

/** A port below those of outgoing connections (from 32768), so that it stays free while a server is stopped. */
export const freePort = async (): Promise<number> => {
  const port = randomInt(20_000, 32_000)
  return (await isFree(port)) ? port : freePort()
}
