import type { Requester } from '@clientele/domain/authorization'
import type { SectorIdentifiers } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import { type OutboundOptions, createSectorIdentifiers } from '../../src/index.js'
import { type TestServer, certificate } from './test-server.js'

/**
 * Options by which a test can reach its server; the time limit is long, so that only the tested condition ends a
 * request.
 */
export const lenient = {
  allowsAddress: (): boolean => true,
  lookup: (): Promise<ReadonlyArray<string>> => Promise.resolve(['127.0.0.1']),
  ca: certificate,
  timeLimit: 30_000,
}

export const sectorUri = ({ port }: TestServer): string => `https://sector.example:${port}/redirect-uris.json`

/** The document; or the reason, which is always a short text, and whether the service itself was unable. */
export const fetched = async (
  { fetchSectorIdentifier }: SectorIdentifiers,
  uri: string,
  requester: Requester = { kind: 'master' },
): Promise<unknown> => {
  const result = await fetchSectorIdentifier(uri, requester)()
  if (E.isRight(result)) return result.right
  const { error, detail } = result.left
  if (typeof detail !== 'string' || detail.length > 200) throw new Error('the detail is no short text')
  return error === 'unavailable' ? `unable: ${detail}` : `unavailable: ${detail}`
}

export const fetchLeniently = (server: TestServer, options: Partial<OutboundOptions> = {}): Promise<unknown> =>
  fetched(createSectorIdentifiers({ ...lenient, ...options }), sectorUri(server))
