// What an operator needs for each route.
import { type ManagementPrivileges, neededForClients } from '@clientele/domain/authorization'

const table = {
  'GET /clients': ['clients:read'],
  'POST /clients': neededForClients.register,
  'GET /clients/:id': neededForClients.read,
  'PUT /clients/:id': neededForClients.update,
  'DELETE /clients/:id': neededForClients.remove,
  'POST /clients/:id/renewal': ['clients:write', 'clients:secrets'],
  'POST /clients/:id/suspension': ['clients:write'],
  'DELETE /clients/:id/suspension': ['clients:write'],
  'GET /manage/v1/clients': ['clients:read'],
  'GET /manage/v1/clients/:id': ['clients:read'],
  'GET /manage/v1/clients/:id/secrets': ['clients:read', 'clients:secrets'],
  // The answer has the credentials of the client only for an operator who may see them.
  'PATCH /manage/v1/clients/:id': ['clients:write'],
  'DELETE /manage/v1/clients/:id': ['clients:write'],
  'POST /manage/v1/clients/:id/restoration': ['clients:write'],
  'GET /manage/v1/removals': ['clients:read'],
  // The number of the clients that a filter selects says something of them.
  'POST /manage/v1/clients/suspension': ['clients:read', 'clients:write'],
  'POST /manage/v1/clients/resumption': ['clients:read', 'clients:write'],
  'POST /manage/v1/clients/removal': ['clients:read', 'clients:write'],
  'GET /exported-clients': ['clients:read', 'clients:secrets'],
  // A record contains credentials, and may be of a client that registers others.
  'POST /imported-clients': ['clients:write', 'clients:secrets', 'tokens'],
  'POST /registration-policy/judgement': ['clients:read'],
  'POST /direct-authz': ['tokens'],
  'GET /initial-access-tokens': ['tokens'],
  'DELETE /initial-access-tokens/:id': ['tokens'],
  'GET /keys': ['keys'],
  'POST /keys/roll-over': ['keys'],
  'POST /keys/compromise': ['keys'],
  'POST /keys/import': ['keys'],
  'POST /keys/foreign': ['keys'],
  'POST /keys/foreign/remove': ['keys'],
  'POST /keys/sign': ['keys'],
  'POST /keys/decrypt': ['keys'],
  'GET /encryption/keys': ['keys'],
  'POST /encryption/keys': ['keys'],
  'POST /encryption/keys/drop': ['keys'],
  'POST /encryption/re-seal': ['keys'],
  'POST /sessions': ['sessions'],
  'GET /sessions': ['sessions'],
  'POST /sessions/find': ['sessions'],
  'POST /sessions/:sid/clients': ['sessions'],
  'DELETE /sessions/:sid': ['sessions'],
  'GET /metrics': ['metrics'],
  'GET /logouts': ['deliveries'],
  'POST /logouts/retry': ['deliveries'],
  'GET /operator-tokens': ['operators'],
  'POST /operator-tokens': ['operators'],
  'DELETE /operator-tokens/:id': ['operators'],
  'GET /manage/v1/audit': ['audit'],
  'GET /manage/v1/audit/verification': ['audit'],
  'POST /reload': ['operators'],
} as const satisfies Readonly<Record<string, ManagementPrivileges>>

export type OperatorRoute = keyof typeof table

/** The privileges that an operator needs for a route. */
export type NeededFor<Route extends OperatorRoute> = (typeof table)[Route][number]

/**
 * The routes that operators may request, each with the privileges that it needs: all of them. Clients request those of
 * `/clients` with their own tokens as well.
 */
export const neededPrivileges: { readonly [Route in OperatorRoute]: ReadonlyArray<NeededFor<Route>> } = table
