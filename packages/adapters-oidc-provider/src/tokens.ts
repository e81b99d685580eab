// Tokens: the engine composes them, and this service signs them (docs/decisions/engine.md), with the scope that the domain permits.
import { isRegistrationScopeValue } from '@clientele/domain/authorization'
import { type TokenLifetimes, lifetimeOf, withinEntry } from '@clientele/domain/policy'
import type { JwsSigner, SigningKey } from '@clientele/domain/ports'
import { type PermittedScope, type ScopeRequest, decideScope } from '@clientele/domain/provider'
import * as E from 'fp-ts/lib/Either.js'
import { type KeyObject, createPublicKey } from 'node:crypto'
import {
  type AdapterPayload,
  type KoaContextWithOIDC,
  type Provider,
  type ResourceServer,
  ExternalSigningKey,
  errors,
} from 'oidc-provider'
import { type EngineClient, registeredOf, registrationOf } from './clients.js'
import { allStored, presentRequest, wordsOf } from './context.js'
import { orThrow, performed } from './errors.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { sidOfUid } from './sessions.js'

type KeyParts = Readonly<Partial<Record<'kty' | 'crv' | 'e' | 'n' | 'x' | 'y', string>>>

/** The key of an algorithm that signs at present: after a roll-over it is another one, without a new engine. */
export class PresentSigningKey extends ExternalSigningKey {
  readonly #alg: string
  readonly #signer: JwsSigner

  constructor(alg: string, signer: JwsSigner) {
    super()
    this.#alg = alg
    this.#signer = signer
  }

