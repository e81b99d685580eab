import { ClientId, type RegisteredClient, type Registration, isSuspended, matchRedirectUri } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import type { ClientMetadata as EngineMetadata, Provider } from 'oidc-provider'
import { orThrow } from '../errors.js'
import type { EnginePorts } from '../ports.js'
import { handedMetadata, registeredFacts } from './handed-client.js'
import { refuseWithdrawn } from './withdrawn-client.js'

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

/** The registration of a client that the engine has loaded. */
export const registrationOf = (client: EngineClient): Registration =>
  ({ client_id: client.clientId, registration_id: client['registrationId'] }) as Registration

/** What was registered, at the version that the engine has loaded. */
export const registeredOf = (client: EngineClient): RegisteredClient => client['registered'] as RegisteredClient

/** The client as the engine has it. */
export const loadClient = (
  { Client }: Pick<Provider, 'Client'>,
  algorithms: ReadonlyArray<string>,
  registered: RegisteredClient,
): EngineClient => {
  // The declared type of the class has no constructor with metadata.
  const Loading = Client as unknown as new (metadata: EngineMetadata) => EngineClient
  return Object.assign(new Loading(handedMetadata(registered, algorithms)), registeredFacts(registered))
}

export type FoundClients = {
  readonly provider: Pick<Provider, 'Client'>
  readonly algorithms: ReadonlyArray<string>
  readonly ports: Pick<EnginePorts, 'findClient' | 'isRemembered'>
  /** Called for each search in a request, before it is judged. */
  readonly beforeJudgement: () => Promise<void>
}

/** Clients come from the registry alone, and so do the answers about their redirection URIs. */
export const replaceClients = ({ provider, algorithms, ports, beforeJudgement }: FoundClients): void => {
  const { Client } = provider
  const { findClient, isRemembered } = ports
  const loaded = createLoaded()
  Client.find = async (id: string): Promise<EngineClient | undefined> => {
    await beforeJudgement()
    if (!ClientId.is(id)) return undefined
    const found = await orThrow(findClient(id))
    if (O.isNone(found)) return (await orThrow(isRemembered(id))) ? refuseWithdrawn('gone') : undefined
    if (isSuspended(found.value)) return refuseWithdrawn('suspended')
    const { registration_id, version } = found.value
    return loaded(`${registration_id} ${String(version)}`, () => loadClient(provider, algorithms, found.value))
  }
  Object.assign(Client.prototype, {
    // RFC 6749 §3.1.2.3, RFC 8252 §7.3
    redirectUriAllowed(this: EngineClient, requested: string): boolean {
      const registered = { application_type: this.applicationType ?? 'web', redirect_uris: this.redirectUris ?? [] }
      return O.isSome(matchRedirectUri(registered, requested))
    },
    // OpenID Front-Channel Logout §3: ID tokens name the session, whether the client asks for that or not.
    includeSid: () => true,
  })
}
