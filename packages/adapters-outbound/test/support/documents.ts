import { ClientIdUrl } from '@clientele/domain/client'
import { type EpochSeconds, epochSeconds } from '@clientele/domain/kernel'
import type { ClientDocuments } from '@clientele/domain/ports'
import { type ClientDocumentsOptions, createClientDocuments } from '../../src/index.js'
import { lenient } from './fetched.js'
import type { TestServer } from './test-server.js'

export const asClientId = (text: string): ClientIdUrl => {
  if (!ClientIdUrl.is(text)) throw new Error(`${text} is no client_id`)
  return text
}

export const documentUrl = ({ port }: Pick<TestServer, 'port'>, path = '/client.json'): ClientIdUrl =>
  asClientId(`https://sector.example:${port}${path}`)

export const began: EpochSeconds = epochSeconds(1_800_000_000_000)

export type Watched = ClientDocuments & {
  /** Sets the clock to so many seconds after the beginning. */
  readonly setClock: (seconds: number) => void
  /** The hosts and reasons of the log. */
  readonly failures: ReadonlyArray<string>
}

/** Documents with a clock that the test sets, from 300 to 86,400 seconds fresh. */
export const watchedDocuments = (options: Partial<ClientDocumentsOptions> = {}): Watched => {
  const clock = { now: began }
  const failures: Array<string> = []
  const documents = createClientDocuments({
    ...lenient,
    policy: () => ({ least_freshness: 300, greatest_freshness: 86_400 }),
    now: () => clock.now,
    onFailure: (url, reason) => void failures.push(`${new URL(url).hostname}: ${reason}`),
    ...options,
  })
  return { ...documents, failures, setClock: (seconds) => (clock.now = epochSeconds((began + seconds) * 1000)) }
}