  #present(): SigningKey {
    const key = this.#signer.signingKeyOf(this.#alg)
    if (key === undefined) throw new Error(`no key of this service signs by ${this.#alg}`)
    return key
  }

  #parts(): KeyParts {
    return this.#present().jwk
  }

  override get kid(): string {
    return this.#present().kid
  }

  override get alg(): string {
    return this.#alg
  }

  override get kty(): string {
    return this.#present().jwk.kty
  }

  override get crv(): string | undefined {
    return this.#parts().crv
  }

  override get e(): string | undefined {
    return this.#parts().e
  }

  override get n(): string | undefined {
    return this.#parts().n
  }

  override get x(): string | undefined {
    return this.#parts().x
  }

  override get y(): string | undefined {
    return this.#parts().y
  }

  override keyObject(): KeyObject {
    return createPublicKey({ key: { ...this.#present().jwk }, format: 'jwk' })
  }

  // RFC 7515 §5.1: the octets are the signing input.
  override async sign(data: Uint8Array): Promise<Uint8Array> {
    const signature = await orThrow(this.#signer.signInput(Buffer.from(data).toString('ascii')))
    return Buffer.from(signature, 'base64url')
  }
}

// ID tokens of the engine: RFC 7519, OpenID Core §2.

type IdToken = InstanceType<Provider['IdToken']>
type Issuing = Parameters<IdToken['issue']>[0]

const presentUid = (): string | undefined => {
  const { session, entities } = presentRequest()?.oidc ?? {}
  return session?.uid ?? entities?.AuthorizationCode?.sessionUid ?? entities?.RefreshToken?.sessionUid
}

/**
 * OpenID Back-Channel Logout §2: the client is told when the session ends, by the sub and sid of its ID tokens. A token for
 * offline access may be issued when the session is over; no application is notified then.
 */
const recordClient = async (ports: EnginePorts, token: IdToken): Promise<void> => {
  const ended = await sidOfUid(ports, presentUid())
  const { sid } = token.extra
  const registration = registrationOf(token.client)
  if (ended === undefined || registration === undefined || typeof sid !== 'string') return
  const { sub } = await token.payload()
  const recorded = await performed(ports.sessions.recordClient(ended, { ...registration, sub: String(sub), sid }))
  if (E.isRight(recorded)) return
  if (recorded.left.error === 'session_full')
    throw new errors.AccessDenied('the end-user session has too many applications: sign out first')
}

/** Signs by the present keys, and reads hints by every published one. */
export const replaceIdTokens = ({ IdToken }: Provider, ports: EnginePorts): void => {
  const issue: unknown = Reflect.get(IdToken.prototype, 'issue')
  if (typeof issue !== 'function') throw new Error('the engine issues ID tokens in another way')
  Object.assign(IdToken.prototype, {
    async issue(this: IdToken, issuing: Issuing): Promise<string> {
      await ports.readyToSign()
      // OpenID Core §12.2: after a refresh, the nonce of the authorization request is left out.
      if (presentRequest()?.oidc.params?.['grant_type'] === 'refresh_token') this.set('nonce', undefined)
      // OpenID Core §2: what the login said of the authentication. The engine gives it only where acr values are configured.
      for (const name of ['acr', 'amr']) if (this.available[name] !== undefined) this.set(name, this.available[name])
      if (issuing.use === 'idtoken') await recordClient(ports, this)
      const issued = Reflect.apply(issue as (issuing: Issuing) => Promise<string>, this, [issuing])
      const [token] = await Promise.all([issued, allStored()])
      return token
    },
  })
  Object.assign(IdToken, {
    validate: async (hint: string, client: IdToken['client']) => {
      const read = await ports.readHint(hint, registeredOf(client))()
      const { aud } = read?.claims ?? {}
      if (read === undefined || !(Array.isArray(aud) ? aud : [aud]).includes(client.clientId))
        throw new errors.InvalidRequest('could not validate id_token_hint')
      return { header: {}, payload: { ...read.claims } }
    },
  })
}

// Scopes and resources (RFC 6749 §3.3, RFC 8707) by the decision of the domain.

type Deciding = Pick<EngineSettings, 'resources' | 'scopes'>
type Entries = Pick<EnginePorts, 'clientEntries'>

const decided = (
  { resources, scopes }: Deciding,
  { clientEntries }: Entries,
  request: ScopeRequest,
): PermittedScope => {
  const permitted = decideScope({ resources, scopes, clients: clientEntries() })(request)
  if (E.isRight(permitted)) return permitted.right
  const { error, error_description } = permitted.left
  throw new errors.CustomOIDCProviderError(error, error_description)
}

/** RFC 6749 §4.1.2.1: an authorization request, pushed or not, is refused before the end-user is asked for anything. */
export const judgeScope =
  (settings: Deciding, entries: Entries) =>
  ({ oidc: { params = {} } }: KoaContextWithOIDC, requested: string | undefined, client: EngineClient): void => {
    const resources = [params['resource']].flat().filter((each): each is string => typeof each === 'string')
    const request = {
      client: registeredOf(client),
      grant: 'end_user',
      resources,
      requested: wordsOf(requested),
    } as const
    // Without the values that are ignored.
    params['scope'] = decided(settings, entries, request).scope.join(' ')
  }

type Token = InstanceType<Provider['AccessToken'] | Provider['ClientCredentials']>

const scopeOf = (settings: Deciding, entries: Entries, token: Token): string => {
  const { client, kind, scope, resourceServer } = token
  if (client === undefined) throw new Error('an access token is issued to a client')
  const resources = resourceServer === undefined ? [] : [resourceServer.identifier()]
  const grant = kind === 'ClientCredentials' ? 'client_credentials' : 'end_user'
  const asked =
    grant === 'end_user'
      ? { requested: wordsOf(scope), granted: wordsOf(scope) }
      : { requested: wordsOf(presentRequest()?.oidc.params?.['scope']) }
  const permitted = decided(settings, entries, { client: registeredOf(client), grant, resources, ...asked })
  return (permitted.resources[0] ?? permitted).scope.join(' ')
}

const boundRegistration =
  'scope has a value of registration (client-reg), which no token with a DPoP key may have, because clients register by bearer tokens alone (RFC 9449 7.2): leave the value out, ask without a DPoP proof if the client need not send one, or let the operator issue an initial access token'

/**
 * Every access token is stored and signed with the permitted scope, whatever led to it: the registration may have changed
 * since the end-user granted it.
 */
export const boundTokens = (
  { AccessToken, ClientCredentials }: Provider,
  settings: EngineSettings,
  entries: Entries,
): void => {
  for (const { prototype } of [AccessToken, ClientCredentials]) {
    const save: unknown = Reflect.get(prototype, 'save')
    if (typeof save !== 'function') throw new Error('the engine issues access tokens in another way')
    Object.assign(prototype, {
      async save(this: Token): Promise<string> {
        const scope = scopeOf(settings, entries, this)
        // RFC 9449 §7.2: a token with a key is no good as a bearer token, and POST /clients takes no others.
        if (this.jkt !== undefined && wordsOf(scope).some(isRegistrationScopeValue))
          throw new errors.CustomOIDCProviderError('invalid_scope', boundRegistration)
        if (scope !== (this.scope ?? '')) this.scope = scope
        return Reflect.apply(save as () => Promise<string>, this, [])
      },
    })
  }
}

/** OpenID Core §11: offline access does not end with the session. */
export const endsWithSession = (
  { tokensEndWithSession }: Pick<EngineSettings, 'tokensEndWithSession'>,
  scope: unknown,
): boolean => tokensEndWithSession && !wordsOf(scope).includes('offline_access')

/**
 * A code or a refresh token as it counts now: an entry may have lost scope values since it was issued. ID tokens and the
 * refresh token in its place follow from what is left.
 */
export const boundSource = (
  settings: EngineSettings,
  { clientEntries }: Entries,
  payload: AdapterPayload,
): AdapterPayload => {
  const granted = wordsOf(payload.scope)
  const left = withinEntry(clientEntries(), payload.clientId ?? '', granted)
  if (left.length === granted.length) return payload
  const scope = left.join(' ')
  return { ...payload, scope, ...(endsWithSession(settings, scope) ? { expiresWithSession: true } : {}) }
}

// At the token endpoint, the scope that was granted counts.
const requestedScope = ({ oidc }: KoaContextWithOIDC): ReadonlyArray<string> => [
  ...wordsOf(oidc.params?.['scope']),
  ...wordsOf(oidc.entities.AuthorizationCode?.scope),
  ...wordsOf(oidc.entities.RefreshToken?.scope),
]

/** The lifetime of a token from now on; the engine asks as it issues one. */
export const livesFor =
  ({ accessTokenLifetime: access_token, refreshTokenLifetime: refresh_token }: EngineSettings, entries: Entries) =>
  (kind: keyof TokenLifetimes) =>
  (_request: KoaContextWithOIDC, { clientId = '' }: { readonly clientId?: string | undefined }): number =>
    lifetimeOf(entries.clientEntries(), { access_token, refresh_token }, clientId, kind)

/** What the engine gets to know of a resource; it offers the end-user what the client may ask for there. */
export const resourceServers =
  (settings: EngineSettings, entries: Entries) =>
  (request: KoaContextWithOIDC, resource: string, client: EngineClient): ResourceServer => {
    const grant = request.oidc.params?.['grant_type'] === 'client_credentials' ? 'client_credentials' : 'end_user'
    const requested = requestedScope(request)
    const asked = { client: registeredOf(client), grant, resources: [resource], requested, granted: requested } as const
    const [permitted] = decided(settings, entries, asked).resources
    const [alg] = settings.signingAlgorithms
    const format = permitted?.format ?? 'opaque'
    return {
      audience: permitted?.audience ?? resource,
      scope: (permitted?.scope ?? []).join(' '),
      accessTokenFormat: format,
      ...(format === 'jwt' ? ({ jwt: { sign: { alg } } } as Pick<ResourceServer, 'jwt'>) : {}),
    }
  }
