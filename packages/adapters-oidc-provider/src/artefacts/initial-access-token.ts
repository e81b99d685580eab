// Specification §5.1: an access token of the service registers a client, where its scope says so.
import type { AuditRow } from '@clientele/domain/audit'
import { type TokenHash, isRegistrationScopeValue, parseRegistrationScope } from '@clientele/domain/authorization'
import type { Artefact } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { errors } from 'oidc-provider'
import { presentRequest } from '../context.js'
import { orThrow } from '../errors.js'
import type { EnginePorts } from '../ports.js'

export type InitialTokenPorts = Pick<
  EnginePorts,
  'addInitialAccessToken' | 'removeInitialAccessToken' | 'auditRow' | 'now'
>

/** The values of the scope that registration knows; others are of no concern to it. */
const registrationValues = (scope: unknown): string =>
  typeof scope === 'string' ? scope.split(' ').filter(isRegistrationScopeValue).join(' ') : ''

// The client that sends the request is the actor.
const rowOf = (
  { auditRow, now }: InitialTokenPorts,
  action: 'initial_access_token_issued' | 'initial_access_token_revoked',
  subject: TokenHash,
  members: ReadonlyArray<string>,
): AuditRow | undefined => {
  const request = presentRequest()
  const client_id = request?.oidc.client?.clientId
  if (request === undefined || client_id === undefined) return undefined
  return auditRow(request, {
    at: now(),
    action,
    actor: { kind: 'client', fingerprint: '' },
    client_id,
    subject,
    members,
  })
}

/** Makes the token good for one registration, too. */
export const addAsInitialAccessToken = async (
  ports: InitialTokenPorts,
  { hash, client, expires_at, payload }: Artefact,
): Promise<void> => {
  const values = registrationValues(payload['scope'])
  if (values === '') return
  const scope = parseRegistrationScope(values)
  if (E.isLeft(scope)) return
  const token = { hash, expires_at, ...scope.right, ...(client === undefined ? {} : { owner: client }) }
  const row = rowOf(ports, 'initial_access_token_issued', hash, ['expires_at', 'scope'])
  await orThrow(
    ports.addInitialAccessToken(token, ports.now(), row),
    () => new errors.InvalidClient('client is invalid', 'its registration has ended'),
  )
}

/** RFC 7009 §2.1: the token registers no client any more, either. */
export const removeInitialAccessToken = async (ports: InitialTokenPorts, hash: TokenHash): Promise<void> => {
  await orThrow(ports.removeInitialAccessToken(hash, rowOf(ports, 'initial_access_token_revoked', hash, [])))
}
