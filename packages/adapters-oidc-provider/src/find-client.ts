// Clients come from the registry and from their documents alone. The answers to a client that is suspended or gone, or whose
// document does not count: docs/operate/year.md#life-cycle-of-a-client, docs/use/documents.md.
import { ClientId, isDocumented, matchRedirectUri } from '@clientele/domain/client'
import { type Withdrawn, withdrawalOf, withdrawnTexts } from '@clientele/domain/life-cycle'
import type { KnownClient } from '@clientele/domain/provider'
import { type RegisteredClient, hasExpiredSecret, secretsInForce } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { LRUCache } from 'lru-cache'
import { type Provider, errors } from 'oidc-provider'
import { type EngineClient, loadClient, registeredOf, secretsOf, useSecret } from './clients.js'
import { presentRequest, presentRoute, wordsOf } from './context.js'
import { TemporarilyUnavailable, orThrow, performed } from './errors.js'
import type { EnginePorts, EngineSettings } from './ports.js'
import { completeScope, fetchRequest, preparePushed, prepareRequest } from './requests.js'

/** Where an end-user is asked, so that a document counts before its approval. */
const byRequest = ['authorization', 'resume', 'pushed_authorization_request']
const byClient = ['token', 'introspection', 'revocation']

/** The statuses of the page of an end-user, and of the answer to the client. */
const statusesOf = { invalid_client: { page: 400, answer: 401 }, access_denied: { page: 403, answer: 400 } } as const

/**
 * RFC 6749 §5.2 and §4.1.2.1, with the remedy: applications register anew where the code is invalid_client. Those of the Model
 * Context Protocol do so at unauthorized_client as well, so that a client without an approval gets access_denied, which
 * RFC 8628 §3.5 has for the token endpoint.
 */
class RefusedClient extends errors.OIDCProviderError {
  constructor(
    description: string,
    detail: string,
    isAtPage: boolean,
    error: keyof typeof statusesOf = 'invalid_client',
  ) {
    const { page, answer } = statusesOf[error]
    super(isAtPage ? page : answer, error)
    this.error_description = description
    this.error_detail = detail
  }
}

/** Throws at a door that says so; elsewhere there is no such client. */
const refuse = (
  description: string,
  detail: string,
  { error, rules }: { readonly error?: keyof typeof statusesOf; readonly rules?: ReadonlyArray<string> } = {},
): undefined => {
  const oidc = presentRequest()?.oidc
  const route = presentRoute()
  if (oidc === undefined || ![...byRequest, ...byClient].includes(route)) return undefined
  // The engine looks for the client again where a request to redirect the answer has none yet.
  Object.assign(oidc, { noclient: true })
  const refused = new RefusedClient(description, detail, route === 'authorization' || route === 'resume', error)
  throw rules === undefined ? refused : Object.assign(refused, { rules })
}

const refuseWithdrawn = (state: Withdrawn): undefined =>
  refuse(withdrawnTexts[state], `the client is ${state}`, {
    error: state === 'pending' || state === 'refused' ? 'access_denied' : 'invalid_client',
  })

const findKnown = async (
  { resolveClient, isRemembered }: EnginePorts,
  id: string,
): Promise<KnownClient | undefined> => {
  const found = await performed(resolveClient(id))
  if (E.isLeft(found))
    switch (found.left.error) {
      case 'document_refused': {
        const rules = [...new Set(found.left.errors.map(({ rule }) => rule))]
        return refuse(found.left.error_description, `the document is refused: ${rules.join(', ')}`, { rules })
      }
      case 'document_suspended':
        return refuseWithdrawn('suspended')
      case 'unavailable':
        throw new TemporarilyUnavailable(found.left.detail)
    }
  // The service still tells the application of a client that was removed.
  if (O.isNone(found.right))
    return ClientId.is(id) && (await orThrow(isRemembered(id))) ? refuseWithdrawn('gone') : undefined
  const known = found.right.value
  const withdrawal = withdrawalOf(known.client)
  if (withdrawal !== undefined) return refuseWithdrawn(withdrawal)
  if (known.kind === 'registered' || byRequest.includes(presentRoute())) return known
  if (known.approved !== undefined) return { kind: 'registered', client: known.approved }
  // Without an approval, the client of a document has no tokens.
  return refuse(
    'No end-user has consented to this client yet: begin with an authorization request',
    'no end-user has approved the document',
  )
}

/** RFC 6749 §5.2: 401 where the client authenticates; elsewhere its secret was to sign, verify or encrypt something. */
const refuseExpired = (use: string, error = 'invalid_client'): never => {
  const authenticates = [...byClient, 'pushed_authorization_request'].includes(presentRoute())
  const isOfClient = authenticates && error === 'invalid_client'
  const text = 'The client_secret has expired: read the registration for its new one'
  throw Object.assign(new RefusedClient(text, use, !isOfClient), { error, message: error })
}

