// What is done with an authorization request before the engine judges it.
import * as E from 'fp-ts/lib/Either.js'
import { errors } from 'oidc-provider'
import { headerOf } from './client-signatures.js'
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

/**
 * RFC 9101 §6.1: a request object that is encrypted to the key of this service is decrypted; RFC 6749 §3.3: a request
 * without a scope asks for `openid`. The engine reads the parameters after it has found the client.
 */
export const prepareRequest = async (ports: Pick<EnginePorts, 'decryptObject'>): Promise<void> => {
  const oidc = presentRequest()?.oidc
  if (oidc === undefined || !requestRoutes.has(oidc.route)) return
  const parameters = [oidc.params, oidc.body].filter((each): each is Parameters => each !== undefined)
  const object = parameters.map(({ request }) => request).find((request) => typeof request === 'string')
  if (object === undefined) return assumeScope(parameters)
  if (object.split('.').length !== 5) return
  const known = presentKnown()
  const header = headerOf(object)
  if (known !== undefined) known.encryption = header
  if (!isByPublicKey(header['alg'])) return
  const plain = await decrypted(ports, object)
  for (const each of parameters) each['request'] = plain
}
