// What is done with requests before the engine judges them: the work for anonymous parties is counted, request objects are
// fetched and decrypted, and the algorithms of clients are compared with those of the policy.
import { type ClientMetadata, isRegisteredRequestUri } from '@clientele/domain/client'
import { isPlainObject, parseTokenJson } from '@clientele/domain/kernel'
import type { CryptographicMember } from '@clientele/domain/policy'
import * as E from 'fp-ts/lib/Either.js'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Configuration, type KoaContextWithOIDC, errors } from 'oidc-provider'
import { type EngineClient, isOfNobody, isPushedByAnyone, registeredOf, secretsOf, useSecret } from './clients.js'
import { knownOfRequest, presentKnown, presentRequest } from './context.js'
import { TooManyRequests } from './errors.js'
import type { EnginePorts, EngineSettings } from './ports.js'

/** Of the work of a request for an anonymous party, before it is done: one unit, however much it is (docs/operate/security.md#abuse). */
export const consumeForAnonymous = async ({ consumeBudget }: EnginePorts): Promise<void> => {
  const request = presentRequest()
  if (request === undefined) return
  const known = knownOfRequest(request.req)
  if (known.hasBudget === true) return
  const consumed = await consumeBudget('authorizations', request.req)()
  if (E.isLeft(consumed)) throw new TooManyRequests(request, 'authorizations', consumed.left)
  known.hasBudget = true
}

/** The header of a JWS or JWE in its compact form, which nobody has verified; empty if it has none. */
const headerOf = (object: string): Readonly<Record<string, unknown>> => {
  const header = parseTokenJson(Buffer.from(object.split('.')[0] ?? '', 'base64url').toString())
  return E.isRight(header) && isPlainObject(header.right) ? header.right : {}
}

type Parameters = Record<string, unknown>

// The engine reads the parameters after it has found the client.
const parametersOf = ({ params, body }: KoaContextWithOIDC['oidc']): ReadonlyArray<Parameters> =>
  [params, body].filter((each): each is Parameters => each !== undefined)

const objectIn = (parameters: ReadonlyArray<Parameters>): string | undefined =>
  parameters.map(({ request }) => request).find((request) => typeof request === 'string')

/** RFC 9101 §6.1: a request object that is encrypted to the key of this service; for an anonymous party within a budget. */
const decryptIn = async (
  ports: EnginePorts,
  parameters: ReadonlyArray<Parameters>,
  isOfAnonymous: boolean,
): Promise<void> => {
  const object = objectIn(parameters)
  const known = presentKnown()
  // The engine may search the client again.
  if (object?.split('.').length !== 5 || known?.encryption !== undefined) return
  const header = headerOf(object)
  if (known !== undefined) known.encryption = header
  const { alg } = header
  // RFC 7516 §4.1.1: "dir" and the key wrappings of AES take the secret of the client, which the engine has.
  if (typeof alg !== 'string' || !/^(?:RSA|ECDH)/.test(alg)) return
  if (isOfAnonymous) await consumeForAnonymous(ports)
  const read = await ports.decryptObject(object)()
  if (E.isLeft(read)) throw new errors.InvalidRequestObject('could not decrypt request object', read.left.reason)
  for (const each of parameters) each['request'] = read.right
}

/** Before the client is searched. */
export const prepareRequest = async (ports: EnginePorts): Promise<void> => {
  const oidc = presentRequest()?.oidc
  if (oidc?.route === 'authorization') await decryptIn(ports, parametersOf(oidc), oidc.session?.accountId === undefined)
}

/** RFC 6749 §3.3: a request without a scope asks for `openid`. */
export const completeScope = (): void => {
  const params = presentRequest()?.oidc.params
  if (params !== undefined) params['scope'] ??= 'openid'
}

/** RFC 9126 §2.1: when the client has authenticated, or need not. */
export const preparePushed = async (ports: EnginePorts, client: EngineClient): Promise<void> => {
  const oidc = presentRequest()?.oidc
  if (oidc?.route === 'pushed_authorization_request')
    await decryptIn(ports, parametersOf(oidc), isPushedByAnyone(client))
}

// The engine knows the URIs of pushed requests alone; RFC 9101 §5: it refuses a request that has an object as well.
const pushedPrefix = 'urn:ietf:params:oauth:request_uri:'

const uriIn = (parameters: ReadonlyArray<Parameters>): string | undefined =>
  objectIn(parameters) === undefined
    ? parameters
        .flatMap(({ request_uri: uri }) => (typeof uri === 'string' ? [uri] : []))
        .find((uri) => !uri.startsWith(pushedPrefix))
    : undefined

const compact = /^[\w-]+(?:\.[\w-]*){2,4}$/

const read = async (fetch: NonNullable<EnginePorts['fetch']>, uri: string): Promise<string> => {
  const headers = { Accept: 'application/oauth-authz-req+jwt, application/jwt' }
  try {
    const response = await fetch(uri, { headers })
    const object = (await response.text()).trim()
    if (response.status !== 200) throw new Error(`the status is ${response.status}`)
    if (!compact.test(object)) throw new Error('the body is no JWT in its compact form')
    return object
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new errors.InvalidRequestUri(
      'the request object at request_uri cannot be read: serve it there as a JWT in compact form, with status 200',
      reason,
    )
  }
}