type Comparing = {
  readonly compareClientSecret: (this: { readonly clientSecret: string }, sent: string) => Promise<boolean> | boolean
}

/** What the engine says where the secret that is to sign or encrypt something has expired, and not one that a client presents. */
const isOfAnswer = (use: string): boolean => use.includes('cannot')

// The end of a secret makes no version, nor does another policy, which gives the client of a document other privileges.
const keyOf = (client: RegisteredClient, secrets: ReadonlyArray<string>): string => {
  const { registration_id, version, privileges } = client
  const ofPolicy = isDocumented(client) ? JSON.stringify(privileges) : ''
  return `${registration_id} ${String(version)} ${ofPolicy} ${secrets.join(' ')}`
}

const unauthorized =
  'the client may not use this response_type: register it in response_types, without authentication by a certificate, without tokens that are bound to one, and without tokens in the response that are bound by DPoP'

/** Finds clients, and answers for them what the engine asks about their secrets and redirection URIs. */
export const replaceClients = (
  provider: Pick<Provider, 'Client'>,
  settings: EngineSettings,
  ports: EnginePorts,
): void => {
  const { Client } = provider
  // A loaded client has its keys ready: most requests of a busy client find it here.
  const loaded = new LRUCache<string, EngineClient>({ max: 1_000 })
  Client.find = async (id: string): Promise<EngineClient | undefined> => {
    await prepareRequest(ports)
    const known = await findKnown(ports, id)
    if (known === undefined) return undefined
    const oidc = presentRequest()?.oidc
    // The first client that an introspection looks for is the one that asks; another one is that of the token.
    const introspects = oidc?.route === 'introspection' && oidc.client === undefined
    // RFC 7662 §2.1: before the token is found, so that no answer tells whether it is one.
    if (introspects && known.client.metadata.token_endpoint_auth_method === 'none')
      throw new RefusedClient(
        'Only a client that authenticates may introspect: use one that is registered with a secret or with keys',
        'the client has no authentication',
        false,
      )
    const secrets = secretsInForce(known.client, ports.now())
    const key = keyOf(known.client, secrets)
    const kept = known.kind === 'registered' ? loaded.get(key) : undefined
    const client = kept ?? loadClient(provider, settings, known, secrets)
    if (known.kind === 'registered' && kept === undefined) loaded.set(key, client)
    if (client.tokenEndpointAuthMethod === 'none') await preparePushed(ports, client)
    await fetchRequest(settings, ports, client)
    return client
  }
  const { compareClientSecret } = Client.prototype as unknown as Comparing
  Object.assign(Client.prototype, {
    // The engine compares in constant time.
    async compareClientSecret(this: EngineClient, sent: string): Promise<boolean> {
      const secrets = secretsOf(this)
      const isSame = await Promise.all(
        secrets.map(async (clientSecret) => compareClientSecret.call({ clientSecret }, sent)),
      )
      const used = secrets.find((_, place) => isSame[place] === true)
      if (used === undefined) return false
      useSecret(ports, this, used)
      await preparePushed(ports, this)
      return true
    },
    // RFC 6749 §3.1.2.3, RFC 8252 §7.3
    redirectUriAllowed(this: EngineClient, requested: string): boolean {
      const registered = { application_type: this.applicationType ?? 'web', redirect_uris: this.redirectUris ?? [] }
      return O.isSome(matchRedirectUri(registered, requested))
    },
    // The engine asks when it has read all parameters, also those of a request object.
    responseModeAllowed(_mode: string, responseType: unknown): boolean {
      completeScope()
      // RFC 6749 §3.1.1: a response type is a set of values. The engine would take one that is named twice for one.
      const values = wordsOf(responseType)
      if (new Set(values).size < values.length)
        throw new errors.UnsupportedResponseType('response_type repeats a value: name each value once')
      // RFC 6749 §4.1.2.1: a missing one is another error, which the engine answers.
      if (values.length > 0 && !ports.allowsResponseType(values.join(' ')))
        throw new errors.UnsupportedResponseType(
          'the registration policy does not allow this response_type: send one of response_types_supported',
        )
      return true
    },
    // RFC 6749 §4.1.2.1: the engine has another code for this refusal.
    responseTypeAllowed(this: EngineClient, responseType: string): boolean {
      if (this.responseTypes?.some((each) => each === responseType) === true) return true
      throw new errors.UnauthorizedClient(unauthorized)
    },
    // RFC 7591 §3.2.1: the tolerance of the engine is for the clocks of clients, and this time is of the clock here.
    checkClientSecretExpiration(this: EngineClient, use: string, error?: string): void {
      const isExpired = isOfAnswer(use)
        ? hasExpiredSecret(registeredOf(this), ports.now())
        : secretsOf(this).length === 0
      if (isExpired) refuseExpired(use, error)
    },
    // OpenID Front-Channel Logout §3: ID tokens name the session, whether the client asks for that or not.
    includeSid: () => true,
  })
}
