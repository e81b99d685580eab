// What end-users are and consented to: their claims from the last login (OpenID Core §5), and grants of the engine from
// remembered consents.
import { type EpochSeconds, type JsonObject, secondsAfter } from '@clientele/domain/kernel'
import { Subject } from '@clientele/domain/logout'
import { type Consent, type ConsentPolicy, decideConsent, describeForConsent } from '@clientele/domain/provider'
import * as O from 'fp-ts/lib/Option.js'
import type { FindAccount, KoaContextWithOIDC, Provider } from 'oidc-provider'
import { claimsByScope, grantLifetime } from './abilities.js'
import { isUnapproved, registeredOf, registrationOf } from './clients.js'
import { orThrow } from './errors.js'
import type { EnginePorts } from './ports.js'

/** The claims that the login method reported at the last login; none if that was too long ago. */
export const claimsOf = async ({ findArtefact, hashToken }: EnginePorts, sub: string): Promise<JsonObject> => {
  const found = await orThrow(findArtefact('account', hashToken(sub)))
  return O.isSome(found) ? found.value.payload : {}
}

/** Stores the claims; they are there for as long as any grant of this login. */
export const storeClaims = async (
  { storeArtefact, hashToken }: EnginePorts,
  sub: Subject,
  payload: JsonObject,
  at: EpochSeconds,
): Promise<void> => {
  const expires_at = secondsAfter(at, 2 * grantLifetime)
  await orThrow(storeArtefact({ kind: 'account', hash: hashToken(sub), sub, expires_at, payload }, at))
}

// OpenID Core §5.4, §5.5: other scope values and requested claims alone ask for more than the sub.
const asksForClaims = (scope: string, requested: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(requested).length > 0 || scope.split(' ').some((value) => Object.hasOwn(claimsByScope, value))

export const accountFinder =
  (ports: EnginePorts): FindAccount =>
  (_request, sub) => ({
    accountId: sub,
    claims: async (_use, scope, requested) =>
      asksForClaims(scope, requested) ? { ...(await claimsOf(ports, sub)), sub } : { sub },
  })

type Grant = InstanceType<Provider['Grant']>

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
  { findConsent }: EnginePorts,
  { client, session }: KoaContextWithOIDC['oidc'],
): Promise<O.Option<Consent>> => {
  const sub = session?.accountId
  const registration = client === undefined ? undefined : registrationOf(client)
  return registration === undefined || !Subject.is(sub) ? O.none : orThrow(findConsent(sub, registration))
}

// The engine itself asks for what the grant does not contain, and where the request demands a consent.
const mustAsk = (
  policy: ConsentPolicy,
  { client, params }: KoaContextWithOIDC['oidc'],
  earlier: O.Option<Consent>,
): boolean => {
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

const isWithin = (values: string, given: ReadonlyArray<string> = []): boolean =>
  values.split(' ').every((value) => value === '' || given.includes(value))

/** Whether the consent gives all that the grant contains. */
const covers = ({ scope, resources }: Consent, grant: Grant): boolean =>
  isWithin(grant.getOIDCScope(), scope) &&
  Object.entries(grant.resources ?? {}).every(([resource, values]) =>
    isWithin(values, Object.hasOwn(resources, resource) ? resources[resource] : undefined),
  )

// The release before left the grant of another session where an answer forgot some of what it contains.
const grantOfSession = async (
  { provider, client, session }: KoaContextWithOIDC['oidc'],
  earlier: O.Option<Consent>,
): Promise<Grant | undefined> => {
  const id = client === undefined ? undefined : session?.grantIdFor(client.clientId)
  const grant = id === undefined ? undefined : await provider.Grant.find(id)
  return grant === undefined || (O.isSome(earlier) && !covers(earlier.value, grant)) ? undefined : grant
}

/** Stores the grant; it ends again where the connection was revoked meanwhile, also if another consent followed. */
export const saveGrant = async (
  { findConsent }: EnginePorts,
  grant: Grant,
  { sub, client }: Pick<Consent, 'sub' | 'client'>,
): Promise<Grant | undefined> => {
  await grant.save()
  const given = await orThrow(findConsent(sub, client))
  if (O.isSome(given) && covers(given.value, grant)) return grant
  await grant.destroy()
  return undefined
}

/**
 * The grant of the consent that the end-user has just given; or that of the session, or a new one by a consent that is
 * remembered, unless the end-user must be asked again.
 */
export const grantLoader =
  (settled: Omit<ConsentPolicy, 'clients'>, ports: EnginePorts) =>
  async ({ oidc }: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { provider, result, client, session } = oidc
    const given = result?.consent?.grantId
    if (given !== undefined) return provider.Grant.find(given)
    const earlier = await remembered(ports, oidc)
    const policy = { ...settled, clients: ports.clientEntries() }
    if (client === undefined || mustAsk(policy, oidc, earlier)) return undefined
    const ofSession = await grantOfSession(oidc, earlier)
    if (ofSession !== undefined) return ofSession
    if (session?.accountId === undefined || O.isNone(earlier)) return undefined
    const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
    addPermissions(grant, earlier.value)
    return saveGrant(ports, grant, earlier.value)
  }
