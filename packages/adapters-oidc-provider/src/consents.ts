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

type LoaderPorts = Pick<EnginePorts, 'findConsent'>

const knownGrant = async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
  const { provider, client, session, result } = oidc
  const id = result?.consent?.grantId ?? session?.grantIdFor(client?.clientId ?? '')
  return id === undefined ? undefined : provider.Grant.find(id)
}

const grantByConsent = async (ports: LoaderPorts, { oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
  const { provider, client, session } = oidc
  if (client === undefined || session?.accountId === undefined) return undefined
  const permissions = await remembered(ports, session.accountId, registrationOf(client))
  if (permissions === undefined) return undefined
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
  addPermissions(grant, permissions)
  await grant.save()
  return grant
}

/** The grant of the session for the client, or a new one by a consent that is remembered. */
export const grantLoader =
  (ports: LoaderPorts) =>
  async (request: KoaContextWithOIDC): Promise<Grant | undefined> =>
    (await knownGrant(request)) ?? grantByConsent(ports, request)
