// Grants of the engine from remembered consents.
import { type Registration, Subject } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { registrationOf } from './clients/find-client.js'
import { orThrow } from './errors.js'
import type { EnginePorts } from './ports.js'

export type Grant = InstanceType<Provider['Grant']>

export type Permissions = {
  readonly scope: ReadonlyArray<string>
  readonly resources: Readonly<Record<string, ReadonlyArray<string>>>
}

export const addPermissions = (grant: Grant, { scope, resources }: Permissions): void => {
  if (scope.length > 0) grant.addOIDCScope(scope.join(' '))
  for (const [resource, values] of Object.entries(resources)) grant.addResourceScope(resource, values.join(' '))
}

/** What the end-user consented to at an earlier time. */
const remembered = async (
  { findConsent }: Pick<EnginePorts, 'findConsent'>,
  sub: string | undefined,
  client: Registration,
): Promise<Permissions | undefined> => {
  if (!Subject.is(sub)) return undefined
  const found = await orThrow(findConsent(sub, client))
  return O.isNone(found) ? undefined : found.value
}

/** The grant of the session for the client, or a new one by a consent that is remembered. */
export const grantLoader =
  (ports: Pick<EnginePorts, 'findConsent'>) =>
  async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { provider, client, session, result } = oidc
    if (client === undefined || session === undefined) return undefined
    const known = result?.consent?.grantId ?? session.grantIdFor(client.clientId)
    const found = known === undefined ? undefined : await provider.Grant.find(known)
    if (found !== undefined) return found as Grant
    const permissions = await remembered(ports, session.accountId, registrationOf(client))
    if (permissions === undefined || session.accountId === undefined) return undefined
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
    addPermissions(grant, permissions)
    await grant.save()
    return grant
  }
