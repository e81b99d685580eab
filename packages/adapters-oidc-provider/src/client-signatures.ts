// By which algorithms clients sign and encrypt: by what they registered, or else by what the metadata list at present, also
// where an operator has changed the policy since the engine was made.
import type { ClientMetadata } from '@clientele/domain/client'
import { isPlainObject, parseTokenJson } from '@clientele/domain/kernel'
import type { CryptographicMember } from '@clientele/domain/policy'
import * as E from 'fp-ts/lib/Either.js'
import { type Configuration, type KoaContextWithOIDC, errors } from 'oidc-provider'
import { type EngineClient, registeredOf } from './clients/find-client.js'
import { presentKnown } from './context.js'
import type { EnginePorts } from './ports.js'

type Ports = Pick<EnginePorts, 'listedAlgorithms'>

type Header = Readonly<Record<string, unknown>>

/** The header of a JWS or JWE in its compact form, which nobody has verified; empty if it has none. */
export const headerOf = (object: string): Header => {
  const header = parseTokenJson(Buffer.from(object.split('.')[0] ?? '', 'base64url').toString())
  return E.isRight(header) && isPlainObject(header.right) ? header.right : {}
}

type ClientMember = CryptographicMember & keyof ClientMetadata

const remedy = (list: string): string => `the algorithm is not allowed: use one of ${list}_values_supported`

const isPermitted = (
  { listedAlgorithms }: Ports,
  client: EngineClient,
  member: ClientMember,
  algorithm: unknown,
): boolean => {
  const listed: ReadonlyArray<unknown> = listedAlgorithms(member)
  return registeredOf(client).metadata[member] === algorithm || listed.includes(algorithm)
}

type AssertAssertion = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>

/** RFC 7523 §3, for the signature of a client assertion. */
export const assertSignedAssertion =
  (ports: Ports): AssertAssertion =>
  (_request, _claims, { alg }, client) => {
    const member = 'token_endpoint_auth_signing_alg'
    if (isPermitted(ports, client, member, alg)) return
    throw Object.assign(new errors.InvalidClientAuth('alg mismatch'), { error_description: remedy(member) })
  }

type AssertRequest = NonNullable<
  NonNullable<NonNullable<Configuration['features']>['requestObjects']>['assertJwtClaimsAndHeader']
>

/** RFC 9101 §6.2, for the signature of a request object, and the encryption in which it came. */
export const assertSignedRequest =
  (ports: Ports): AssertRequest =>
  (request, _claims, { alg }, client) => {
    // RFC 9126 §2.1: a pushed request was judged when it came; the engine has stored it without a signature.
    if (request.oidc.entities.PushedAuthorizationRequest !== undefined) return
    const encryption = presentKnown()?.encryption
    const isRefused = (member: ClientMember, algorithm: unknown): boolean =>
      !isPermitted(ports, client, member, algorithm)
    const refuse = (member: ClientMember): never => {
      throw new errors.InvalidRequestObject(remedy(member))
    }
    if (isRefused('request_object_signing_alg', alg)) refuse('request_object_signing_alg')
    if (encryption === undefined) return
    for (const name of ['alg', 'enc'] as const)
      if (isRefused(`request_object_encryption_${name}`, encryption[name])) refuse(`request_object_encryption_${name}`)
  }

/** RFC 9449 §5.1: no client registers the algorithm of its proofs. The engine asks here whether one needs a nonce: none does. */
export const refuseProofs =
  ({ listedAlgorithms }: Ports) =>
  (request: KoaContextWithOIDC): boolean => {
    const listed: ReadonlyArray<unknown> = listedAlgorithms('token_endpoint_auth_signing_alg')
    if (listed.includes(headerOf(request.get('DPoP'))['alg'])) return false
    throw new errors.InvalidDpopProof(remedy('dpop_signing_alg'))
  }
