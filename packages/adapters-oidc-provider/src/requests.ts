// What is done with an authorization request before the engine judges it.
import * as E from 'fp-ts/lib/Either.js'
import { type KoaContextWithOIDC, errors } from 'oidc-provider'
import { consumeForAnonymous, isPushedByAnyone } from './budgets.js'
import { headerOf } from './client-signatures.js'
import type { EngineClient } from './clients/find-client.js'
import { presentKnown, presentRequest } from './context.js'
import type { EnginePorts } from './ports.js'

const requestRoutes = new Set(['authorization', 'pushed_authorization_request'])

type Parameters = Record<string, unknown>

const decrypted = async ({ decryptObject }: Pick<EnginePorts, 'decryptObject'>, object: string): Promise<string> => {
  const read = await decryptObject(object)()
  if (E.isLeft(read)) throw new errors.InvalidRequestObject('could not decrypt request object', read.left.reason)
  return read.right
}

// RFC 7516 §4.1.1: "dir" and the key wrappings of AES take the secret of the client, which the engine has.
const isByPublicKey = (alg: unknown): boolean => typeof alg === 'string' && /^(?:RSA|ECDH)/.test(alg)

// RFC 6749 §3.3: the default of a request that says nothing.
const assumeScope = (parameters: ReadonlyArray<Parameters>): void => {
  for (const each of parameters) if (each['request_uri'] === undefined) each['scope'] ??= 'openid'
}

type Ports = Pick<EnginePorts, 'decryptObject' | 'consumeBudget'>

// The engine reads the parameters after it has found the client.
const parametersOf = ({ params, body }: KoaContextWithOIDC['oidc']): ReadonlyArray<Parameters> =>
  [params, body].filter((each): each is Parameters => each !== undefined)

const objectIn = (parameters: ReadonlyArray<Parameters>): string | undefined =>
  parameters.map(({ request }) => request).find((request) => typeof request === 'string')

/** RFC 9101 §6.1: a request object that is encrypted to the key of this service; for an anonymous party within a budget. */
const decryptIn = async (
  ports: Ports,
  parameters: ReadonlyArray<Parameters>,
  isOfAnonymous: boolean,
): Promise<void> => {
  const object = objectIn(parameters)
  const known = presentKnown()
  // The engine may search the client again.
  if (object?.split('.').length !== 5 || known?.encryption !== undefined) return
  const header = headerOf(object)
  if (known !== undefined) known.encryption = header
  if (!isByPublicKey(header['alg'])) return
  if (isOfAnonymous) await consumeForAnonymous(ports)
  const plain = await decrypted(ports, object)
  for (const each of parameters) each['request'] = plain
}

/** Before the client is searched. RFC 6749 §3.3: a request without a scope asks for `openid`. */
export const prepareRequest = async (ports: Ports): Promise<void> => {
  const oidc = presentRequest()?.oidc
  if (oidc === undefined || !requestRoutes.has(oidc.route)) return
  const parameters = parametersOf(oidc)
  if (objectIn(parameters) === undefined) return assumeScope(parameters)
  if (oidc.route === 'authorization') await decryptIn(ports, parameters, oidc.session?.accountId === undefined)
}

/** RFC 9126 §2.1: when the client has authenticated, or need not. */
export const preparePushed = async (ports: Ports, client: EngineClient): Promise<void> => {
  const oidc = presentRequest()?.oidc
  if (oidc?.route === 'pushed_authorization_request')
    await decryptIn(ports, parametersOf(oidc), isPushedByAnyone(client))
}
