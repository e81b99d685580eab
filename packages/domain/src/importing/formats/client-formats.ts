// The formats that clients are imported from.
import type { ReadClientRecord } from '../client-draft.js'
import { readBetterAuthClient } from './better-auth.js'
import { readExportedClient } from './clientele.js'
import { readConnect2idClient } from './connect2id.js'
import { readHydraClient } from './hydra.js'
import { readKeycloakClient } from './keycloak.js'
import { readOidcProviderClient } from './node-oidc-provider.js'

export type ClientFormat = {
  readonly read: ReadClientRecord
  /** The member of an enclosing object that has the list of clients. */
  readonly list?: string
  /** Whether a file is an array or has one record in each line, and is no other document. */
  readonly linesOnly: boolean
  /** Whether records may say when the client was used last. */
  readonly saysLastUse: boolean
}

export const clientFormats = {
  clientele: { read: readExportedClient, linesOnly: true, saysLastUse: true },
  'node-oidc-provider': { read: readOidcProviderClient, linesOnly: true, saysLastUse: false },
  keycloak: { read: readKeycloakClient, list: 'clients', linesOnly: false, saysLastUse: false },
  hydra: { read: readHydraClient, list: 'items', linesOnly: false, saysLastUse: false },
  connect2id: { read: readConnect2idClient, linesOnly: false, saysLastUse: false },
  'better-auth': { read: readBetterAuthClient, linesOnly: false, saysLastUse: false },
} as const satisfies Readonly<Record<string, ClientFormat>>

export type ClientFormatName = keyof typeof clientFormats
