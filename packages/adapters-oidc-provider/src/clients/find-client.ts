import { ClientId, matchRedirectUri } from '@clientele/domain/client'
import { isSuspended } from '@clientele/domain/life-cycle'
import { type KnownClient, registrationOfKnown } from '@clientele/domain/provider'
import { type RegisteredClient, type Registration, hasExpiredSecret } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type ClientMetadata as EngineMetadata, type Provider, errors } from 'oidc-provider'
import { presentRequest } from '../context.js'
import { TemporarilyUnavailable, orThrow, performed } from '../errors.js'
import type { EnginePorts } from '../ports.js'
import { handedMetadata, knownFacts } from './handed-client.js'
import {
  leadsToConsent,
  refuseDocument,
  refuseExpired,
  refusePublicIntrospection,
  refuseUnapproved,
  refuseWithdrawn,
} from './withdrawn-client.js'

export type EngineClient = InstanceType<Provider['Client']>

// A loaded client has its keys ready: most requests of a busy client find it here.
const maxLoaded = 1_000

const createLoaded = (): ((key: string, load: () => EngineClient) => EngineClient) => {
  const loaded = new Map<string, EngineClient>()
  return (key, load) => {
    const client = loaded.get(key) ?? load()
    loaded.delete(key)
    loaded.set(key, client)
    const [oldest] = loaded.keys()
    if (loaded.size > maxLoaded && oldest !== undefined) loaded.delete(oldest)
    return client
  }
}

export const knownOf = (client: EngineClient): KnownClient => client['known'] as KnownClient

/** What the client is, at the version that the engine has loaded. */
export const registeredOf = (client: EngineClient): RegisteredClient => knownOf(client).client

/** Whether an end-user must be asked, whatever was consented to before. */
export const isUnapproved = (client: EngineClient): boolean => knownOf(client).kind === 'documented'

/** The registration of a client that the engine has loaded; a document without an approval has none. */
export const registrationOf = (client: EngineClient): Registration | undefined => {
  const stored = registrationOfKnown(knownOf(client))
  return stored === undefined ? undefined : { client_id: stored.client_id, registration_id: stored.registration_id }
}

/** The client as the engine has it. */
export const loadClient = (
  { Client }: Pick<Provider, 'Client'>,
  algorithms: ReadonlyArray<string>,
  known: KnownClient,
): EngineClient => {
  // The declared type of the class has no constructor with metadata.
  const Loading = Client as unknown as new (metadata: EngineMetadata) => EngineClient
  return Object.assign(new Loading(handedMetadata(known.client, algorithms)), knownFacts(known))
}

export type FoundClients = {
  readonly provider: Pick<Provider, 'Client'>
  readonly algorithms: ReadonlyArray<string>
  readonly ports: Pick<EnginePorts, 'resolveClient' | 'isRemembered' | 'now'>
  /** Called for each search in a request, before it is judged. */
  readonly beforeJudgement: () => Promise<void>
  /** Called when the client has authenticated by its secret, or need not authenticate. */
  readonly whenAuthenticated: (client: EngineClient) => Promise<void>
}

type FindPorts = FoundClients['ports']

const resolved = async ({ resolveClient }: FindPorts, id: string): Promise<KnownClient | 'unknown' | undefined> => {
  const found = await performed(resolveClient(id))
  if (E.isRight(found)) return O.isSome(found.right) ? found.right.value : 'unknown'
  switch (found.left.error) {
    case 'document_refused':
      return refuseDocument(found.left)
    case 'document_suspended':
      return refuseWithdrawn('suspended')
    case 'unavailable':
      throw new TemporarilyUnavailable(found.left.detail)
  }
}

/** None that was removed, of which the service still tells the application. */
const findGone = async ({ isRemembered }: FindPorts, id: string): Promise<undefined> =>
  ClientId.is(id) && (await orThrow(isRemembered(id))) ? refuseWithdrawn('gone') : undefined

const findKnown = async (ports: FindPorts, id: string): Promise<KnownClient | undefined> => {
  const known = await resolved(ports, id)
  if (known === undefined) return undefined
  if (known === 'unknown') return findGone(ports, id)
  if (isSuspended(known.client)) return refuseWithdrawn('suspended')
  if (known.kind === 'registered' || leadsToConsent()) return known
  return known.approved === undefined ? refuseUnapproved() : { kind: 'registered', client: known.approved }
}

// The first client that an introspection looks for is the one that asks; another one is that of the token.
const introspects = (): boolean => {
  const oidc = presentRequest()?.oidc
  return oidc?.route === 'introspection' && oidc.client === undefined
}

type Comparing = { readonly compareClientSecret: (this: EngineClient, sent: string) => Promise<boolean> | boolean }

/** Clients come from the registry and from their documents alone, and so do the answers about their redirection URIs. */
export const replaceClients = ({
  provider,
  algorithms,
  ports,
  beforeJudgement,
  whenAuthenticated,
}: FoundClients): void => {
  const { Client } = provider
  const loaded = createLoaded()
  Client.find = async (id: string): Promise<EngineClient | undefined> => {
    await beforeJudgement()
    const known = await findKnown(ports, id)
    if (known === undefined) return undefined
    if (introspects() && known.client.metadata.token_endpoint_auth_method === 'none') return refusePublicIntrospection()
    const load = (): EngineClient => loadClient(provider, algorithms, known)
    const { registration_id, version } = known.client
    const client = known.kind === 'documented' ? load() : loaded(`${registration_id} ${String(version)}`, load)
    if (client.tokenEndpointAuthMethod === 'none') await whenAuthenticated(client)
    return client
  }
  const { compareClientSecret } = Client.prototype as unknown as Comparing
  Object.assign(Client.prototype, {
    async compareClientSecret(this: EngineClient, sent: string): Promise<boolean> {
      const isSame = await compareClientSecret.call(this, sent)
      if (isSame) await whenAuthenticated(this)
      return isSame
    },
    // RFC 6749 §3.1.2.3, RFC 8252 §7.3
    redirectUriAllowed(this: EngineClient, requested: string): boolean {
      const registered = { application_type: this.applicationType ?? 'web', redirect_uris: this.redirectUris ?? [] }
      return O.isSome(matchRedirectUri(registered, requested))
    },
    // RFC 6749 §3.1.1: a response type is a set of values. The engine would take one that is named twice for one.
    responseModeAllowed(_mode: string, responseType: unknown): boolean {
      const values = typeof responseType === 'string' ? responseType.split(' ') : []
      if (new Set(values).size < values.length)
        throw new errors.UnsupportedResponseType('response_type repeats a value')
      return true
    },
    // RFC 7591 §3.2.1: the tolerance of the engine is for the clocks of clients, and this time is of the clock here.
    checkClientSecretExpiration(this: EngineClient, use: string, error?: string): void {
      if (hasExpiredSecret(registeredOf(this), ports.now())) refuseExpired(use, error)
    },
    // OpenID Front-Channel Logout §3: ID tokens name the session, whether the client asks for that or not.
    includeSid: () => true,
  })
}
