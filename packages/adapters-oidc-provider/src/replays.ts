// Identifiers that must not be used again: RFC 7523 §3, RFC 9449 §11.1.
import { secondsAfter } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { type KoaContextWithOIDC, type Provider, errors } from 'oidc-provider'
import { type EngineClient, isOfNobody } from './clients.js'
import { type Mark, knownOfRequest, presentKnown, presentRequest } from './context.js'
import { performed } from './errors.js'
import type { EnginePorts } from './ports.js'
import { consumeForAnonymous, preparePushed } from './requests.js'

/**
 * RFC 7523 §3: what is valid for longer is refused, because its identifier would have to be kept for as long. Libraries
 * make assertions of an hour at most, by a clock of their own: docs/decisions/abuse.md.
 */
const maxLifetime = 3_600 + 60

/** The first of several requests at the same time wins, in whatever instance. */
const isFirst = async (
  { storeArtefact, now }: EnginePorts,
  { hash, expires_at }: Omit<Mark, 'ofAssertion'>,
): Promise<boolean> => {
  const at = now()
  const kind = 'replay'
  return E.isRight(await performed(storeArtefact({ kind, hash, expires_at, payload: {} }, at, { kind, hash, at })))
}

// Such a request is good by something that is stored, which its client has from an end-user or from a budget: a code, a
// token, a pushed request. One with a grant that its client has not is refused. Any other grant is from an operator.
const isGoodLater = ({ route, params }: KoaContextWithOIDC['oidc'], client: EngineClient): boolean => {
  const grantType = String(params?.['grant_type'])
  return route === 'token'
    ? ['authorization_code', 'refresh_token'].includes(grantType) || !client.grantTypeAllowed(grantType)
    : ['pushed_authorization_request', 'introspection', 'revocation'].includes(route)
}

const isNewIn = async (
  ports: EnginePorts,
  request: KoaContextWithOIDC,
  mark: Omit<Mark, 'ofAssertion'>,
): Promise<boolean> => {
  const { client, params } = request.oidc
  const { isGood, held } = knownOfRequest(request.req)
  const isHeld = isGood !== true && client !== undefined && isOfNobody(client) && isGoodLater(request.oidc, client)
  if (!isHeld) return isFirst(ports, mark)
  // The client authenticates before its proof is read.
  held.push({ ...mark, ofAssertion: held.length === 0 && params?.['client_assertion'] !== undefined })
  return true
}

// RFC 9449 §7.1: a proof with an access token, of which the engine has not looked for the client yet. One token serves for
// any number of proofs.
const prepareProof = async (
  { Client }: Pick<Provider, 'Client'>,
  ports: EnginePorts,
  { oidc: { route, entities } }: KoaContextWithOIDC,
): Promise<void> => {
  const token = entities.AccessToken
  if (route !== 'userinfo' || token?.clientId === undefined) return
  if (token.jkt === undefined)
    throw new errors.InvalidToken('access token is not sender-constrained, but came with a proof')
  const client = await Client.find(token.clientId)
  if (client !== undefined && isOfNobody(client)) await consumeForAnonymous(ports)
}

/**
 * Identifiers are kept from their first use on. Those of a client for which nobody vouches are kept when its request
 * turns out to be good, so that refused ones leave nothing.
 */
export const replaceReplayDetection = (provider: Provider, ports: EnginePorts): void => {
  Object.assign(provider.ReplayDetection, {
    unique: async (iss: string, jti: string, exp: number): Promise<boolean> => {
      const at = ports.now()
      if (!(exp - at <= maxLifetime)) throw new errors.InvalidClientAuth('the JWT is valid for more than an hour')
      // The identifier with its issuer: neither is a prefix of the other in JSON.
      const hash = ports.hashToken(JSON.stringify([iss, jti]))
      const mark = { hash, expires_at: secondsAfter(at, Math.max(1, Math.ceil(exp - at))) }
      const request = presentRequest()
      if (request === undefined) return isFirst(ports, mark)
      await prepareProof(provider, ports, request)
      const isNew = await isNewIn(ports, request, mark)
      if (isNew && request.oidc.client !== undefined) await preparePushed(ports, request.oidc.client)
      return isNew
    },
  })
}

/** Keeps what the present request has held back: it is good. */
export const keepHeld = async (ports: EnginePorts): Promise<void> => {
  const known = presentKnown()
  if (known === undefined) return
  known.isGood = true
  for (const mark of known.held.splice(0))
    if (!(await isFirst(ports, mark)))
      throw mark.ofAssertion
        ? new errors.InvalidClientAuth('client assertion tokens must only be used once')
        : new errors.InvalidDpopProof('DPoP proof JWT Replay detected')
}
