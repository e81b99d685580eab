// Grants of the engine from remembered consents.
import { Subject } from '@clientele/domain/logout'
import { type Consent, type ConsentPolicy, decideConsent, describeForConsent } from '@clientele/domain/provider'
import * as O from 'fp-ts/lib/Option.js'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isUnapproved, registeredOf, registrationOf } from './clients/find-client.js'
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

type LoaderPorts = Pick<EnginePorts, 'findConsent'>

/** What the end-user consented to at an earlier time. */
const remembered = async ({ findConsent }: LoaderPorts, { oidc }: KoaContextWithOIDC): Promise<O.Option<Consent>> => {
  const { client, session } = oidc
  const sub = session?.accountId
  const registration = client === undefined ? undefined : registrationOf(client)
  return registration === undefined || !Subject.is(sub) ? O.none : orThrow(findConsent(sub, registration))
}

// The engine itself asks for what the grant does not contain, and where the request demands a consent.
const mustAsk = (policy: ConsentPolicy, { oidc }: KoaContextWithOIDC, earlier: O.Option<Consent>): boolean => {
  const { client, params } = oidc
  if (client === undefined || isUnapproved(client)) return true
  const redirectUri = params?.['redirect_uri']
  const request = {
    client: registeredOf(client),
    redirectUri: typeof redirectUri === 'string' ? redirectUri : '',
    scope: [],
    resources: {},
  }
  return decideConsent(policy)(request, earlier, describeForConsent(policy)(request, earlier)).kind === 'ask'
}

const grantOfSession = async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
  const id = oidc.session?.grantIdFor(oidc.client?.clientId ?? '')
  return id === undefined ? undefined : oidc.provider.Grant.find(id)
}

const grantByConsent = async (
  { oidc }: KoaContextWithOIDC,
  permissions: O.Option<Permissions>,
): Promise<Grant | undefined> => {
  const { provider, client, session } = oidc
  if (client === undefined || session?.accountId === undefined || O.isNone(permissions)) return undefined
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
  addPermissions(grant, permissions.value)
  await grant.save()
  return grant
}

/**
 * The grant of the consent that the end-user has just given; or that of the session, or a new one by a consent that is
 * remembered, unless the end-user must be asked again.
 */
export const grantLoader =
  (policy: ConsentPolicy, ports: LoaderPorts) =>
  async (request: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { provider, result } = request.oidc
    const given = result?.consent?.grantId
    if (given !== undefined) return provider.Grant.find(given)
    const earlier = await remembered(ports, request)
    if (mustAsk(policy, request, earlier)) return undefined
    return (await grantOfSession(request)) ?? grantByConsent(request, earlier)
  }
