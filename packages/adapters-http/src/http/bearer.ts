import {
  type HashText,
  type PresentedCredential,
  type TokenHash,
  presentedToken,
} from '@clientele/domain/authorization'
import * as E from 'fp-ts/lib/Either.js'
import type { Query, ReceivedRequest, RequestBody } from './request.js'

const maxLength = 4096
// RFC 6750 §2.1: b64token; RFC 9110 §11.4: the scheme in any case, one or more spaces
const credentials = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

export type BearerSettings = {
  /** The digests of the master tokens, of which several may count at once. */
  readonly masterToken: TokenHash | ReadonlyArray<TokenHash>
  /** The way by which only the operator of the machine can send requests: one without a token is the operator's. */
  readonly operatorAlone?: 'socket' | 'command' | undefined
  readonly hashToken: HashText
}

const hasTokenIn = (body: RequestBody): boolean =>
  E.isRight(body) && typeof body.right === 'object' && body.right !== null && Object.hasOwn(body.right, 'access_token')

const tokenIn = (header: string): string | undefined =>
  header.length > maxLength ? undefined : credentials.exec(header)?.[1]

/** The credential of a request; only the hash of its token leaves this function. */
export const presentedCredential = ({ masterToken, operatorAlone, hashToken }: BearerSettings) => {
  const credentialOf = presentedToken(...[masterToken].flat())
  const without: PresentedCredential = { kind: operatorAlone === undefined ? 'none' : 'store' }
  return (authorization: ReceivedRequest['authorization'], query: Query, body: RequestBody): PresentedCredential => {
    // RFC 6750 §2: one method for sending a token; the service accepts only the header
    if (authorization.length > 1 || 'access_token' in query || hasTokenIn(body)) return { kind: 'unusable' }
    const [header] = authorization
    if (header === undefined) return without
    const token = tokenIn(header)
    return token === undefined ? { kind: 'unusable' } : credentialOf(hashToken(token))
  }
}
