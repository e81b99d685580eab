// The registration of a public client that repeats an unused one: docs/decisions/0121.
import { jsonInOrder } from '../codec/json-object.js'
import { isOpenClient } from '../life-cycle/client-state.js'
import { isSuspended } from '../life-cycle/doors.js'
import type { RegisteredClient } from './registered-client.js'

// No party gets a secret of another: a client with a secret is never registered again as the same.
const isPublicAndOpen = (client: RegisteredClient): boolean =>
  isOpenClient(client) && client.secret === undefined && client.metadata.token_endpoint_auth_method === 'none'

/**
 * What a store finds a repeated registration by, as its keyed digest: the metadata and the address of the requester.
 * Undefined for a client that is not public and open, or if the address is unknown.
 */
export const fingerprintText = (client: RegisteredClient, address: string | undefined): string | undefined =>
  address === undefined || address === '' || !isPublicAndOpen(client)
    ? undefined
    : `registration ${jsonInOrder({ address, metadata: client.metadata })}`

/**
 * Whether the new registration gets the client_id of the stored one, and a new registration access token: only where the
 * stored client is what the new one would be. An update may have changed it since.
 */
export const repeats = (stored: RegisteredClient, next: RegisteredClient): boolean =>
  isPublicAndOpen(stored) &&
  isPublicAndOpen(next) &&
  !isSuspended(stored) &&
  jsonInOrder(stored.metadata) === jsonInOrder(next.metadata)