const fetchFor = (ports: EnginePorts, client: EngineClient, uri: string): NonNullable<EnginePorts['fetch']> => {
  if (!isRegisteredRequestUri(registeredOf(client).metadata, uri))
    throw new errors.InvalidRequestUri('request_uri is not registered: add it to request_uris of the client')
  const fetch = isOfNobody(client) ? ports.fetchObjectForAnyone : ports.fetch
  if (fetch === undefined) throw new errors.RequestUriNotSupported()
  return fetch
}

// RFC 9126 §5: the engine refuses what was not pushed.
const isTaken = ({ requestUris, requirePar }: EngineSettings, client: EngineClient): boolean =>
  requestUris && !requirePar && registeredOf(client).metadata.require_pushed_authorization_requests !== true

/**
 * OpenID Core §6.2: the request object at a URI that the client registered, as if it were in the request. Any browser may
 * ask for it: a session or a unit of a budget is needed first.
 */
export const fetchRequest = async (
  settings: EngineSettings,
  ports: EnginePorts,
  client: EngineClient,
): Promise<void> => {
  const oidc = presentRequest()?.oidc
  const known = presentKnown()
  if (!isTaken(settings, client) || oidc?.route !== 'authorization' || known === undefined) return
  const parameters = parametersOf(oidc)
  const uri = uriIn(parameters)
  // The engine searches the client again for an error that it redirects.
  if (uri === undefined || known.hasRequestUri === true) return
  known.hasRequestUri = true
  const fetch = fetchFor(ports, client, uri)
  const isOfAnonymous = oidc.session?.accountId === undefined
  if (isOfAnonymous) await consumeForAnonymous(ports)
  const object = await read(fetch, uri)
  for (const each of parameters) Object.assign(each, { request: object, request_uri: undefined })
  await decryptIn(ports, parameters, isOfAnonymous)
}

// By which algorithms clients sign and encrypt: by what they registered, or else by what the metadata list at present, also
// where an operator has changed the policy since the engine was made.

const remedy = (list: string): string => `the algorithm is not allowed: use one of ${list}_values_supported`

const isPermitted = (
  { listedAlgorithms }: EnginePorts,
  client: EngineClient,
  member: CryptographicMember & keyof ClientMetadata,
  algorithm: unknown,
): boolean => {
  const listed: ReadonlyArray<unknown> = listedAlgorithms(member)
  return registeredOf(client).metadata[member] === algorithm || listed.includes(algorithm)
}

const refuseAssertion = (detail: string, error_description: string): never => {
  throw Object.assign(new errors.InvalidClientAuth(detail), { error_description })
}

/** RFC 7518 §3.2: whether the secret made the signature of a JWS in its compact form. */
const isSignedBy = (secret: string, alg: unknown, jws: string): boolean => {
  const [, bits] = /^HS(256|384|512)$/.exec(String(alg)) ?? []
  if (bits === undefined) return false
  const signed = jws.lastIndexOf('.')
  const signature = createHmac(`sha${bits}`, secret).update(jws.slice(0, signed)).digest()
  const presented = Buffer.from(jws.slice(signed + 1), 'base64url')
  return signature.length === presented.length && timingSafeEqual(signature, presented)
}

/** RFC 7523 §3, for the signature of a client assertion, and FAPI 2.0 §5.3.2.1 for its audience. */
export const assertSignedAssertion =
  (
    { issuer, assertionAudience }: EngineSettings,
    ports: EnginePorts,
  ): NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']> =>
  ({ oidc }, { aud }, { alg }, client) => {
    const member = 'token_endpoint_auth_signing_alg'
    if (!isPermitted(ports, client, member, alg)) refuseAssertion('alg mismatch', remedy(member))
    if (assertionAudience === 'issuer' && aud !== issuer)
      refuseAssertion('aud mismatch', `aud of a client assertion must be the issuer alone, as a text: ${issuer}`)
    // The engine has verified the assertion by one of the secrets.
    const assertion = oidc.params?.['client_assertion']
    const used = secretsOf(client).find((secret) => isSignedBy(secret, alg, String(assertion)))
    if (used !== undefined) useSecret(ports, client, used)
  }

type RequestObjects = NonNullable<NonNullable<Configuration['features']>['requestObjects']>

/** RFC 9101 §6.2, for the signature of a request object, and the encryption in which it came. */
export const assertSignedRequest =
  (ports: EnginePorts): NonNullable<RequestObjects['assertJwtClaimsAndHeader']> =>
  ({ oidc }, _claims, { alg: signature }, client) => {
    // RFC 9126 §2.1: a pushed request was judged when it came; the engine has stored it without a signature.
    if (oidc.entities.PushedAuthorizationRequest !== undefined) return
    const encryption = presentKnown()?.encryption
    const members = [
      ['request_object_signing_alg', signature],
      ...(encryption === undefined
        ? []
        : ([
            ['request_object_encryption_alg', encryption['alg']],
            ['request_object_encryption_enc', encryption['enc']],
          ] as const)),
    ] as const
    for (const [member, algorithm] of members)
      if (!isPermitted(ports, client, member, algorithm)) throw new errors.InvalidRequestObject(remedy(member))
  }

/** RFC 9449 §5.1: no client registers the algorithm of its proofs. The engine asks here whether one needs a nonce: none does. */
export const refuseProofs =
  ({ listedAlgorithms }: EnginePorts) =>
  (request: KoaContextWithOIDC): boolean => {
    const listed: ReadonlyArray<unknown> = listedAlgorithms('request_object_signing_alg')
    if (listed.includes(headerOf(request.get('DPoP'))['alg'])) return false
    throw new errors.InvalidDpopProof(remedy('dpop_signing_alg'))
  }
